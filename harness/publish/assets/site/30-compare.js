// Tells in a sentence what two bots of the head-to-head table came to: by two lists, or by a press on a cell.
(() => {
  "use strict";

  const table = document.getElementById("pairs");
  const first = document.getElementById("first");
  const second = document.getElementById("second");
  if (!table || !first) return;
  const answer = document.getElementById("answer");
  const whole = answer.textContent;

  const compare = () => {
    const [row, column] = [first.selectedIndex, second.selectedIndex];
    const cell = table.tBodies[0].rows[row].cells[column + 1];
    table.querySelector(".chosen")?.classList.remove("chosen");
    const { games, wins, ties, low, high } = cell.dataset;
    if (!games) {
      answer.textContent = row === column ? whole : `${first.value} and ${second.value} shared no game.`;
      return;
    }
    cell.classList.add("chosen");
    const share = (100 * (Number(wins) + ties / 2)) / games;
    answer.textContent =
      `${first.value} finished before ${second.value} in ${share.toFixed(1)} % of ${games} games ` +
      `(95 % interval ${low} to ${high} %): ${wins} won, ${ties} tied, ${games - wins - ties} lost.`;
  };

  first.addEventListener("change", compare);
  second.addEventListener("change", compare);
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("tbody td");
    if (!cell) return;
    first.selectedIndex = cell.parentNode.rowIndex - 1;
    second.selectedIndex = cell.cellIndex - 1;
    compare();
  });
})();
