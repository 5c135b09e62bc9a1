// Keys. Letters and digits work only while the focus is in the viewer, and can be switched off (WCAG 2.1.4).
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const { state } = viewer;

  const moves = {
    ArrowLeft: () => viewer.step(-1),
    ArrowRight: () => viewer.step(1),
    ArrowUp: () => viewer.stepExpedition(-1),
    ArrowDown: () => viewer.stepExpedition(1),
    Home: () => viewer.jump(0),
    End: () => viewer.jump(state.frames.length - 1),
    " ": () => viewer.toggle(),
    Escape: () => viewer.follow(null),
  };
  // These work with the focus nowhere, too: the page's own use of the others is worth more there.
  const everywhere = ["ArrowLeft", "ArrowRight", " "];

  const letters = {
    b: () => viewer.stepMoment("bust", 1),
    B: () => viewer.stepMoment("bust", -1),
    r: () => viewer.stepMoment("relic", 1),
    R: () => viewer.stepMoment("relic", -1),
    l: () => viewer.stepMoment("leave", 1),
    L: () => viewer.stepMoment("leave", -1),
    f: () => viewer.stepMoment("forfeit", 1),
    F: () => viewer.stepMoment("forfeit", -1),
    n: () => viewer.showGame(state.number + 1),
    p: () => viewer.showGame(state.number - 1),
    "+": () => changeSpeed(1),
    "=": () => changeSpeed(1),
    "-": () => changeSpeed(-1),
    "?": () => viewer.openDialog("help-dialog"),
  };
  for (let seat = 0; seat < 8; seat += 1) {
    letters[seat] = () => viewer.follow(state.follow === seat ? null : seat);
  }

  function changeSpeed(by) {
    const speeds = viewer.speeds();
    const place = speeds.indexOf(state.speed) + by;
    if (place >= 0 && place < speeds.length) {
      viewer.setSpeed(speeds[place]);
      viewer.note("Speed " + speeds[place] + " times.");
    }
  }

  /** What the key does here; null where it is the page's own. */
  function meaning(event, settings) {
    const { key, target } = event;
    const busy = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !state.record;
    const open = document.querySelector("dialog[open]");
    if (busy || open || target.matches("select, textarea, input:not([type=range])") || target.isContentEditable) {
      return null;
    }
    const inside = viewer.part("viewer").contains(target);
    if (Object.hasOwn(moves, key)) {
      const native =
        (key === " " && target.matches("button, a, summary")) ||
        (key !== " " && target.matches("input, .region"));
      return native || !(inside || (target === document.body && everywhere.includes(key))) ? null : moves[key];
    }
    return settings.keys && inside && Object.hasOwn(letters, key) ? letters[key] : null;
  }

  viewer.startKeys = (settings) => {
    document.addEventListener("keydown", (event) => {
      const act = meaning(event, settings);
      if (act) {
        event.preventDefault();
        act();
      }
    });
  };
})();
