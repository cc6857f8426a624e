"""Spreading work over processes of this machine, or over a cluster, so that no death of a worker loses any of it.

Work comes in chunks of tasks. A chunk whose worker dies is worked on again, and in halves if that kills a worker too; the task that is to
blame gets the answer that `give_up` makes.
"""

from __future__ import annotations

import importlib
import itertools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from lawmage.errors import InputError

__all__ = ["LOCAL_CLUSTER", "in_processes", "in_this_process", "on_cluster"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

#: The address that stands for a cluster on this machine.
LOCAL_CLUSTER = "local"
#: How many chunks wait at a worker, so that it never waits for one.
_AHEAD = 2
#: A process is replaced after so many chunks: whatever a library leaves behind in it stays bounded.
_CHUNKS_PER_PROCESS = 200
_SECONDS_TO_REACH = 10
#: A cluster of ours starts a worker again for each that dies, however long that takes. One that dies while it starts is not replaced:
#: a cluster without workers for so long gets none any more.
_OUR_CLUSTER = {"distributed.deploy.lost-worker-timeout": "1 day", "distributed.scheduler.no-workers-timeout": "60s"}


def in_this_process(
    chunks: Iterable[Sequence[Task]],
    work: Callable[[Sequence[Task]], list[Answer]],
) -> Iterator[list[Answer]]:
    """Yield the answers to each chunk, one after the other."""
    for chunk in chunks:
        yield work(chunk)


def in_processes(
    chunks: Iterable[Sequence[Task]],
    work: Callable[[Sequence[Task]], list[Answer]],
    give_up: Callable[[Task], Answer],
    jobs: int,
) -> Iterator[list[Answer]]:
    """Yield the answers to each chunk as they come from `jobs` processes.

    Args:
        work: a function of a module, as it has to be found by name in the other processes.
    """
    source = iter(chunks)
    while first := next(source, None):
        generation = itertools.islice(itertools.chain([first], source), jobs * _CHUNKS_PER_PROCESS)
        lost: list[Sequence[Task]] = []
        yield from _generation(generation, work, jobs, lost)
        for chunk in lost:
            yield _again(chunk, _in_a_new_process(work), give_up)


def _executor(jobs: int) -> ProcessPoolExecutor:
    # Starting afresh, not as a copy of this process, which may have threads (a progress bar has).
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_interrupts_to_the_parent)


def _leave_interrupts_to_the_parent() -> None:
    # A terminal interrupts all processes of a command; one of them says so.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _generation(
    chunks: Iterator[Sequence[Task]],
    work: Callable[[Sequence[Task]], list[Answer]],
    jobs: int,
    lost: list[Sequence[Task]],
) -> Iterator[list[Answer]]:
    """Work on chunks until they end or a process dies; those that were being worked on then are added to `lost`."""
    with _executor(jobs) as executor:
        waiting: dict[Future[list[Answer]], Sequence[Task]] = {}
        try:
            while not lost:
                for chunk in itertools.islice(chunks, jobs * _AHEAD - len(waiting)):
                    waiting[_submit(executor, work, chunk)] = chunk
                if not waiting:
                    break
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    chunk = waiting.pop(future)
                    if isinstance(future.exception(), BrokenProcessPool):
                        lost.append(chunk)
                    else:
                        yield future.result()
            lost += waiting.values()
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _submit(executor: ProcessPoolExecutor, work: Callable[[Sequence[Task]], list[Answer]], chunk: Sequence[Task]) -> Future[list[Answer]]:
    try:
        return executor.submit(work, chunk)
    except BrokenProcessPool as error:
        broken: Future[list[Answer]] = Future()
        broken.set_exception(error)
        return broken


def _in_a_new_process(work: Callable[[Sequence[Task]], list[Answer]]) -> Callable[[Sequence[Task]], list[Answer] | None]:
    """Return `work` as done by a process of its own; it answers None if that dies."""

    def done(chunk: Sequence[Task]) -> list[Answer] | None:
        with _executor(1) as executor:
            try:
                return executor.submit(work, chunk).result()
            except BrokenProcessPool:
                return None

    return done


def _again(chunk: Sequence[Task], work: Callable[[Sequence[Task]], list[Answer] | None], give_up: Callable[[Task], Answer]) -> list[Answer]:
    """Return the answers to a chunk with which a worker died; halves of it are tried until the task is found that kills."""
    answers = work(chunk)
    if answers is not None:
        return answers
    if len(chunk) == 1:
        return [give_up(chunk[0])]
    half = len(chunk) // 2
    return [*_again(chunk[:half], work, give_up), *_again(chunk[half:], work, give_up)]


def on_cluster(
    chunks: Iterable[Sequence[Task]],
    work: Callable[[Sequence[Task]], list[Answer]],
    give_up: Callable[[Task], Answer],
    address: str,
    jobs: int,
) -> Iterator[list[Answer]]:
    """Yield the answers to each chunk as they come from the workers of a dask cluster.

    Args:
        address: of its scheduler, or `local` for a cluster of `jobs` workers on this machine. The workers need lawmage and its cards.

    Raises:
        InputError: if dask.distributed isn't installed, nothing answers at the address, or a cluster of ours has no workers any more.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise InputError(
            "--cluster needs dask.distributed, which isn't installed; install it with: pip install 'lawmage[cluster]'"
        ) from None
    with importlib.import_module("dask").config.set(_OUR_CLUSTER if address == LOCAL_CLUSTER else {}):
        local = None
        if address == LOCAL_CLUSTER:
            local = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address="127.0.0.1:0")
        try:
            client = distributed.Client(local or address, timeout=_SECONDS_TO_REACH, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f'no dask cluster answers at "{address}" ({error})') from None
        try:
            yield from _on_client(distributed, client, iter(chunks), work, give_up)
        except (distributed.scheduler.NoValidWorkerError, distributed.scheduler.NoWorkerError):
            raise InputError("all workers of the cluster are gone; what was answered is kept, so run this again to go on") from None
        finally:
            client.close()
            if local is not None:
                local.close()


def _on_client(
    distributed: Any,
    client: Any,
    chunks: Iterator[Sequence[Task]],
    work: Callable[[Sequence[Task]], list[Answer]],
    give_up: Callable[[Task], Answer],
) -> Iterator[list[Answer]]:
    """Yield the answers as they come; those to chunks with which several workers in turn died come last."""
    asked: dict[Any, Sequence[Task]] = {}
    lost: list[Sequence[Task]] = []

    def submit(chunk: Sequence[Task]) -> Any:
        future = client.submit(work, chunk, pure=False)
        asked[future] = chunk
        return future

    workers = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    started = [submit(chunk) for chunk in itertools.islice(chunks, workers * _AHEAD)]
    finished = distributed.as_completed(started, loop=client.loop)
    for future in finished:
        chunk = asked.pop(future)
        if following := next(chunks, None):
            finished.add(submit(following))
        if isinstance(future.exception(), distributed.KilledWorker):
            lost.append(chunk)
        else:
            yield future.result()

    def alone(chunk: Sequence[Task]) -> list[Answer] | None:
        future = client.submit(work, chunk, pure=False)
        answers: list[Answer] | None = None if isinstance(future.exception(), distributed.KilledWorker) else future.result()
        return answers

    for chunk in lost:
        yield _again(chunk, alone, give_up)
