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

  function filter() {
    const kinds = byId("rows").value.split(" ").filter(Boolean);
    const columns = names.map((name, i) => i === 0 || matches(name, byId("nodes").value));
    heads.forEach((head, i) => { head.hidden = !columns[i]; });
    let shown = 0;
    rows.forEach((row, r) => {
      const cells = [...row.cells];
      cells.forEach((cell, i) => { cell.hidden = !columns[i]; });
      const wanted = !kinds.length || cells.some((cell, i) => i > 0 && columns[i] && kinds.some((kind) => cell.classList.contains(kind)));
      row.hidden = !(wanted && matches(text[r], byId("workloads").value));
      if (!row.hidden) shown++;
    });
    byId("none").hidden = shown > 0;
    byId("count").textContent = shown + " of " + rows.length + " workloads, " + (columns.filter(Boolean).length - 1) + " of " + (heads.length - 1) + " columns";
    enter();
  }

  // One cell takes part in the order of Tab; the arrow keys move it.
  let current = null;
  function enter(cell) {
    if (!cell && seen(current)) return;
    if (current) current.tabIndex = -1;
    current = cell || [...table.querySelectorAll("tbody td")].find(seen) || null;
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
    part.append(node("h3", title), node("p", v.state + ": " + v.sentence + "."));
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
    const [now, then] = cell.dataset.v.split(" ").map(Number);
    byId("cell").textContent = cell.parentNode.cells[0].textContent;
    byId("where").textContent = "on " + heads[cell.cellIndex].dataset.names;
    const moved = cell.classList.contains("moved");
    byId("list").replaceChildren(...(moved ? [verdict("As it stands", verdicts[now]), verdict("Once the edits are made", verdicts[then])] : [verdict("", verdicts[then])]));
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
