// Settings: from the address, then from the browser's storage, then the default.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const KEY = "tacora.viewer";

  /** The speeds to choose from, slowest first. */
  viewer.speeds = () => Array.from(viewer.part("speed").options, ({ value }) => Number(value));

  const known = {
    speed: { usual: 1, read: (value) => (viewer.speeds().includes(Number(value)) ? Number(value) : null) },
    keys: { usual: true, read: readSwitch },
    play: { usual: false, read: readSwitch },
  };

  function readSwitch(value) {
    const words = { 0: false, false: false, 1: true, true: true };
    return Object.hasOwn(words, String(value)) ? words[String(value)] : null;
  }

  // Storage may be forbidden, even to look at.
  function stored() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {};
    }
  }

  /** All settings as they hold now. */
  viewer.readSettings = () => {
    const address = new URLSearchParams(location.search);
    const kept = stored();
    return Object.fromEntries(
      Object.entries(known).map(([name, { usual, read }]) => {
        const asked = address.has(name) ? read(address.get(name)) : null;
        return [name, asked ?? read(kept[name]) ?? usual];
      })
    );
  };

  /** Keeps a setting for next time, where the browser lets us. */
  viewer.keepSetting = (name, value) => {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...stored(), [name]: value }));
    } catch {
      // It holds until the page is left.
    }
  };

  viewer.stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
})();
