// Sorts a table by the column of the button pressed; what has no value stays last.
(() => {
  "use strict";

  /** The number that a cell states, or its text. */
  const value = (row, column) => {
    const cell = row.cells[column];
    const stated = cell.dataset.v;
    return stated ? Number(stated) : stated === "" ? null : cell.textContent.toLowerCase();
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".sortable th button");
    if (!button) return;
    const header = button.parentNode;
    const table = header.closest("table");
    const order = { ascending: "descending", descending: "ascending" }[header.ariaSort] || button.dataset.first;
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row) => [value(row, header.cellIndex), row]);
    rows.sort(([a], [b]) => (a === null) - (b === null) || sign * ((a > b) - (a < b)));
    table.querySelector("[aria-sort]")?.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", order);
    table.tBodies[0].append(...rows.map(([, row]) => row));
  });
})();
