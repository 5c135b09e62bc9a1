// Finds bots of the ladder by their cell and by division; the address keeps it.
(() => {
  "use strict";

  const field = document.getElementById("q");
  if (!field) return;
  const division = document.getElementById("d");
  const status = document.getElementById("found");
  const whole = status.textContent;
  const rows = [...document.querySelectorAll("#ladder tbody tr")];
  const address = new URL(location.href);

  const search = () => {
    const text = field.value.trim().toLowerCase();
    const wanted = division?.value;
    let shown = 0;
    for (const row of rows) {
      const bot = row.querySelector("th").textContent.toLowerCase();
      row.hidden = !bot.includes(text) || (wanted && row.dataset.division !== wanted);
      shown += !row.hidden;
    }
    status.textContent = text || wanted ? `${shown} of ${rows.length} shown` : whole;
  };

  for (const input of [field, division]) {
    if (!input) continue;
    input.value = address.searchParams.get(input.id) || "";
    input.addEventListener("input", () => {
      search();
      if (input.value) address.searchParams.set(input.id, input.value);
      else address.searchParams.delete(input.id);
      history.replaceState(null, "", address);
    });
  }
  search();
})();
