// Starts the viewer when the page is there.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const { state } = viewer;

  /** The keys work at once where nothing else has the focus; the page does not move. */
  viewer.focus = () => {
    if (document.activeElement === document.body || document.activeElement === null) {
      viewer.part("viewer").focus({ preventScroll: true });
    }
  };

  async function showOwn() {
    const newest = viewer.opening();
    try {
      const records = await viewer.ownRecords();
      if (newest() && records && records.length) {
        viewer.show(viewer.checkShape(records[0], "This record"), viewer.readAddress(location.hash) || {}, true);
        viewer.focus();
      }
    } catch (error) {
      if (newest()) {
        viewer.refuse(viewer.reason(error));
      }
    }
  }

  function moved() {
    const wanted = viewer.readAddress(location.hash);
    const { facts, own, record } = state;
    const season = facts.index.length > 0;
    const fixture = season && own && record ? record.fixture : null;
    const same = wanted && fixture && wanted.round === fixture.round && wanted.number === fixture.number;
    if (season && !same) {
      viewer.showAddress(facts);
    } else if (wanted && record) {
      // What is still on its way was asked for by an address that was left.
      viewer.opening();
      viewer.move(wanted);
    }
  }

  function seatAsked() {
    const text = new URLSearchParams(location.search).get("seat");
    return text !== null && /^[0-7]$/.test(text) ? Number(text) : null;
  }

  async function start() {
    if (!viewer.part("viewer")) {
      return;
    }
    const settings = viewer.readSettings();
    Object.assign(state, { facts: viewer.pageFacts(), speed: settings.speed, follow: seatAsked() });
    document.documentElement.classList.add("script");
    viewer.part("welcome").hidden = state.facts.index.length > 0;
    viewer.startControls(settings);
    viewer.startKeys(settings);
    viewer.startTouch();
    viewer.startFiles();
    window.addEventListener("hashchange", moved);
    await (state.facts.index.length ? viewer.showAddress(state.facts) : showOwn());
    if (settings.play && state.record && !viewer.stillness()) {
      viewer.play();
    }
  }

  if (document.readyState === "complete") {
    start();
  } else {
    // Later than every script of the page: one of them may hand over a record.
    window.addEventListener("load", start);
  }
})();
