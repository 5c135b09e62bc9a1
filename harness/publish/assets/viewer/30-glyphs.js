// Small drawings: hazards, treasure, relic, explorers. A kind of hazard that has none is shown by its initial.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  const flame = "M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-2 2-5 1-9z";
  const stones = "M2 20l2-7 6-1 3 8zM12 15l2-6 6 1 2 10h-8zM7 11l2-6 5-1 1 4-3 4z";
  const snake = "M5 20h9a4 4 0 0 0 0-8h-4a4 4 0 0 1 0-8h6l3 2-3 2M19 6l2-1m-2 1l2 1";
  const spider =
    "M12 9a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z" +
    "M8 11L4 8V4m4 9H2m6 2l-4 2v4m12-10l4-3V4m-4 9h6m-6 2l4 2v4";
  const shapes = {
    spiders: spider,
    spider,
    snakes: snake,
    snake,
    lava: flame,
    fire: flame,
    boulders: stones,
    rocks: stones,
    "cave-in": stones,
    rams: "M9 8c-6-5-8 2-6 6 2 3 6 1 4-2M15 8c6-5 8 2 6 6-2 3-6 1-4-2M9 8h6l1 6-4 7-4-7zM10.5 12v1m3-1v1",
    scorpion:
      "M7 17a4 4 0 1 1 8 0 4 4 0 0 1-8 0z" +
      "M15 15c6-1 6-10 0-11-3 0-4 3-2 4M7 15L3 13l1-4m3 9l-5 2m7 1l-2 2m7-2l2 2m0-5l5 1",
    gas: "M7 18a4 4 0 0 1-1-8 6 6 0 0 1 11-2 5 5 0 0 1 1 10zM8 22h3m3 0h2",
    explosion: "M12 2l2 6 6-4-3 6 6 2-6 2 3 6-6-3-2 6-2-6-6 3 3-6-6-2 6-2-3-6 6 4z",
    mummy: "M12 2a6 6 0 0 1 6 6l-2 14H8L6 8a6 6 0 0 1 6-6zM7 7l10 3M7 13l9-2m-9 6l9-2M10 6h.5m3 1h.5",
  };
  const treasure = "M6 4h12l4 6-10 11L2 10zM2 10h20M6 4l3 6 3 11 3-11 3-6";
  const relic = "M8 3h8l3 4-2 8-3 2v2h3v2H7v-2h3v-2l-3-2-2-8zM9 9h1m4 0h1m-5 4h4";

  const tokens = [
    ["M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28z", 16],
    ["M4 4h24v24H4z", 16],
    ["M16 0l16 30H0z", 21],
    ["M16 0l16 16-16 16L0 16z", 16],
    ["M16 1l14 7.5v15L16 31 2 23.5v-15z", 16],
    ["M0 2h32L16 32z", 12],
    ["M10 1h12v9h9v12h-9v9H10v-9H1V10h9z", 16],
    ["M4 30V14a12 12 0 0 1 24 0v16z", 17],
  ];
  const votes = {
    sealed: "M3 3h18v18H3zM3 3l9 9 9-9",
    C: "M12 21V4m-7 7l7-7 7 7",
    L: "M21 12H4m7-7l-7 7 7 7",
    x: "M5 5l14 14M19 5L5 19",
  };

  const small = (name, ...parts) =>
    viewer.drawn("svg", { class: "glyph " + name, viewBox: "0 0 24 24", "aria-hidden": "true" }, ...parts);
  const line = (path, name) => small(name, viewer.drawn("path", { d: path }));

  /** The drawing of a card. */
  viewer.cardGlyph = (card) => {
    if (card.sort !== "hazard") {
      return line(card.sort === "treasure" ? treasure : relic, "");
    }
    return Object.hasOwn(shapes, card.kind) ? line(shapes[card.kind], "") : initial(card.kind);
  };

  function initial(kind) {
    const letter = viewer.drawn("text", { x: 12, y: 19, "text-anchor": "middle" }, kind.slice(0, 1).toUpperCase());
    const sign = viewer.drawn("path", { d: "M12 2l11 20H1z" });
    return small("", sign, letter);
  }

  /** A small gem, for rubies that lie on a card. */
  viewer.gem = () => line(treasure, "gem");

  /** An explorer: colour, shape and number of its seat. */
  viewer.token = (seat) => {
    const [path, middle] = tokens[seat];
    return viewer.drawn(
      "svg",
      { class: "token seat-" + seat, viewBox: "0 0 32 32", "aria-hidden": "true" },
      viewer.drawn("path", { d: path }),
      viewer.drawn("text", { x: 16, y: middle + 6.5, "text-anchor": "middle" }, String(seat))
    );
  };

  /** How a seat decided: "sealed", C, L or x. */
  viewer.vote = (letter) => line(votes[letter], "vote vote-" + letter);
})();
