// The list of moments of a game; a press jumps there.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const titles = { bust: "Bust", relic: "Relic", leave: "Leave", forfeit: "Forfeit" };

  /** Moments to list: all busts, relics taken and forfeits, and of the leaves the richest. */
  const listed = (moments) => moments.filter((moment) => moment.kind !== "leave" || moment.big);

  viewer.drawMoments = (state, jump) => {
    const rows = listed(state.moments).map((moment) => {
      const frame = state.frames[moment.at];
      const names = viewer.listed(moment.seats.map((seat) => viewer.seatName(state.record, seat)));
      const text = [
        viewer.element("span", { class: "moment-kind " + moment.kind }, titles[moment.kind]),
        viewer.element("span", { class: "moment-place" }, viewer.place(frame)),
        viewer.element("span", { class: "moment-words" }, (moment.kind === "bust" ? "" : names + " ") + moment.words),
      ];
      const press = () => jump(moment.at);
      return viewer.element("li", {}, viewer.button({ class: "moment", "data-at": moment.at }, press, ...text));
    });
    viewer.part("moments").replaceChildren(...rows);
    viewer.part("moments-none").hidden = rows.length > 0;
  };

  /** Marks the moment that is shown now. */
  viewer.markMoment = (state) => {
    for (const button of viewer.part("moments").querySelectorAll("button")) {
      const here = Number(button.dataset.at) === state.at;
      if (here) {
        button.setAttribute("aria-current", "true");
      } else {
        button.removeAttribute("aria-current");
      }
    }
  };
})();
