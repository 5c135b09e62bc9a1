// The cave: the cards so far, the explorers inside and those in camp.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const decided = { sealed: "has decided, sealed", C: "goes on", L: "leaves", x: "forfeits" };

  const hidden = (text) => viewer.element("span", { class: "visually-hidden" }, text);

  /** Draws a frame; `fresh` where it came by a step forward, so that what is new may move. */
  viewer.drawCave = (state, fresh) => {
    const frame = state.frames[state.at];
    const result = frame.beat === "over";
    const cards = result ? [] : frame.path.map((card, index) => cardOf(frame, card, index, fresh));
    if (!result && !frame.ended) {
      cards.push(faceDown(frame.risk));
    }
    viewer.part("path").replaceChildren(...cards);
    viewer.part("scene").className =
      "scene" + (frame.beat === "bust" ? " busted" : "") + (fresh ? " fresh " + frame.beat : "");
    viewer.part("result").replaceChildren(...(result ? podium(state, frame) : []));
    viewer.part("result").hidden = !result;
    viewer.part("depths").classList.toggle("over", result);
    drawZones(state, frame);
  };

  /** The next card, as full of danger as it is. */
  function faceDown({ deadly, of }) {
    const fill = viewer.element("span", { class: "danger" });
    fill.style.height = of ? (100 * deadly) / of + "%" : "0";
    const sign = viewer.element("span", {}, "?");
    const risk = viewer.element("span", { class: "card-risk" }, of ? Math.round((100 * deadly) / of) + "\u00a0%" : "");
    return viewer.element("li", { class: "cave-card back", "aria-hidden": "true" }, fill, sign, risk);
  }

  function cardOf(frame, card, index, fresh) {
    const last = index === frame.path.length - 1;
    const names = ["cave-card", card.sort];
    const { sort, kind } = frame.path[frame.path.length - 1];
    const deadly = frame.beat === "bust" && card.sort === sort && card.kind === kind;
    if (deadly) {
      names.push("deadly");
    }
    if (fresh && last && frame.beat !== "decided") {
      names.push("new");
    }
    const name = card.sort === "treasure" ? String(card.value) : viewer.cardWords(card);
    return viewer.element(
      "li",
      { class: names.join(" ") },
      viewer.cardGlyph(card),
      viewer.element("span", { class: "card-name" }, name),
      hidden(card.sort === "treasure" ? " rubies" : deadly && last ? ", ends the expedition" : ""),
      lying(card)
    );
  }

  function lying(card) {
    if (card.sort === "treasure" && card.lying) {
      const words = card.lying === 1 ? " lies there" : " lie there";
      return viewer.element("span", { class: "card-lying" }, viewer.gem(), String(card.lying), hidden(words));
    }
    if (card.sort !== "relic") {
      return null;
    }
    const where = card.lying ? "here" : ["to ", viewer.token(card.taken)];
    return viewer.element("span", { class: "card-lying" }, where);
  }

  function drawZones(state, frame) {
    const sealed = frame.beat === "card" ? "sealed" : "";
    const inside = frame.beat === "decided" ? frame.asked.filter((seat) => frame.letters[seat] === "C") : frame.inside;
    const caught = frame.beat === "bust" ? frame.caught : inside;
    const camp = state.record.seats
      .map((_, seat) => seat)
      .filter((seat) => !caught.includes(seat) && !frame.forfeited.includes(seat));
    fillZone("inside", state, frame, caught, sealed);
    fillZone("camp", state, frame, camp, "");
    fillZone("out", state, frame, frame.forfeited, "");
    // From the start on where somebody will be there: what stands below must not move.
    viewer.part("zone-out").hidden = !state.frames[state.frames.length - 1].forfeited.length;
  }

  function fillZone(name, state, frame, seats, sealed) {
    viewer.part(name).replaceChildren(...seats.map((seat) => explorer(state, frame, seat, sealed)));
    viewer.part(name + "-none").hidden = seats.length > 0;
  }

  function explorer(state, frame, seat, sealed) {
    const letter = frame.beat === "decided" ? frame.letters[seat].replace(".", "") : sealed;
    const gain = frame.gains.find((one) => one.seat === seat);
    const lost = frame.caught.includes(seat) ? frame.lost : 0;
    return viewer.element(
      "li",
      { class: "explorer" + (seat === state.follow ? " followed" : "") },
      viewer.token(seat),
      letter ? viewer.vote(letter) : null,
      gain ? viewer.element("span", { class: "gain" }, "+" + gain.total) : null,
      lost ? viewer.element("span", { class: "loss" }, "−" + lost) : null,
      hidden(viewer.seatName(state.record, seat) + (letter ? " " + decided[letter] : ""))
    );
  }

  function podium(state, frame) {
    const { scores, ranks, relics, alive } = frame.result;
    const seats = scores.map((_, seat) => seat).sort((a, b) => ranks[a] - ranks[b] || a - b);
    const rows = seats.map((seat) => [
      viewer.element("span", { class: "who" }, viewer.token(seat), viewer.seatName(state.record, seat)),
      String(ranks[seat]) + (frame.forfeited.includes(seat) ? ", forfeited" : ""),
      String(scores[seat]),
      String(relics[seat]),
    ]);
    const caption = "Result of game " + frame.game + (alive ? "" : ": no win, since every seat has forfeited");
    return [viewer.table(caption, ["Seat", "Rank", "Points", "Relics"], rows, 1)];
  }
})();
