// Buttons, slider, choosers, dialogs: what each of them does.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const { state } = viewer;

  const presses = {
    first: () => viewer.jump(0),
    "expedition-back": () => viewer.stepExpedition(-1),
    back: () => viewer.step(-1),
    play: () => viewer.toggle(),
    forward: () => viewer.step(1),
    "expedition-forward": () => viewer.stepExpedition(1),
    last: () => viewer.jump(state.frames.length - 1),
    link: copyLink,
    download,
    help: () => viewer.openDialog("help-dialog"),
    settings: () => viewer.openDialog("settings-dialog"),
    open: chooseFile,
    choose: chooseFile,
    "refusal-close": () => viewer.refuse(""),
  };

  function chooseFile() {
    viewer.part("file").click();
  }

  viewer.openDialog = (name) => {
    viewer.pause();
    viewer.part(name).showModal();
  };

  /** Copies the address of this moment; where that is not allowed, shows it for copying by hand. */
  async function copyLink() {
    viewer.pause();
    const shown = viewer.part("address");
    if (!state.own && state.facts.index.length) {
      const moment = viewer.momentOf(state.frames[state.at]);
      viewer.note("This replay comes from a file, which no link leads to: send the file, and say “" + moment + "”.");
      return;
    }
    const address = new URL(viewer.addressOf(state), location.href).href;
    shown.value = address;
    try {
      await navigator.clipboard.writeText(address);
      viewer.note("The link to this moment is copied.");
    } catch {
      viewer.part("address-line").hidden = false;
      shown.select();
      viewer.note("Copy the link from the field.");
    }
  }

  /** A short word about what a control has done, for everyone. */
  viewer.note = (text) => {
    viewer.part("note").textContent = text;
    viewer.say(text);
  };

  function download() {
    const address = URL.createObjectURL(new Blob([JSON.stringify(state.record) + "\n"], { type: "application/json" }));
    const link = viewer.element("a", { href: address, download: state.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    viewer.note("The record is saved as " + state.name + ".");
  }

  viewer.startControls = (settings) => {
    for (const [name, press] of Object.entries(presses)) {
      viewer.part(name)?.addEventListener("click", press);
    }
    viewer.part("slider").addEventListener("input", (event) => viewer.jump(Number(event.target.value)));
    viewer.part("game").addEventListener("change", (event) => viewer.showGame(Number(event.target.value)));
    viewer.part("speed").addEventListener("change", (event) => viewer.setSpeed(Number(event.target.value)));
    viewer.part("follow").addEventListener("change", ({ target }) =>
      viewer.follow(target.value === "" ? null : Number(target.value))
    );
    viewer.part("chart").addEventListener("click", (event) => viewer.jump(viewer.chartFrame(state, event)));
    for (const name of ["keys", "play"]) {
      const box = viewer.part("set-" + name);
      box.checked = settings[name];
      box.addEventListener("change", () => {
        settings[name] = box.checked;
        viewer.keepSetting(name, box.checked);
      });
    }
  };
})();
