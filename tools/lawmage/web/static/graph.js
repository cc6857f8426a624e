// The graph of what cites what: what a rule cites stands to its right, what cites it to its left. Lists beside it have the same links.
(() => {
  "use strict";
  const walk = document.getElementById("walk");
  if (!walk || !window.cytoscape) return;
  walk.hidden = false;
  const board = document.getElementById("graph");
  const told = document.getElementById("chosen");
  const { number: start, heading: title, release } = walk.dataset;
  // On a phone the boxes have numbers alone; the headings stand in the list.
  const narrow = window.matchMedia("(max-width: 40rem)").matches;
  const SHOWN = narrow ? 9 : 12, COLUMN = narrow ? 112 : 250, ROW = narrow ? 46 : 54, LONGEST = narrow ? 9 : 24;

  // ------------------------------------------------------------ addresses and words

  const asked = release ? `release=${encodeURIComponent(release)}` : "";
  const address = (number, page = "") =>
    `/rules/${encodeURIComponent(number)}${page && `/${page}`}${asked && `?${asked}`}`;
  const named = (number) => number.replace(/^glossary:/, "").replace(/~.*/, "");
  const short = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
  const label = (number, heading) =>
    number.startsWith("glossary:") ? `“${short(named(number))}”` : heading && !narrow ? `${named(number)}\n${short(heading)}` : named(number);

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // ------------------------------------------------------------ what is known of each rule

  // number -> {heading, column, parent, cites, citedBy, shown}; the lists are null until they were asked for.
  const known = new Map([[start, { heading: title, column: 0, parent: null, cites: null, citedBy: null, shown: {} }]]);
  let chosen = start;

  const fetched = async (number, reverse) => {
    const response = await fetch(`/api/deps/${encodeURIComponent(number)}?reverse=${reverse}${asked && `&${asked}`}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail || `the server answered ${response.status}`);
    return answer.dependencies.map((one) => ({
      number: one.number,
      heading: one.heading,
      kinds: [...new Set(one.references.map((each) => each.kind))],
    }));
  };

  // ------------------------------------------------------------ how it looks

  const FONT = 13, LINE = 1.25;
  const pen = document.createElement("canvas").getContext("2d");
  const size = (text) => {
    pen.font = `bold ${FONT}px ${getComputedStyle(document.body).fontFamily}`;
    const lines = text.split("\n");
    return { width: Math.max(...lines.map((line) => pen.measureText(line).width)) + 16, height: lines.length * FONT * LINE + 14 };
  };

  const style = () => {
    const read = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const edge = (kind, line) => ({ selector: `edge[kind = "${kind}"]`, style: { "line-style": line } });
    return [
      {
        selector: "node",
        style: {
          shape: "round-rectangle", width: "data(width)", height: "data(height)", label: "data(label)",
          "text-wrap": "wrap", "text-valign": "center", "text-halign": "center", "font-size": FONT, "line-height": LINE,
          "font-family": getComputedStyle(document.body).fontFamily,
          color: read("--ink"), "background-color": read("--surface"), "border-width": 1, "border-color": read("--edge"),
        },
      },
      { selector: "node.expanded", style: { "background-color": read("--accent-soft"), "border-color": read("--accent") } },
      { selector: "node.more", style: { color: read("--accent"), "border-style": "dashed" } },
      { selector: "node.chosen", style: { "border-width": 3, "border-color": read("--accent"), "font-weight": "bold" } },
      {
        selector: "edge",
        style: {
          width: 1.5, "line-color": read("--edge"), "target-arrow-color": read("--edge"), "target-arrow-shape": "triangle",
          "curve-style": "unbundled-bezier", "control-point-distances": [0], "control-point-weights": [0.5], "arrow-scale": 0.9,
        },
      },
      edge("see also", "dashed"), edge("exception to", "dotted"), edge("defined by", "dashed"),
      { selector: "edge.way", style: { width: 3, "line-color": read("--accent"), "target-arrow-color": read("--accent") } },
    ];
  };

  const graph = window.cytoscape({
    container: board, style: style(), layout: { name: "preset" }, minZoom: 0.2, maxZoom: 2.5,
    boxSelectionEnabled: false, autounselectify: true,
  });
  const restyle = () => graph.style(style());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  // ------------------------------------------------------------ drawing

  const shownOf = (number, side) => {
    const all = known.get(number)[side] || [];
    const most = known.get(number).shown[side] || SHOWN;
    // One more fits in the place of the box that would say that there is one more.
    return all.length <= most + 1 ? all : all.slice(0, most);
  };

  const draw = () => {
    graph.batch(() => {
      const add = (id, data, classes = "") => {
        if (graph.getElementById(id).empty()) graph.add({ data: { id, ...data }, classes });
      };
      for (const [number, one] of known) {
        const text = label(number, one.heading);
        add(number, { label: text, ...size(text) });
      }
      for (const [number, one] of known) {
        graph.getElementById(number).toggleClass("expanded", one.cites !== null);
        for (const side of ["cites", "citedBy"]) {
          const right = side === "cites";
          for (const end of shownOf(number, side)) {
            const [source, target] = right ? [number, end.number] : [end.number, number];
            add(`${source} > ${target}`, { source, target, kind: end.kinds[0] || "" });
          }
          const id = `${number} + ${side}`, rest = (one[side] || []).length - shownOf(number, side).length;
          graph.getElementById(id).remove();
          if (rest) {
            add(id, { label: `${rest} more`, ...size(`${rest} more`), of: number, side }, "more");
            add(`${id} edge`, right ? { source: number, target: id } : { source: id, target: number });
          }
        }
      }
      place();
    });
  };

  // Columns by the steps from the start, each in the order in which its boxes came.
  const place = () => {
    const columns = new Map();
    graph.nodes().forEach((node) => {
      const more = node.hasClass("more");
      const one = known.get(more ? node.data("of") : node.id());
      const column = more ? one.column + (node.data("side") === "cites" ? 1 : -1) : one.column;
      const parent = more ? node.data("of") : one.parent;
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column).push({ node, parent });
    });
    const order = new Map([...known.keys()].map((number, index) => [number, index]));
    for (const [column, boxes] of columns) {
      boxes.sort((a, b) => (order.get(a.parent) ?? -1) - (order.get(b.parent) ?? -1));
      boxes.forEach(({ node }, index) => node.position({ x: column * COLUMN, y: (index - (boxes.length - 1) / 2) * ROW }));
    }
  };

  const show = (boxes) => {
    const padding = 24;
    const fit = { eles: boxes, padding };
    const settle = () => {
      if (graph.zoom() > 1.1) graph.zoom({ level: 1.1, renderedPosition: { x: board.clientWidth / 2, y: board.clientHeight / 2 } });
      const least = narrow ? 0.8 : 0.6;
      if (graph.zoom() < least) {
        graph.zoom(least);
        graph.center(graph.getElementById(chosen));
      }
    };
    if (calm.matches) {
      graph.fit(boxes, padding);
      settle();
    } else {
      graph.stop();
      graph.animate({ fit, duration: 250, complete: settle });
    }
  };

  // ------------------------------------------------------------ walking

  const way = (number) => {
    const steps = [];
    for (let at = number; at; at = known.get(at).parent) steps.unshift(at);
    return steps;
  };

  const tell = (number) => {
    const one = known.get(number);
    const heading = element("h2", "");
    heading.append(element("a", named(number), { class: "rule", href: address(number) }));
    if (one.heading && !number.startsWith("glossary:")) heading.append(` ${one.heading}`);
    const parts = [heading];
    const steps = way(number);
    if (steps.length > 1) {
      const line = element("p", "The way here: ", { class: "small" });
      steps.forEach((step, index) => {
        if (index) line.append(known.get(step).column > known.get(steps[index - 1]).column ? " → " : " ← ");
        line.append(element("a", named(step), { class: "rule", href: address(step, "graph") }));
      });
      parts.push(line);
    }
    for (const [side, word] of [["cites", "Cites"], ["citedBy", "Cited by"]]) {
      if (one[side] === null) continue;
      const line = element("p", `${word} `, { class: "small" });
      one[side].slice(0, 60).forEach((end, index) => {
        if (index) line.append(", ");
        line.append(element("a", named(end.number), { class: "rule", href: address(end.number, "graph"), "data-walk": end.number }));
      });
      if (!one[side].length) line.append("nothing");
      if (one[side].length > 60) line.append(` and ${one[side].length - 60} more`);
      parts.push(line);
    }
    told.replaceChildren(...parts);
  };

  const choose = (number) => {
    chosen = number;
    graph.batch(() => {
      graph.elements().removeClass("chosen way");
      graph.getElementById(number).addClass("chosen");
      const steps = way(number);
      steps.slice(1).forEach((step, index) => {
        graph.getElementById(`${steps[index]} > ${step}`).addClass("way");
        graph.getElementById(`${step} > ${steps[index]}`).addClass("way");
      });
    });
    tell(number);
  };

  const adopt = (number, side, ends) => {
    const step = side === "cites" ? 1 : -1;
    for (const end of ends) {
      if (!known.has(end.number)) {
        known.set(end.number, { heading: end.heading, column: known.get(number).column + step, parent: number, cites: null, citedBy: null, shown: {} });
      }
    }
  };

  const expand = async (number) => {
    const one = known.get(number);
    if (one.cites === null) {
      board.setAttribute("aria-busy", "true");
      try {
        const [cites, citedBy] = await Promise.all([fetched(number, false), fetched(number, true)]);
        one.cites = cites;
        one.citedBy = citedBy;
      } catch (error) {
        told.replaceChildren(element("p", error.message, { class: "notice" }));
        return;
      } finally {
        board.removeAttribute("aria-busy");
      }
    }
    for (const side of ["cites", "citedBy"]) adopt(number, side, shownOf(number, side));
    draw();
    choose(number);
    show(graph.getElementById(number).closedNeighborhood());
  };

  const reveal = (number, side) => {
    const one = known.get(number);
    one.shown[side] = (one.shown[side] || SHOWN) + SHOWN;
    expand(number);
  };

  const press = (node) => {
    if (node.hasClass("more")) return reveal(node.data("of"), node.data("side"));
    if (node.id() === chosen && known.get(chosen).cites !== null) return window.location.assign(address(chosen));
    return expand(node.id());
  };

  // A link of the list under the graph walks in the graph; opened in another tab, it is a page of its own.
  const step = (number, from) => {
    if (!known.has(number)) {
      for (const side of ["cites", "citedBy"]) adopt(from, side, known.get(from)[side].filter((end) => end.number === number));
      const right = known.get(from).cites.some((end) => end.number === number);
      const [source, target] = right ? [from, number] : [number, from];
      draw();
      if (graph.getElementById(`${source} > ${target}`).empty()) graph.add({ data: { id: `${source} > ${target}`, source, target, kind: "" } });
    }
    expand(number);
  };

  graph.on("tap", "node", (event) => press(event.target));
  graph.on("mouseover", "node", () => board.classList.add("over"));
  graph.on("mouseout", "node", () => board.classList.remove("over"));
  told.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-walk]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    step(link.dataset.walk, chosen);
    board.focus({ preventScroll: true });
  });

  // ------------------------------------------------------------ by keyboard

  let pointed = start;
  const nearest = (dx, dy) => {
    const from = graph.getElementById(pointed).position();
    let best = null, least = Infinity;
    graph.nodes().forEach((node) => {
      const x = node.position().x - from.x, y = node.position().y - from.y;
      const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead > 1 && (dy === 0 || aside < 1) && ahead + aside * 2 < least) {
        least = ahead + aside * 2;
        best = node;
      }
    });
    return best;
  };
  const MOVES = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const point = (node) => {
    pointed = node.id();
    if (node.hasClass("more")) {
      graph.elements().removeClass("chosen");
      node.addClass("chosen");
      told.replaceChildren(element("p", `${node.data("label")}, Enter shows them`));
    } else choose(pointed);
    if (!node.renderedBoundingBox || !inside(node)) graph.center(node);
  };
  const inside = (node) => {
    const box = node.renderedBoundingBox();
    return box.x1 > 0 && box.y1 > 0 && box.x2 < board.clientWidth && box.y2 < board.clientHeight;
  };
  board.addEventListener("focus", () => { if (graph.getElementById(pointed).empty()) pointed = chosen; });
  board.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (graph.getElementById(pointed).empty()) pointed = chosen;
    const move = MOVES[event.key];
    if (move) {
      const node = nearest(...move);
      if (node) point(node);
    } else if (event.key === "Enter" || event.key === " ") {
      const node = graph.getElementById(pointed);
      if (node.hasClass("more")) reveal(node.data("of"), node.data("side"));
      else expand(pointed);
    } else if (event.key.toLowerCase() === "o" && known.has(pointed)) window.location.assign(address(pointed));
    else if (event.key === "+" || event.key === "-" || event.key === "−") graph.zoom({ level: graph.zoom() * (event.key === "+" ? 1.25 : 0.8), renderedPosition: { x: board.clientWidth / 2, y: board.clientHeight / 2 } });
    else if (event.key === "0") graph.fit(undefined, 24);
    else return;
    event.preventDefault();
  });

  draw();
  expand(start);
})();
