// Bytes become a record: gzip or not, up to a size.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  const mostBytes = () => viewer.pageFacts().bounds.replay_mb * 1024 * 1024;

  const tooLarge = (source) =>
    new viewer.Refusal(
      source + " is larger than " + viewer.pageFacts().bounds.replay_mb +
        " MiB, more than a replay may be. Is it another file?"
    );

  /** The content of gzip bytes. */
  async function gunzip(bytes, source) {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    const pieces = [];
    const most = mostBytes();
    let size = 0;
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        size += piece.value.length;
        if (size > most) {
          await reader.cancel();
          throw tooLarge(source);
        }
        pieces.push(piece.value);
      }
    } catch (error) {
      throw error instanceof viewer.Refusal
        ? error
        : new viewer.Refusal(source + " can't be decompressed: it is damaged or incomplete. Fetch it again.");
    }
    return new Blob(pieces).arrayBuffer();
  }

  /** The JSON value in the bytes. */
  async function valueOf(bytes, source) {
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = readText(packed ? await gunzip(bytes, source) : bytes);
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return firstLine(text);
    }
    if (/\\u[dD][89a-fA-F]/.test(text) && hasLoneSurrogate(value)) {
      throw new viewer.Refusal(
        source + " is no replay: a text in it holds a lone surrogate, half of a character. Fetch the file again."
      );
    }
    return value;
  }

  const hasLoneSurrogate = (value) =>
    typeof value === "string"
      ? /\p{Cs}/u.test(value)
      : value !== null && typeof value === "object" && Object.entries(value).flat().some(hasLoneSurrogate);

  function readText(bytes) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return "";
    }
  }

  // A season's file is JSON Lines: its first line tells what it is.
  function firstLine(text) {
    try {
      const value = JSON.parse(text.slice(0, text.search(/\n|$/)));
      return value && value.format === "tacora-season/1" ? value : null;
    } catch {
      return null;
    }
  }

  /** The record in a file that somebody chose or dropped. */
  viewer.readFile = async (file) => {
    const source = viewer.visible(file.name || "This", 60);
    if (file.size > mostBytes()) {
      throw tooLarge(source);
    }
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      throw new viewer.Refusal(source + " can't be read: it is a folder, or was moved. Choose a replay file.");
    }
    return viewer.checkShape(await valueOf(bytes, source), source);
  };

  /** The records in a shard's text: base64 of gzip of a JSON array. */
  viewer.readShard = async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const records = await valueOf(bytes, "This file of the site");
    return Array.isArray(records) ? records : [];
  };
})();
