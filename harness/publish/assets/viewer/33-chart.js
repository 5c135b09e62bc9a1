// What each seat holds, chest and pocket, over the game: a line a seat, a press jumps there. And the slider's marks.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const WIDE = 1000;
  const HIGH = 200;

  const held = (frame, seat) => frame.chests[seat] + (frame.inside.includes(seat) ? frame.pocket : 0);

  const path = (name, d) => viewer.drawn("path", { class: name, d });
  const startsOf = (frames) => frames.flatMap(({ beat, card }, at) => (beat === "card" && card === 1 ? [at] : []));

  /** Draws the lines of a game. */
  viewer.drawChart = (state) => {
    const { frames, record } = state;
    const most = Math.max(1, ...frames.flatMap((frame) => record.seats.map((_, seat) => held(frame, seat))));
    const x = (at) => (frames.length > 1 ? (WIDE * at) / (frames.length - 1) : 0).toFixed(1);
    const y = (points) => (HIGH - (HIGH * points) / most).toFixed(1);
    const starts = startsOf(frames).filter((at) => at > 0);
    const borders = starts.map((at) => path("border", "M" + x(at) + " 0V" + HIGH));
    const lines = record.seats.map((_, seat) => {
      const steps = frames.map((frame, at) => (at ? "H" + x(at) + "V" : "M0 ") + y(held(frame, seat)));
      return path("line seat-" + seat, steps.join(""));
    });
    const cursor = path("cursor", "M0 0V" + HIGH);
    viewer.part("chart").replaceChildren(...borders, ...lines, cursor);
    viewer.part("chart").setAttribute("viewBox", "0 0 " + WIDE + " " + HIGH);
    viewer.part("chart-most").textContent = String(most);
    viewer.part("legend").replaceChildren(...record.seats.map((_, seat) => legend(record, seat)));
  };

  function legend(record, seat) {
    const line = path("line seat-" + seat, "M0 4H40");
    const sample = viewer.drawn("svg", { class: "sample", viewBox: "0 0 40 8", "aria-hidden": "true" }, line);
    return viewer.element("li", {}, sample, viewer.seatName(record, seat));
  }

  /** Moves the cursor and sets the followed line off. */
  viewer.moveChart = (state) => {
    const chart = viewer.part("chart");
    const x = state.frames.length > 1 ? (WIDE * state.at) / (state.frames.length - 1) : 0;
    chart.querySelector(".cursor").setAttribute("d", "M" + x.toFixed(1) + " 0V" + HIGH);
    chart.querySelectorAll(".line").forEach((line, seat) => line.classList.toggle("followed", seat === state.follow));
  };

  /** The frame that a press on the chart means. */
  viewer.chartFrame = (state, event) => {
    const box = viewer.part("chart").getBoundingClientRect();
    const share = box.width ? (event.clientX - box.left) / box.width : 0;
    return Math.round(Math.min(1, Math.max(0, share)) * (state.frames.length - 1));
  };

  /** Marks beside the slider: where expeditions begin, busts, relics, leaves, forfeits. */
  viewer.drawMarks = (state) => {
    const last = Math.max(1, state.frames.length - 1);
    const mark = (at, kind) => {
      const made = viewer.element("span", { class: "mark " + kind });
      made.style.left = (100 * at) / last + "%";
      return made;
    };
    const starts = startsOf(state.frames).map((at) => mark(at, "start"));
    viewer.part("marks").replaceChildren(...starts, ...state.moments.map(({ at, kind }) => mark(at, kind)));
  };
})();
