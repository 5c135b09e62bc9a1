// The site's own replays: scripts of many records each, since a page opened from disk can load nothing but scripts.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const handed = [];
  const loaded = new Map();

  /** What a shard calls: `text` is base64 of gzip of a JSON array of records. */
  window.tacora.replays = (text) => {
    handed.push(text);
  };

  /** The records of the shard that the page itself loads, null where it loads none (yet). */
  viewer.ownRecords = async () => (handed.length ? viewer.readShard(handed[handed.length - 1]) : null);

  /** What the page says of itself: season, index of shards, names of bots, bounds of a record, words for faults. */
  viewer.pageFacts = () => JSON.parse(document.getElementById("replay-index").textContent);

  /** Only scripts that the page's own index names may be loaded. */
  function trusted(facts) {
    const rules = {
      createScriptURL(file) {
        if (!facts.index.some(([, , known]) => known === file)) {
          throw new TypeError("no replay file of this season: " + file);
        }
        return facts.root + file;
      },
    };
    return window.trustedTypes ? window.trustedTypes.createPolicy("records", rules) : rules;
  }

  let policy = null;

  /** The records of a shard, each one loaded once. */
  viewer.loadShard = (facts, file) => {
    if (!loaded.has(file)) {
      policy = policy || trusted(facts);
      const promise = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.addEventListener("load", () => resolve(handed.pop()));
        script.addEventListener("error", () => {
          loaded.delete(file);
          script.remove();
          reject(
            new viewer.Refusal(
              "The file that holds this match could not be loaded. Reload the page: the site may be published anew."
            )
          );
        });
        script.src = policy.createScriptURL(file);
        document.head.append(script);
      });
      loaded.set(file, promise.then(viewer.readShard));
    }
    return loaded.get(file);
  };

  /** Which shard of the index holds the match, by its place; −1 where none can. */
  viewer.shardOf = (facts, round, number) => {
    let found = -1;
    facts.index.forEach(([firstRound, firstNumber], place) => {
      if (firstRound < round || (firstRound === round && firstNumber <= number)) {
        found = place;
      }
    });
    return found;
  };
})();
