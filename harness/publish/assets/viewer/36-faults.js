// Faults for those who must mend them: what happened, where, time against limits, what was due and what came.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const { element } = viewer;
  const LONGEST = 1000; // characters shown of what was due and of what came

  /** A text of the page's own words, its `{name}`s filled in. */
  const filled = (text, values) =>
    text.replace(/\{(\w+)\}/g, (_, name) => (Object.hasOwn(values, name) ? viewer.visible(values[name], 40) : "?"));

  function exitWords({ exit }, signals, gone) {
    if (exit === null) {
      return gone ? "ended by the referee" : "";
    }
    return exit < 0 ? "killed by " + (signals[-exit] || "signal " + -exit) : "exit status " + exit;
  }

  function article(state, fault, jump) {
    const { kinds, signals } = state.facts.words;
    const [happened, mend, allowed, gone] = kinds[Object.hasOwn(kinds, fault.kind) ? fault.kind : ""];
    const kind = element("span", { class: "fault" }, viewer.visible(fault.kind, 40));
    const place = "game " + fault.game + ", expedition " + fault.expedition + ", turn " + fault.turn;
    const used = viewer.time(fault.cpu_us) + " of CPU time, " + viewer.time(fault.wall_us) + " by the clock";
    const raw = (text) => (text ? element("code", { class: "raw" }, viewer.visible(text, LONGEST)) : "");
    return element(
      "article",
      { class: "trouble" },
      element("h3", {}, viewer.seatLink(state, fault.seat), " ", kind),
      viewer.definitions([
        ["What happened", filled(happened, fault)],
        ["Where", viewer.button({ class: "link" }, () => jump(fault), place)],
        ["Time used", used],
        ["Allowed", filled(allowed, state.record.limits)],
        ["Expected", raw(fault.expected)],
        ["Got", raw(fault.got)],
        ["Process", exitWords(fault, signals, gone)],
        ["To mend", mend],
      ])
    );
  }

  /** Both lists; a section without an entry is not shown. */
  viewer.drawFaults = (state, jump) => {
    for (const name of ["faults", "incidents"]) {
      const articles = state.record[name].map((fault) => article(state, fault, jump));
      viewer.part(name).replaceChildren(...articles);
      viewer.part(name + "-section").hidden = articles.length === 0;
    }
  };
})();
