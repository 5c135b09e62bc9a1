// Moments of a game that are worth a jump, and the addresses of moments.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  /** In order: `at` is the frame, `kind` bust, relic, leave or forfeit, `big` marks the game's richest leave. */
  viewer.momentsOf = (record, frames) => {
    const moments = [];
    const richest = Math.max(0, ...frames.flatMap((frame) => frame.gains.map((gain) => gain.total)));
    frames.forEach((frame, at) => {
      if (frame.beat === "bust") {
        moments.push({ at, kind: "bust", seats: frame.caught, words: bustWords(frame) });
      }
      frame.faulted.forEach((seat) => moments.push({ at, kind: "forfeit", seats: [seat], words: "forfeits" }));
      if (frame.gains.length) {
        moments.push(leaveMoment(frame, at, richest));
      }
    });
    return moments;
  };

  function bustWords(frame) {
    const kind = viewer.visible(frame.path[frame.path.length - 1].kind, 24);
    return kind + ", the second: " + viewer.plural(frame.caught.length * frame.lost, "ruby", "rubies") + " lost in all";
  }

  function leaveMoment(frame, at, richest) {
    const [first] = frame.gains;
    const seats = frame.gains.map((gain) => gain.seat);
    const big = first.total === richest && richest > 0;
    const taken = first.relics ? ", " + (first.relics === 1 ? "a relic" : first.relics + " relics") + " among it" : "";
    const words =
      (seats.length === 1 ? "leaves with " : "leave with ") + first.total + (seats.length > 1 ? " each" : "") + taken +
      (big ? ", the most of the game" : "");
    return { at, kind: first.relics ? "relic" : "leave", seats, words, big };
  }

  /** The address of a frame within its match: g1e3c5, with a d behind once the decisions are open; g1end is the result. */
  viewer.momentOf = (frame) =>
    "g" + frame.game +
    (frame.beat === "over" ? "end" : "e" + frame.expedition + "c" + frame.card + (frame.beat === "decided" ? "d" : ""));

  const ADDRESS = /^#?(?:r(\d{1,9})m(\d{1,9}))?-?(?:g(\d{1,9})(end|e(\d{1,3})(?:c(\d{1,3})(d?))?)?)?$/;

  /** What stands behind the # of an address: round, number, game, expedition, card; null where it is something else. */
  viewer.readAddress = (hash) => {
    const found = ADDRESS.exec(hash);
    if (!found) {
      return null;
    }
    const [, round, number, game, rest, expedition, card, decided] = found;
    return {
      round: Number(round || 0),
      number: Number(number || 0),
      game: Number(game || 0),
      end: rest === "end",
      expedition: Number(expedition || 0),
      card: Number(card || 0),
      decided: decided === "d",
    };
  };

  /** The frame that an address means, or the last one before it where there is no such card. */
  viewer.frameAt = (frames, wanted) => {
    if (wanted.end) {
      return frames.length - 1;
    }
    let best = 0;
    frames.forEach((frame, at) => {
      const before =
        frame.expedition < wanted.expedition ||
        (frame.expedition === wanted.expedition &&
          (frame.card < Math.max(1, wanted.card) ||
            (frame.card === Math.max(1, wanted.card) && (frame.beat !== "decided" || wanted.decided))));
      if (before && frame.beat !== "over") {
        best = at;
      }
    });
    return best;
  };
})();
