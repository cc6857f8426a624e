// Completion as one types: the combobox of the ARIA authoring practices, with a list that pops up.
// <div class="combobox" data-url="/board/complete?kind=card"><input id="x" name="x"></div>; with data-separator="," the last part is completed.
(() => {
  "use strict";
  const WAIT = 120;
  let box = null; // the combobox whose list is open

  const part = (input, separator) => {
    const end = separator ? input.value.lastIndexOf(separator) + 1 : 0;
    return { before: input.value.slice(0, end), text: input.value.slice(end).trim() };
  };

  const set = (holder) => {
    const input = holder.querySelector("input");
    if (input.getAttribute("role")) return;
    const list = document.createElement("ul");
    list.id = `${input.id}-list`;
    list.className = "listbox";
    list.hidden = true;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", input.labels[0] ? input.labels[0].textContent : "Names");
    holder.append(list);
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", list.id);

    const { url, separator } = holder.dataset;
    let chosen = -1, timer = 0, asked = 0;

    const close = () => {
      clearTimeout(timer);
      asked += 1;
      list.hidden = true;
      chosen = -1;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
      if (box === holder) box = null;
    };
    holder.close = close;

    const mark = (number) => {
      const options = [...list.children];
      chosen = number;
      options.forEach((option, index) => option.setAttribute("aria-selected", String(index === number)));
      if (number < 0) input.removeAttribute("aria-activedescendant");
      else {
        input.setAttribute("aria-activedescendant", options[number].id);
        options[number].scrollIntoView({ block: "nearest" });
      }
    };

    const take = (name) => {
      const { before } = part(input, separator);
      input.value = before ? `${before} ${name}` : name;
      close();
    };

    const show = (names) => {
      const marked = chosen < 0 ? "" : list.children[chosen].textContent;
      list.replaceChildren(...names.map((name, index) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${index}`;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        option.textContent = name;
        option.addEventListener("pointerdown", (event) => event.preventDefault());
        option.addEventListener("click", () => take(name));
        return option;
      }));
      list.hidden = !names.length;
      mark(names.indexOf(marked));
      input.setAttribute("aria-expanded", String(!!names.length));
      box = names.length ? holder : null;
    };

    const ask = () => {
      const { text } = part(input, separator);
      if (text.length < 2) return close();
      const mine = (asked += 1);
      fetch(`${url}&q=${encodeURIComponent(text)}`, { headers: { Accept: "application/json" } })
        .then((answer) => (answer.ok ? answer.json() : { names: [] }))
        .then(({ names }) => {
          if (mine !== asked || document.activeElement !== input) return;
          show(names.length === 1 && names[0].toLowerCase() === text.toLowerCase() ? [] : names);
        })
        .catch(() => {});
    };

    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, WAIT);
    });
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
      const open = !list.hidden, last = list.children.length - 1;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (!open) return event.key === "ArrowDown" ? ask() : undefined;
        const down = event.key === "ArrowDown";
        mark(down ? (chosen >= last ? 0 : chosen + 1) : (chosen <= 0 ? last : chosen - 1));
      } else if (event.key === "Escape" && open) {
        event.preventDefault();
        event.stopPropagation();
        close();
      } else if (event.key === "Enter" && open && chosen >= 0) {
        event.preventDefault();
        event.stopPropagation();
        take(list.children[chosen].textContent);
      } else if (event.key === "Tab" && open && chosen >= 0) {
        take(list.children[chosen].textContent);
      }
    });
  };

  const setAll = () => document.querySelectorAll(".combobox").forEach(set);
  document.addEventListener("htmx:afterSwap", setAll);
  document.addEventListener("htmx:beforeSwap", () => box && box.close());
  setAll();
})();
