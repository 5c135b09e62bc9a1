// A replay from a file: chosen by the button or dropped anywhere on the page.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  async function open(file) {
    const newest = viewer.opening();
    try {
      const record = await viewer.readFile(file);
      if (newest()) {
        const { facts, record: before } = viewer.state;
        // Once something is shown, the address is no longer the one that the visitor came with.
        const place = facts.index.length || before ? null : viewer.readAddress(location.hash);
        viewer.show(record, place || {}, false);
        viewer.part("neighbours")?.setAttribute("hidden", "");
        viewer.focus();
      }
    } catch (error) {
      if (newest()) {
        const name = viewer.visible(file.name || "This", 60);
        const named = error instanceof viewer.Refusal;
        viewer.refuse((named ? "" : name + " can't be shown. ") + viewer.reason(error));
      }
    }
  }

  const holdsFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");

  viewer.startFiles = () => {
    const overlay = viewer.part("drop");
    viewer.part("file").addEventListener("change", ({ target }) => {
      const [file] = target.files;
      if (file) {
        open(file);
      }
      target.value = "";
    });
    window.addEventListener("dragover", (event) => {
      if (holdsFiles(event)) {
        event.preventDefault();
        overlay.hidden = false;
      }
    });
    window.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) {
        overlay.hidden = true;
      }
    });
    window.addEventListener("drop", (event) => {
      overlay.hidden = true;
      if (holdsFiles(event)) {
        event.preventDefault();
        open(event.dataTransfer.files[0]);
      }
    });
  };
})();
