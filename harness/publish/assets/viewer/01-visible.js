// What a bot or an author wrote, made safe to show: nothing in it turns a line round or hides.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  // Controls, formats, surrogates, private use, unassigned, separators of lines; then letters and marks that show as
  // nothing: a joiner, fillers, variation selectors but the two of emoji, blank braille.
  const hidden = new RegExp(
    "[\\p{C}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\ufe00-\\ufe0d" +
      "\\u{e0100}-\\u{e01ef}]",
    "u"
  );

  /**
   * `text` on one line, each character that can't be seen written as its number, such as ⟨U+202E⟩; at most `limit`
   * characters, what is beyond them cut, never within a number, and "…" in its place.
   */
  viewer.visible = (text, limit) => {
    const most = limit || Infinity;
    const pieces = [];
    let room = most;
    for (const character of String(text)) {
      const piece = hidden.test(character)
        ? "⟨U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟩"
        : character;
      pieces.push(piece);
      room -= [...piece].length;
      if (room < 0) {
        return cut(pieces, most - 1) + "…";
      }
    }
    return pieces.join("");
  };

  function cut(pieces, most) {
    let kept = "";
    let room = most;
    for (const piece of pieces) {
      room -= [...piece].length;
      if (room < 0) {
        break;
      }
      kept += piece;
    }
    return kept;
  }
})();
