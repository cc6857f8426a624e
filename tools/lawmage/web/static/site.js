// What every page shares: errors of requests that htmx makes are said aloud, and focus and open details outlive a swap.
(() => {
  "use strict";
  const notice = () => document.getElementById("notice");

  const say = (sentence) => {
    const box = notice();
    box.textContent = sentence;
    if (sentence) box.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("htmx:beforeRequest", () => say(""));

  // An error is answered with a page whose #problem is the sentence, or with problem details as JSON.
  const sentence = (answer) => {
    if (/json/.test(answer.getResponseHeader("Content-Type"))) return JSON.parse(answer.responseText).detail;
    const found = new DOMParser().parseFromString(answer.responseText, "text/html").getElementById("problem");
    return found && found.textContent.trim();
  };
  document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => say(sentence(xhr) || `The server answered ${xhr.status}.`));
  document.addEventListener("htmx:sendError", () => say("The server does not answer."));
  document.addEventListener("htmx:timeout", () => say("The server took too long to answer."));

  // Details that were open stay open when the page around them is replaced.
  let open = [];
  document.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("details[id][open]")].map((details) => details.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of open) {
      const details = document.getElementById(id);
      if (details) details.open = true;
    }
  });

  // An answer that gets the focus is shown from its beginning, as far as it fits.
  document.addEventListener("htmx:afterSettle", () => {
    const panel = document.activeElement && document.activeElement.id === "verdict-is" && document.activeElement.closest(".panel");
    if (panel && panel.getBoundingClientRect().bottom > window.innerHeight - 80) panel.scrollIntoView({ block: "start" });
  });

  // Whoever pressed something that is gone afterwards goes on at the nearest thing that the page names.
  document.addEventListener("htmx:afterSettle", () => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const next = document.querySelector("[data-focus]");
    if (next) next.focus({ preventScroll: true });
  });

  // A file dropped on a field for files is taken as chosen; a form that says so is sent at once.
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field.matches && field.matches("input[type=file][data-send]") && field.files.length) field.form.requestSubmit();
  });
})();
