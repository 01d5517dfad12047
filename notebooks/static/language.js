/* The link to the other language leads to the section that is being read. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const link = document.querySelector("a.bpelab-language");
  if (!link) return;
  const page = link.getAttribute("href");
  const turn = () => {
    const read = [...document.querySelectorAll("section > span[id]")]
      .filter((mark) => /^s\d+$/.test(mark.id) && mark.getBoundingClientRect().top < 160);
    link.href = page + (read.length > 1 ? `#${read.at(-1).id}` : "");
  };
  for (const event of ["pointerenter", "pointerdown", "focus"]) link.addEventListener(event, turn);
});
