// Makes elements. Whatever is shown goes in as text: there is no way from here to markup.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const SVG = "http://www.w3.org/2000/svg";

  function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) {
        made.setAttribute(name, "");
      } else if (value !== false && value !== null && value !== undefined) {
        made.setAttribute(name, String(value));
      }
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  }

  /** An element with attributes (true stands bare, false and null stay away) and children, texts or elements. */
  viewer.element = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

  /** The same in SVG. */
  viewer.drawn = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  /** A button whose press does `act`. */
  viewer.button = (attributes, act, ...children) => {
    const made = viewer.element("button", { type: "button", ...attributes }, ...children);
    made.addEventListener("click", act);
    return made;
  };

  /** The element of the page's skeleton with that `data-viewer` name. */
  viewer.part = (name) => document.querySelector('[data-viewer="' + name + '"]');

  /** Rows of cells as a table with a caption; each row's first cell heads it, from column `numbers` on are numbers. */
  viewer.table = (caption, heads, rows, numbers) => {
    const side = (column) => (column >= numbers ? "num" : null);
    const head = heads.map((text, column) => viewer.element("th", { scope: "col", class: side(column) }, text));
    const lines = rows.map((cells) =>
      viewer.element(
        "tr",
        {},
        cells.map((cell, column) =>
          viewer.element(column ? "td" : "th", { scope: column ? null : "row", class: side(column) }, cell)
        )
      )
    );
    const whole = viewer.element(
      "table",
      { class: "data" },
      viewer.element("caption", {}, caption),
      viewer.element("thead", {}, viewer.element("tr", {}, head)),
      viewer.element("tbody", {}, lines)
    );
    return viewer.element("div", { class: "region", role: "region", tabindex: 0, "aria-label": caption }, whole);
  };

  /** A list of names and what they stand for; pairs without a value are left out. */
  viewer.definitions = (pairs) =>
    viewer.element(
      "dl",
      { class: "facts" },
      pairs
        .filter(([, value]) => value !== "" && value !== null && value !== undefined)
        .map(([name, value]) => [viewer.element("dt", {}, name), viewer.element("dd", {}, value)])
        .flat()
    );
})();
