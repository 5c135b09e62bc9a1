// The cards of an edition by id, and the order in which a seed deals them.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  /** The cards of an edition: treasures, hazards kind by kind, relics. `place` is a relic's in the edition's list. */
  viewer.cardsOf = (edition) => [
    ...edition.treasures.map((value) => ({ sort: "treasure", kind: "", value, place: 0 })),
    ...edition.hazards.flatMap(({ kind, copies }) =>
      Array.from({ length: copies }, () => ({ sort: "hazard", kind, value: 0, place: 0 }))
    ),
    ...edition.relics.map((value, place) => ({
      sort: "relic",
      kind: "",
      value: edition.relic_value === "printed" ? value : null,
      place,
    })),
  ];

  /** All n card ids in the order of an expedition; its deck is that, filtered to the cards now in the deck. */
  viewer.dealOrder = (n, seed, game, expedition) => {
    const words = new DataView(viewer.shake("deal/" + seed + "/" + game + "/" + expedition, 8 * n).buffer);
    const key = (card) => words.getBigUint64(8 * card);
    const keys = Array.from({ length: n }, (_, card) => key(card));
    return keys.map((_, card) => card).sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  };
})();
