"""Work is spread over processes and over a cluster, and a worker's death loses none of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lawmage.decks.workers import _OUR_CLUSTER, in_processes, in_this_process, on_cluster
from lawmage.errors import InputError

CHUNKS = [list(range(start, start + 3)) for start in range(0, 30, 3)]
DOUBLED = sorted(2 * task for chunk in CHUNKS for task in chunk)


def double(tasks: Sequence[int]) -> list[int]:
    return [2 * task for task in tasks]


def double_unless_it_kills(tasks: Sequence[int]) -> list[int]:
    """One task kills whoever works on it, but not so soon that dask is still starting it: such a worker is not started again."""
    if 7 in tasks:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGKILL)
    return double(tasks)


def kill_once(tasks: Sequence[str]) -> list[str]:
    """A task that is the name of a file kills who first works on it, and removes the file."""
    for task in tasks:
        if Path(task).exists():
            Path(task).unlink()
            os.kill(os.getpid(), signal.SIGKILL)
    return [task.upper() for task in tasks]


def fail(tasks: Sequence[int]) -> list[int]:
    raise InputError(f"task {tasks[0]} is wrong")


def give_up(task: int) -> int:
    return -task


def flat(answers: list[list[int]]) -> list[int]:
    return sorted(answer for chunk in answers for answer in chunk)


def test_this_process() -> None:
    assert flat(list(in_this_process(CHUNKS, double))) == DOUBLED


def test_processes() -> None:
    assert flat(list(in_processes(CHUNKS, double, give_up, 2))) == DOUBLED
    assert list(in_processes([], double, give_up, 2)) == []


def test_a_task_that_kills_its_process_is_the_only_one_given_up() -> None:
    assert flat(list(in_processes(CHUNKS[:4], double_unless_it_kills, give_up, 2))) == sorted(
        [-7, *(2 * task for task in range(12) if task != 7)]
    )


def test_a_killed_process_costs_nothing(tmp_path: Path) -> None:
    bait = tmp_path / "bait"
    bait.touch()
    tasks = [[f"task {number}"] for number in range(20)]
    tasks[2].append(str(bait))
    answers = [answer for chunk in in_processes(tasks, kill_once, str, 2) for answer in chunk]
    assert not bait.exists()
    assert sorted(answers) == sorted(task.upper() for chunk in tasks for task in chunk)


def test_errors_of_ours_come_through() -> None:
    with pytest.raises(InputError, match=r"task \d+ is wrong"):
        list(in_processes(CHUNKS, fail, give_up, 2))


@pytest.fixture
def distributed() -> Any:
    return pytest.importorskip("distributed", reason="dask.distributed is not installed (extra: cluster)")


def test_a_cluster_loses_nothing_when_a_worker_is_killed(distributed: Any, tmp_path: Path) -> None:
    bait = tmp_path / "bait"
    bait.touch()
    tasks = [[f"task {number}"] for number in range(12)]
    tasks[5].append(str(bait))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as cluster:
        assert len(cluster.workers) == 2
        answers = [answer for chunk in on_cluster(tasks, kill_once, str, cluster.scheduler_address, 1) for answer in chunk]
    assert not bait.exists()  # so a worker was killed
    assert sorted(answers) == sorted(task.upper() for chunk in tasks for task in chunk)


def test_a_task_that_kills_the_workers_of_a_cluster_is_the_only_one_given_up(distributed: Any) -> None:
    import dask

    with (
        dask.config.set({**_OUR_CLUSTER, "distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as cluster,
    ):
        answers = list(on_cluster([[6, 7, 8]], double_unless_it_kills, give_up, cluster.scheduler_address, 1))
    assert flat(answers) == [-7, 12, 16]


def test_a_cluster_without_workers_is_not_waited_for(distributed: Any) -> None:
    import dask

    with (
        dask.config.set({"distributed.scheduler.no-workers-timeout": "100ms"}),
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0", silence_logs=50) as cluster,
        pytest.raises(InputError, match="all workers of the cluster are gone"),
    ):
        list(on_cluster(CHUNKS, double, give_up, cluster.scheduler_address, 1))


@pytest.mark.usefixtures("distributed")
def test_no_cluster_at_the_address() -> None:
    with pytest.raises(InputError, match='no dask cluster answers at "nonsense'):
        list(on_cluster(CHUNKS, double, give_up, "nonsense://nowhere", 1))


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"install it with: pip install 'lawmage\[cluster\]'"):
        list(on_cluster(CHUNKS, double, give_up, "local", 1))
