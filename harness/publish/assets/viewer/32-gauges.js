// Beside the cave: where we are, the risk of the next card, what a leaver would get, and every seat's holdings.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const NONE = "–";

  /** A share as per cent, one decimal. */
  viewer.percent = (part, whole) => (whole ? ((100 * part) / whole).toFixed(1) : "0.0") + "\u00a0%";

  viewer.drawGauges = (state) => {
    const frame = state.frames[state.at];
    const { risk, leaving } = frame;
    const over = frame.beat === "over";
    const expedition = "expedition " + frame.expedition + " of " + state.record.edition.expeditions;
    viewer.part("where").textContent =
      "Game " + frame.game + " of " + state.record.games.length +
      (over ? ", the end" : " · " + expedition + " · card " + frame.card);
    viewer.part("risk").textContent = risk ? viewer.percent(risk.deadly, risk.of) : NONE;
    viewer.part("risk-of").textContent = risk ? risk.deadly + " of " + risk.of + " cards" : "no card to come";
    viewer.part("risk-bar").style.width = risk && risk.of ? (100 * risk.deadly) / risk.of + "%" : "0";
    viewer.part("pocket").textContent = over ? NONE : String(frame.pocket);
    viewer.part("rubies").textContent = over ? NONE : String(frame.rubies);
    viewer.part("relics").textContent = over ? NONE : String(frame.relicsLying);
    viewer.part("relics-out").textContent = String(frame.relicsOut);
    ["alone", "of-two", "of-three"].forEach((name, index) => {
      const value = leaving ? leaving[index] : undefined;
      viewer.part(name).textContent = value === undefined ? NONE : String(value);
    });
    drawFollowed(state, frame);
  };

  function where(frame, seat) {
    if (frame.forfeited.includes(seat)) {
      return frame.faulted.includes(seat) ? "forfeits" : "forfeited";
    }
    if (frame.beat === "over") {
      return "rank " + frame.result.ranks[seat];
    }
    if (frame.caught.includes(seat)) {
      return "caught";
    }
    if (frame.gains.some((gain) => gain.seat === seat)) {
      return "leaves";
    }
    return frame.inside.includes(seat) ? "inside" : "in camp";
  }

  /** The seats as table rows: who, where, pocket, chest, relics. */
  viewer.drawSeats = (state) => {
    const frame = state.frames[state.at];
    const rows = state.record.seats.map((_, seat) => {
      const gain = frame.gains.find((one) => one.seat === seat);
      const gained = gain ? viewer.element("span", { class: "gain" }, "+" + gain.total + " ") : null;
      const name = viewer.element("span", { class: "name" }, viewer.seatName(state.record, seat));
      return viewer.element(
        "tr",
        { class: seat === state.follow ? "followed" : null, "data-seat": seat },
        viewer.element("th", { scope: "row" }, viewer.element("span", { class: "who" }, viewer.token(seat), name)),
        viewer.element("td", {}, where(frame, seat)),
        viewer.element("td", { class: "num" }, frame.inside.includes(seat) ? String(frame.pocket) : NONE),
        viewer.element("td", { class: "num" }, gained, viewer.element("strong", {}, String(frame.chests[seat]))),
        viewer.element("td", { class: "num" }, String(frame.relics[seat]))
      );
    });
    viewer.part("seats").replaceChildren(...rows);
  };

  function drawFollowed(state, frame) {
    const { follow } = state;
    const shown = follow !== null;
    viewer.part("followed").hidden = !shown;
    if (shown) {
      const total = (seat) => frame.chests[seat] + (frame.inside.includes(seat) ? frame.pocket : 0);
      const ahead = frame.chests.filter((_, seat) => total(seat) > total(follow)).length;
      const others = ahead + " of the " + (frame.chests.length - 1) + " others " + (ahead === 1 ? "has" : "have");
      viewer.part("followed").textContent =
        "You follow " + viewer.seatName(state.record, follow) + ": " + where(frame, follow) + ", " +
        viewer.plural(total(follow), "point") + " with its pocket; " + (ahead ? others : "nobody has") + " more.";
    }
  }
})();
