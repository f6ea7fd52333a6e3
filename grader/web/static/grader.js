// Everything here is a convenience: each page works without it.
"use strict";

// How far a submission is: asked again and again until it is over, then the page is loaded with the report.
const box = document.querySelector("[data-progress]");

async function follow(tag) {
  let next = tag, wait = 4000;
  try {
    const answer = await fetch(box.dataset.progress, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
    wait = Number(answer.headers.get("X-Again")) || wait;
    if (answer.status === 200) {
      next = answer.headers.get("ETag");
      const html = await answer.text();
      if (html !== box.innerHTML) box.innerHTML = html;  // our own template, escaped on the server
      if (answer.headers.get("X-Over") === "yes") return location.reload();
    }
  } catch {
    // The server is away for a moment: asked again, less often.
  }
  setTimeout(() => follow(next), wait);
}

if (box) setTimeout(() => follow(""), 400);

// A file that is dropped is as if it were chosen.
for (const drop of document.querySelectorAll("[data-drop]")) {
  const input = drop.querySelector("input[type=file]");
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
  });
}

// Tab indents in the editor; Escape gives Tab back to the keyboard's way through the page.
for (const editor of document.querySelectorAll("[data-editor]")) {
  let indents = true;
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Escape") indents = false;
    if (event.key !== "Tab" || event.shiftKey || !indents) return;
    event.preventDefault();
    editor.setRangeText("    ", editor.selectionStart, editor.selectionEnd, "end");
  });
  editor.addEventListener("blur", () => { indents = true; });
}
