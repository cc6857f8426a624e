// A file may be dropped anywhere on the form of the list; it is then sent as if it had been chosen.
(() => {
  "use strict";
  const form = (event) => event.target.closest && event.target.closest("#deck");
  const brings = (event) => [...(event.dataTransfer ? event.dataTransfer.types : [])].includes("Files");
  const mark = (on) => document.querySelectorAll(".drop").forEach((place) => place.classList.toggle("over", on));

  document.addEventListener("dragover", (event) => {
    const over = form(event) && brings(event);
    mark(!!over);
    if (over) event.preventDefault();
  });
  document.addEventListener("dragleave", () => mark(false));
  document.addEventListener("drop", (event) => {
    const onto = form(event);
    mark(false);
    if (!onto || !brings(event)) return;
    event.preventDefault();
    const field = onto.querySelector("input[type=file]");
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
