// Draws who blocks what as lines between the cards, lets one draw blocks with a finger, and copies the link.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const table = () => document.getElementById("table");

  const middle = (element, inside, edge) => {
    const box = element.getBoundingClientRect(), base = inside.getBoundingClientRect();
    return { x: box.left + box.width / 2 - base.left, y: box[edge] - base.top };
  };

  // From the edge that faces the other card; a curve, so that lines that cross can be told apart.
  const curve = (from, to) => {
    const bend = Math.max(24, Math.abs(to.y - from.y) / 2) * Math.sign(to.y - from.y || -1);
    return `M${from.x},${from.y} C${from.x},${from.y + bend} ${to.x},${to.y - bend} ${to.x},${to.y}`;
  };

  const between = (start, end, inside) => {
    const up = start.getBoundingClientRect().top > end.getBoundingClientRect().top;
    return { from: middle(start, inside, up ? "top" : "bottom"), to: middle(end, inside, up ? "bottom" : "top") };
  };

  const path = (kind, shape) => {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("class", kind);
    line.setAttribute("d", shape);
    return line;
  };

  // Lines that meet at a card end beside each other, in the order of where they come from.
  const spread = (lines, card, near, far) => {
    for (const id of new Set(lines.map((line) => line[card]))) {
      const group = lines.filter((line) => line[card] === id).sort((a, b) => a[far].x - b[far].x);
      const step = Math.min(12, document.getElementById(id).offsetWidth / (group.length + 1));
      group.forEach((line, index) => { line[near].x += (index - (group.length - 1) / 2) * step; });
    }
  };

  const draw = () => {
    const inside = table();
    if (!inside) return;
    let picture = inside.querySelector("svg.lines");
    if (!picture) {
      picture = document.createElementNS(SVG, "svg");
      picture.setAttribute("class", "lines");
      picture.setAttribute("aria-hidden", "true");
      inside.append(picture);
    }
    const lines = [...inside.querySelectorAll("[data-from]")]
      .filter((one) => (one.type !== "checkbox" || one.checked) && document.getElementById(one.dataset.from) && document.getElementById(one.dataset.to))
      .map(({ dataset: { from: start, to: end, kind = "now" } }) => ({
        start, end, kind, ...between(document.getElementById(start), document.getElementById(end), inside),
      }));
    spread(lines, "end", "to", "from");
    spread(lines, "start", "from", "to");
    picture.replaceChildren(...lines.map((line) => path(line.kind, curve(line.from, line.to))));
  };

  // A handle on each creature that may block: drag it to an attacker.
  const grips = () => {
    const inside = table();
    if (!inside) return;
    for (const card of inside.querySelectorAll(".card:has(input[data-to])")) {
      const grip = document.createElement("button");
      grip.type = "button";
      grip.className = "grip";
      grip.tabIndex = -1;
      grip.setAttribute("aria-hidden", "true");
      grip.textContent = "↑";
      grip.title = "Drag to the attacker that it blocks";
      grip.addEventListener("pointerdown", (event) => drag(event, card, grip));
      card.prepend(grip);
    }
  };

  const drag = (event, card, grip) => {
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    const inside = table(), picture = inside.querySelector("svg.lines");
    const boxes = new Map([...card.querySelectorAll("input[data-to]")].map((box) => [box.dataset.to, box]));
    const line = path("drawing", "");
    picture.append(line);
    let over = null;
    const move = (moved) => {
      const base = inside.getBoundingClientRect();
      line.setAttribute("d", curve(middle(card, inside, "top"), { x: moved.clientX - base.left, y: moved.clientY - base.top }));
      const found = document.elementsFromPoint(moved.clientX, moved.clientY).map((one) => one.closest(".card")).find((one) => one && boxes.has(one.id));
      if (over !== found) {
        if (over) over.classList.remove("target");
        if (found) found.classList.add("target");
        over = found || null;
      }
    };
    const end = (ended) => {
      grip.removeEventListener("pointermove", move);
      grip.removeEventListener("pointerup", end);
      grip.removeEventListener("pointercancel", end);
      line.remove();
      if (!over) return;
      over.classList.remove("target");
      if (ended.type !== "pointerup") return;
      for (const [id, box] of boxes) if (id !== over.id) box.checked = false;
      boxes.get(over.id).click();
    };
    grip.addEventListener("pointermove", move);
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
  };

  // Enter in a field of a group presses the group's own button, not the first one of the form.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.defaultPrevented) return;
    const group = event.target.closest("[data-enter]");
    const button = group && document.getElementById(group.dataset.enter);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    const said = () => { button.textContent = "Copied"; };
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(said, () => field.select());
    else field.select();
  });

  // A verdict that changes while the focus stays elsewhere is said aloud.
  const tell = () => {
    const verdict = document.getElementById("verdict-is");
    const words = verdict && verdict !== document.activeElement ? verdict.textContent.trim().replace(/\s+/g, " ") : "";
    const status = document.getElementById("status");
    if (status.textContent !== words) status.textContent = words;
  };

  const start = () => {
    grips();
    tell();
    draw();
    document.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = false; });
  };
  document.addEventListener("change", draw);
  document.addEventListener("toggle", draw, true);
  document.addEventListener("htmx:afterSettle", start);
  window.addEventListener("resize", draw);
  start();
})();
