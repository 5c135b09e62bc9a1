// A swipe over the cave steps: to the left forward, to the right back.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const FAR = 40; // pixels that make a swipe

  viewer.startTouch = () => {
    const scene = viewer.part("scene");
    let start = null;
    scene.addEventListener("pointerdown", (event) => {
      start = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
    });
    scene.addEventListener("pointercancel", () => {
      start = null;
    });
    scene.addEventListener("pointerup", (event) => {
      if (start) {
        const [x, y] = [event.clientX - start.x, event.clientY - start.y];
        start = null;
        if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) {
          viewer.step(x < 0 ? 1 : -1);
        }
      }
    });
  };
})();
