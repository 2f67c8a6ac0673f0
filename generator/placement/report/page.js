"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const verdicts = JSON.parse(byId("verdicts").textContent);
  const table = byId("matrix");
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  const text = rows.map((row) => row.cells[0].textContent.toLowerCase());
  const names = heads.map((head) => (head.dataset.names || "").toLowerCase());
  const seen = (cell) => cell && !cell.hidden && !cell.parentNode.hidden;

  byId("filters").hidden = byId("keys").hidden = false;

  // Every word has to occur.
  const matches = (haystack, needle) => needle.toLowerCase().split(/\s+/).every((word) => haystack.includes(word));

  let columns = names.map(() => true);

  // A large matrix has a million cells: they are only touched when the columns change.
  function filterColumns() {
    const wanted = names.map((name, i) => i === 0 || matches(name, byId("nodes").value));
    const changed = wanted.map((shown, i) => [i, shown]).filter(([i, shown]) => shown !== columns[i]);
    columns = wanted;
    for (const [i, shown] of changed) {
      heads[i].hidden = !shown;
      for (const row of rows) row.cells[i].hidden = !shown;
    }
  }

  function has(row, kinds) {
    return [...row.cells].some((cell, i) => i > 0 && columns[i] && kinds.some((kind) => cell.classList.contains(kind)));
  }

  function filterRows() {
    const kinds = byId("rows").value.split(" ").filter(Boolean);
    let shown = 0;
    rows.forEach((row, r) => {
      row.hidden = !matches(text[r], byId("workloads").value) || kinds.length > 0 && !has(row, kinds);
      if (!row.hidden) shown++;
    });
    byId("none").hidden = shown > 0;
    byId("count").textContent = shown + " of " + rows.length + " workloads, " + (columns.filter(Boolean).length - 1) + " of " + (heads.length - 1) + " columns";
  }

  function filter() {
    filterColumns();
    filterRows();
    enter();
  }

  // One cell takes part in the order of Tab; the arrow keys move it.
  let current = null;
  function enter(cell) {
    if (cell ? cell === current : seen(current)) return; // a cell that loses its tabindex loses the focus
    if (current) current.removeAttribute("tabindex");
    const row = rows.find((row) => !row.hidden);
    current = cell || (row && [...row.cells].find((cell, i) => i > 0 && !cell.hidden)) || null;
    if (current) current.tabIndex = 0;
  }

  function step(cell, down, right) {
    let row = cell.parentNode, column = cell.cellIndex, next = null;
    do {
      column += right;
      if (down) do { row = down > 0 ? row.nextElementSibling : row.previousElementSibling; } while (row && row.hidden);
      next = row && column > 0 ? row.cells[column] : null;
    } while (next && next.hidden);
    return next;
  }

  function node(tag, content, className) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = content || "";
    return made;
  }

  function verdict(title, v) {
    const part = document.createDocumentFragment();
    if (title) part.append(node("h3", title));
    part.append(node("p", v.state + ": " + v.sentence + "."));
    const list = node("ul");
    for (const reason of v.reasons) {
      const item = node("li"), words = node("span", reason.message + " ");
      words.append(node("code", reason.code));
      item.append(node("b", reason.bearing), words);
      if (reason.action) item.append(node("span", "To do: " + reason.action, "do"));
      list.append(item);
    }
    part.append(list);
    return part;
  }

  function open(cell) {
    enter(cell);
    const indices = cell.dataset.v.split(" ").map(Number);
    byId("cell").textContent = cell.parentNode.cells[0].textContent;
    const place = cell.parentNode.cells[0].title;
    byId("where").textContent = "on " + heads[cell.cellIndex].dataset.names + (place && "; stands in " + place);
    const titles = indices.length > 1 ? ["As it stands", "Once the edits are made"] : [""];
    byId("list").replaceChildren(...indices.map((at, i) => verdict(titles[i], verdicts[at])));
    byId("reasons").showModal();
  }

  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (cell) open(cell);
  });
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td");
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(cell);
    } else if (moves[event.key]) {
      event.preventDefault();
      const next = step(cell, ...moves[event.key]);
      if (next) { enter(next); next.focus(); }
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT)$/.test(event.target.tagName) && !byId("reasons").open) {
      event.preventDefault();
      byId("workloads").focus();
    }
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("input", filter);
  filter();
})();
