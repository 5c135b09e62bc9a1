// Finds bots that stand on other pages of the ladder, by the file of all names. It is there where there are such pages.
(() => {
  "use strict";

  const MOST = 20;
  const list = document.getElementById("elsewhere");
  if (!list) return;
  const field = document.getElementById("q");
  const here = new Set(Array.from(document.querySelectorAll("#ladder th a"), (link) => link.textContent));

  const item = (bot) => {
    const made = document.createElement("li");
    const link = document.createElement("a");
    link.href = list.dataset.bots.replace(".html", `${bot}.html`);
    link.textContent = bot;
    made.append(link);
    return made;
  };

  const note = (text) => {
    const made = document.createElement("li");
    made.textContent = text;
    return made;
  };

  window.tacora = window.tacora || {};

  /** Called by the file of names, with [id, title and author] of every bot of the season. */
  window.tacora.names = (names) => {
    const others = names.filter(([bot]) => !here.has(bot)).map(([bot, name]) => [bot, `${bot} ${name}`.toLowerCase()]);
    const search = () => {
      const text = field.value.trim().toLowerCase();
      const found = text ? others.filter(([, name]) => name.includes(text)) : [];
      const items = found.slice(0, MOST).map(([bot]) => item(bot));
      if (items.length) items.unshift(note("On other pages:"));
      if (found.length > MOST) items.push(note(`and ${found.length - MOST} more`));
      list.replaceChildren(...items);
    };
    field.addEventListener("input", search);
    search();
  };
})();
