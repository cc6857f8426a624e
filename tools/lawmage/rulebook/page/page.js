// The graph around one rule: at the left (above, on narrow screens) what refers to it, at the right (below) what it refers to.
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const STYLES = { "cites": "cites", "exception to": "exception", "defined by": "defined", "see also": "see" };
const HEIGHT = 42, GAP = 12, BETWEEN = 84, GUTTER = 36; // of boxes
const FIRST = 12, MANY = 40; // how many boxes a level shows at first; from how many arrows on only the leading ones are shown
const NARROW = matchMedia("(max-width: 760px)");
const state = { start: null, depth: data.depth, kinds: new Set(data.kinds), whole: new Set(), boxes: [], width: 184, x: 0, y: 0, scale: 1 };

// ---------------------------------------------------------------- the release

const places = data.places.map(([number, heading, parent, kind], index) => ({ index, number, heading, parent, kind, children: [], from: [], to: [] }));
for (const place of places) if (place.parent >= 0) places[place.parent].children.push(place);
for (const edge of data.edges.map(([source, target, kind]) => ({ source: places[source], target: places[target], kind: data.kinds[kind] }))) {
  edge.source.from.push(edge);
  edge.target.to.push(edge);
}
const within = (place) => [place, ...place.children.flatMap(within)];
const above = (place) => (place ? [place, ...above(places[place.parent])] : []);
const isEntry = (place) => place.kind === "glossary entry";
const name = (place) => (isEntry(place) ? `${place.heading} (glossary)` : `${place.number} ${place.heading}`.trim());
const text = (place) => (data.texts[place.number] || [""])[0];
const href = (place) => `#${encodeURIComponent(place.number)}`;
const byHref = new Map(places.map((place) => [href(place), place])), first = places.find((place) => place.number === data.start);

/** What a place depends on, or what depends on it, in so many steps (as lawmage.rulebook.graph.dependencies): place -> steps. */
function reach(start, reverse) {
  const steps = new Map(), followed = new Set();
  let frontier = [start];
  for (let step = 1; step <= state.depth && frontier.length; step++) {
    const next = new Set();
    for (const part of frontier.flatMap(reverse && step > 1 ? above : within)) {
      if (followed.has(part)) continue;
      followed.add(part);
      for (const edge of reverse ? part.to : part.from) {
        const other = reverse ? edge.source : edge.target;
        if (state.kinds.has(edge.kind) && other !== start && !steps.has(other)) next.add(other);
      }
    }
    for (const place of next) steps.set(place, step);
    frontier = [...next];
  }
  return steps;
}

// ---------------------------------------------------------------- where everything goes

/** Levels with their places, in order: 0 is the start, negative ones lead to it, it leads to positive ones. */
function levels() {
  const found = new Map([[state.start, 0], ...reach(state.start, false)]), columns = new Map();
  for (const [place, step] of reach(state.start, true)) if (!found.has(place) || step < found.get(place)) found.set(place, -step);
  for (const [place, level] of found) columns.set(level, [...(columns.get(level) || []), place]);
  return [...columns].sort(([a], [b]) => a - b).map(([level, members]) => [level, members.sort((a, b) => a.index - b.index)]);
}
/** Boxes, which hold a place or all that a level doesn't show yet. Levels are columns; on narrow screens, rows of two. */
function layout() {
  const boxes = [], narrow = NARROW.matches, width = narrow ? Math.min(184, ($("drawing").clientWidth - GUTTER - 24) / 2) : 184;
  let offset = 0;
  for (const [level, members] of levels()) {
    const most = state.whole.has(level) || members.length <= FIRST ? members.length : FIRST - 1;
    const cells = members.slice(0, most).map((place) => ({ place, level, holds: [place] }));
    if (most < members.length) cells.push({ level, holds: members.slice(most) });
    const side = cells.length > 1 ? (width + GUTTER) / 2 : 0;
    cells.forEach((cell, index) => {
      if (narrow) boxes.push({ ...cell, x: index % 2 ? side : -side, y: offset + Math.floor(index / 2) * (HEIGHT + GAP) });
      else boxes.push({ ...cell, x: offset, y: (index - (cells.length - 1) / 2) * (HEIGHT + GAP) });
    });
    offset += narrow ? Math.ceil(cells.length / 2) * (HEIGHT + GAP) + 24 : width + BETWEEN;
  }
  const start = boxes.find((box) => box.place === state.start);
  Object.assign(state, { width, boxes: boxes.map((box) => ({ ...box, x: box.x - start.x, y: box.y - start.y })) });
}
// A reference from something inside shown places is one of the nearest to the start; a reference to it leads to the innermost. Before
// the start, a reference to something that a shown place is in leads to that place.
/** The arrows between boxes. */
function arrows() {
  const boxes = state.boxes, boxOf = new Map(boxes.flatMap((box) => box.holds.map((place) => [place, box])));
  const shown = (place) => above(place).filter((part) => boxOf.has(part));
  const speaker = (place) => shown(place).sort((a, b) => Math.abs(boxOf.get(a).level) - Math.abs(boxOf.get(b).level))[0];
  const found = new Map(), beside = new Map(), reached = new Set();
  for (const [place, from] of boxOf)
    for (const edge of within(place).filter((part) => speaker(part) === place).flatMap((part) => part.from)) {
      if (!state.kinds.has(edge.kind)) continue;
      const next = (box) => box && box.level === from.level + 1, to = boxOf.get(shown(edge.target)[0]);
      const inside = from.level < 0 && !next(to) ? within(edge.target).map((part) => boxOf.get(part)).filter(next) : [];
      for (const end of inside.length ? inside : to && to !== from ? [to] : []) {
        const key = `${boxes.indexOf(from)} ${boxes.indexOf(end)} ${edge.kind}`;
        found.set(key, { from, to: end, kind: edge.kind, edges: [...(found.get(key)?.edges || []), edge] });
      }
    }
  for (const arrow of found.values()) {
    const [near, far] = [arrow.from, arrow.to].sort((a, b) => Math.abs(a.level) - Math.abs(b.level));
    Object.assign(arrow, { near, far, side: arrow.to.level !== arrow.from.level + 1 || (!far.place && near.place !== state.start) });
    if (!arrow.side && near.place) reached.add(far);
    const pair = [boxes.indexOf(near), boxes.indexOf(far)].sort().join(" ");
    beside.set(pair, [...(beside.get(pair) || []), arrow]);
  }
  for (const arrow of found.values()) if (!arrow.near.place && reached.has(arrow.far)) arrow.side = true;
  for (const group of beside.values()) group.forEach((arrow, index) => { arrow.shift = (index - (group.length - 1) / 2) * 9; });
  return [...found.values()];
}
/** Between columns: a curve from side to side, which bows around the columns that it passes. */
function across({ from, to, shift }) {
  const way = Math.sign(to.x - from.x), half = state.width / 2; // 0: in one column
  const x = from.x + half * (way || 1), end = to.x - (half + 3) * (way || -1), y = from.y + shift, last = to.y + shift;
  const bend = way ? Math.max(30, Math.abs(end - x) / 2) * way : 60;
  const bow = Math.abs(to.level - from.level) > 1 ? (from.y + to.y > 0 ? 1.8 : -1.8) * HEIGHT : 0;
  return `M${x} ${y}C${x + bend} ${y + bow} ${end - (way ? bend : -bend)} ${last + bow} ${end} ${last}`;
}
/** On narrow screens: along the gutter in the middle, or around the boxes that stand in it. */
function along({ from, to, shift }) {
  const down = to.y >= from.y ? 1 : -1, half = state.width / 2, round = 14 * down;
  const trunk = shift + (Math.abs(to.level - from.level) > 1 ? half + 10 : 0);
  const end = (box, way, gap) => (box.x ? [box.x - Math.sign(box.x) * (half + gap), box.y + shift] : [shift, box.y + way * (HEIGHT / 2 + gap)]);
  const [x, y] = end(from, down, 0), [toX, toY] = end(to, -down, 3);
  return from.x && to.x && y === toY ? `M${x} ${y}L${toX} ${toY}`
    : `M${x} ${y}Q${trunk} ${y} ${trunk} ${y + round}L${trunk} ${toY - round}Q${trunk} ${toY} ${toX} ${toY}`;
}

// ---------------------------------------------------------------- drawing

function make(parent, tag, attributes = {}, content = "") {
  const svg = tag === "svg" || parent.namespaceURI === "http://www.w3.org/2000/svg";
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = content;
  parent.append(element);
  return element;
}
const short = (words, most) => (words.length > most ? `${words.slice(0, most - 1).trimEnd()}…` : words);
/** The two lines of a box. */
function lines(place) {
  if (isEntry(place)) return [place.heading, "glossary"];
  const titled = above(place).find((part) => part.heading);
  return [place.number, place.heading || text(place).split("\n")[0] || (titled ? `in ${titled.heading}` : "")];
}
function drawBox(box) {
  const { place, holds, x, y } = box, room = state.width - 12;
  const look = !place ? "more" : place === state.start ? "start" : "";
  const node = make($("nodes"), "a", { href: place ? href(place) : location.hash || "#", class: `node ${look}`, transform: `translate(${x} ${y})` });
  make(node, "rect", { x: -state.width / 2, y: -HEIGHT / 2, width: state.width, height: HEIGHT, rx: 5 });
  make(node, "title", {}, holds.map(name).join("\n"));
  const [first, second] = place ? lines(place) : [`${holds.length} more`, "show them"];
  make(node, "text", { class: "number", "text-anchor": "middle", y: second ? -3 : 5 }, short(first, Math.floor(room / 7.4)));
  make(node, "text", { class: "second", "text-anchor": "middle", y: 13 }, short(second, Math.floor(room / 6.3)));
  if (!place) node.addEventListener("click", (event) => { event.preventDefault(); state.whole.add(box.level); draw(); });
  for (const kind of ["mouseenter", "focus"]) node.addEventListener(kind, () => light(box));
  for (const kind of ["mouseleave", "blur"]) node.addEventListener(kind, () => light(null));
}
function drawArrow(arrow) {
  const { from, to, kind, edges, side } = arrow, style = STYLES[kind];
  const path = make($("edges"), "path", { class: `edge ${style} ${side ? "side" : ""}`, d: (NARROW.matches ? along : across)(arrow), "marker-end": `url(#${style})` });
  make(path, "title", {}, edges.map((edge) => `${name(edge.source)} ${kind} ${name(edge.target)}`).join("\n"));
  path.ends = [from, to];
}
function light(box) {
  $("edges").classList.toggle("some", box !== null);
  for (const path of $("edges").children) path.classList.toggle("lit", path.ends.includes(box));
}
function draw() {
  layout();
  const found = arrows();
  for (const id of ["edges", "nodes"]) $(id).replaceChildren();
  $("edges").classList.toggle("many", found.length > MANY);
  found.forEach(drawArrow);
  state.boxes.forEach(drawBox);
  fit();
}
function move(x, y) {
  [state.x, state.y] = [x, y];
  $("view").setAttribute("transform", `translate(${x} ${y}) scale(${state.scale})`);
}
/** Show everything, unless it would be too small to read; then the start in the middle. */
function fit() {
  const { clientWidth: width, clientHeight: height } = $("drawing"), margin = 16;
  const side = (axis, half) => [Math.min(...state.boxes.map((box) => box[axis])) - half, Math.max(...state.boxes.map((box) => box[axis])) + half];
  const [left, right] = side("x", state.width / 2 + margin), [top, bottom] = side("y", HEIGHT / 2 + margin);
  state.scale = Math.min(1.25, Math.max(0.72, Math.min(width / (right - left), NARROW.matches ? 1 : height / (bottom - top))));
  const middle = (low, high, size) => (size - ((high - low) * state.scale <= size + 1 ? state.scale * (low + high) : 0)) / 2;
  move(middle(left, right, width), middle(top, bottom, height));
}
function zoom(factor, x = $("drawing").clientWidth / 2, y = $("drawing").clientHeight / 2) {
  const before = state.scale;
  state.scale = Math.min(4, Math.max(0.1, before * factor));
  move(x - ((x - state.x) * state.scale) / before, y - ((y - state.y) * state.scale) / before);
}

// ---------------------------------------------------------------- the rule in words

function list(title, items) {
  const details = make($("rule"), "details"), plain = ![...items].some(([other, words]) => words || other.heading);
  details.open = items.size <= MANY;
  make(details, "summary", {}, `${title} (${items.size})`);
  const ul = make(details, "ul", plain ? { class: "numbers" } : {});
  for (const [other, words] of [...items].sort(([a], [b]) => a.index - b.index)) {
    const item = make(ul, "li");
    make(item, "a", { href: href(other) }, name(other));
    make(item, "span", { class: "soft" }, ` ${words}`);
  }
}
function references(reverse) {
  const found = new Map();
  for (const part of within(state.start))
    for (const edge of reverse ? part.to : part.from) {
      const other = reverse ? edge.source : edge.target, via = part === state.start ? "" : ` ${reverse ? "to" : "in"} ${part.number}`;
      found.set(other, new Set([...(found.get(other) || []), edge.kind + via]));
    }
  return new Map([...found].map(([other, words]) => [other, [...words].join("; ")]));
}
function tell() {
  const start = state.start, rule = $("rule"), [words, examples] = data.texts[start.number] || ["", []];
  rule.replaceChildren();
  const path = make(rule, "nav", { "aria-label": "Above it", class: "soft" });
  for (const part of above(start).slice(1).reverse()) make(path, "a", { href: href(part) }, name(part)).after(" › ");
  make(rule, "h2", { tabindex: -1 }, name(start));
  for (const paragraph of [words, ...examples.map((example) => `Example: ${example}`)]) if (paragraph) make(rule, "p", {}, paragraph);
  if (start.children.length) list("Under it", new Map(start.children.map((child) => [child, child.heading ? "" : text(child)])));
  list("Refers to", references(false));
  list("Referred to by", references(true));
  const only = data.installed ? `This page holds the texts around ${data.start} only.` : "This page holds no rules text.";
  if (!within(start).some(text)) make(rule, "p", { class: "soft" }, only);
}

// ---------------------------------------------------------------- what a person does

function go() {
  const inDrawing = $("drawing").contains(document.activeElement), again = state.start !== null;
  state.start = byHref.get(location.hash) || first;
  state.whole.clear();
  document.title = `${name(state.start)} – Magic rules graph`;
  draw();
  tell();
  if (again) document.querySelector(inDrawing ? ".start" : "#rule h2").focus({ preventScroll: true });
}
function rank(place, words) {
  const heading = place.heading.toLowerCase(), at = heading.indexOf(words);
  return place.number === words ? 0 : heading === words ? 1 : place.number.startsWith(words) ? 2 : at === 0 ? 3 : at > 0 ? 4 : 5;
}
function search() {
  const words = $("words").value.trim().toLowerCase().replace(/\.$/, ""), results = $("results");
  const hits = places.map((place) => [rank(place, words), place]).filter(([value]) => value < 5).sort(([a, b], [c, d]) => a - c || b.index - d.index);
  results.replaceChildren();
  results.hidden = !words;
  for (const [, place] of hits.slice(0, 30)) make(make(results, "li"), "a", { href: href(place) }, name(place));
  if (!hits.length) make(results, "li", { class: "soft" }, "Nothing has this number or title.");
}
const close = () => { $("words").value = ""; search(); };
const listen = (id, ...how) => $(id).addEventListener(...how);
listen("words", "input", search);
listen("results", "click", close);
listen("search", "submit", (event) => { event.preventDefault(); $("results").querySelector("a")?.click(); });
listen("search", "keydown", (event) => {
  const stops = [$("words"), ...$("results").querySelectorAll("a")], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") { close(); $("words").focus(); }
  if (step) { event.preventDefault(); stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus(); }
});
listen("skip", "click", (event) => { event.preventDefault(); document.querySelector("#rule h2").focus(); });
listen("depth", "change", () => { state.depth = Number($("depth").value); draw(); });
const nearer = () => zoom(1.3), farther = () => zoom(1 / 1.3);
for (const [id, action] of [["in", nearer], ["out", farther], ["fit", fit]]) listen(id, "click", action);
const keys = { "+": nearer, "=": nearer, "-": farther, "0": fit, "/": () => $("words").focus() };
const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = $("drawing").contains(event.target) && moves[event.key], action = keys[event.key];
  if (action || step) event.preventDefault();
  if (action) action();
  else if (step) move(state.x + step[0], state.y + step[1]);
});
const pointers = new Map();
const place = (event) => [event.clientX - $("drawing").getBoundingClientRect().left, event.clientY - $("drawing").getBoundingClientRect().top];
listen("drawing", "pointerdown", (event) => {
  if (event.target.closest(".node")) return;
  pointers.set(event.pointerId, place(event));
  $("drawing").setPointerCapture(event.pointerId);
});
listen("drawing", "pointermove", (event) => {
  const before = pointers.get(event.pointerId), now = place(event), other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  if (!before) return;
  if (other) zoom(Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.hypot(before[0] - other[0], before[1] - other[1]), ...now);
  else move(state.x + now[0] - before[0], state.y + now[1] - before[1]);
  pointers.set(event.pointerId, now);
});
for (const kind of ["pointerup", "pointercancel"]) listen("drawing", kind, (event) => pointers.delete(event.pointerId));
listen("drawing", "wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 500), ...place(event)); }, { passive: false });

for (const kind of data.kinds) {
  const style = STYLES[kind], label = make($("kinds"), "label"), box = make(label, "input", { type: "checkbox" });
  const size = { viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" };
  make(make($("markers"), "marker", { id: style, ...size }), "path", { d: "M0 0L10 5L0 10z", class: `head ${style}` });
  make(make(label, "svg", { "aria-hidden": "true" }), "path", { class: `edge ${style}`, d: "M0 6H30", "marker-end": `url(#${style})` });
  label.append(kind);
  box.checked = true;
  box.addEventListener("change", () => { state.kinds[box.checked ? "add" : "delete"](kind); draw(); });
}
for (let steps = 1; steps <= Math.max(3, data.depth); steps++) make($("depth"), "option", {}, steps);
$("depth").value = data.depth;
addEventListener("hashchange", go);
addEventListener("resize", draw);
go();
