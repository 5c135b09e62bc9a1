// The matches of a season: the one that the address names, and the ones before and after it.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const { element } = viewer;

  const placeOf = ({ fixture }) => [fixture.round, fixture.number];
  const nameOf = ([round, number]) => "r" + round + "m" + number;

  /** Shows the match of the address; says what is wrong where there is none. */
  viewer.showAddress = async (facts) => {
    const wanted = viewer.readAddress(location.hash);
    const newest = viewer.opening();
    if (!location.hash || !wanted || !wanted.round) {
      lost(facts, location.hash ? "This address names no match." : "Which match? Its address is missing.");
      return;
    }
    const name = nameOf([wanted.round, wanted.number]);
    try {
      const place = viewer.shardOf(facts, wanted.round, wanted.number);
      const records = place < 0 ? [] : await viewer.loadShard(facts, facts.index[place][2]);
      if (!newest()) {
        return;
      }
      const at = records.findIndex((record) => record.fixture && nameOf(placeOf(record)) === name);
      if (at < 0) {
        const missing = "There is no match " + name + " to show in season " + facts.season;
        lost(facts, missing + ". It may be void, or its round may not be over yet.");
        return;
      }
      viewer.show(viewer.checkShape(records[at], "The record of " + name), wanted, true);
      drawNeighbours(facts, records, place, at);
      viewer.focus();
    } catch (error) {
      if (newest()) {
        lost(facts, viewer.reason(error));
      }
    }
  };

  function lost(facts, sentence) {
    const first = facts.index[0];
    viewer.refuse(sentence);
    viewer.part("refusal-text").append(
      " ",
      element("a", { href: facts.season_page }, "All matches of the season"),
      ...(first ? [", ", element("a", { href: "#" + nameOf(first) }, "its first match")] : []),
      "."
    );
  }

  function drawNeighbours(facts, records, place, at) {
    const before = at > 0 ? placeOf(records[at - 1]) : null;
    const after = at + 1 < records.length ? placeOf(records[at + 1]) : facts.index[place + 1];
    const links = [];
    if (before || place > 0) {
      const href = "#" + nameOf(before || facts.index[place - 1]);
      const link = element("a", { href, rel: "prev" }, "Previous match");
      if (!before) {
        link.addEventListener("click", (event) => toLastOf(facts, place - 1, event));
      }
      links.push(element("li", {}, link));
    }
    if (after) {
      links.push(element("li", {}, element("a", { href: "#" + nameOf(after), rel: "next" }, "Next match")));
    }
    viewer.part("neighbours").replaceChildren(element("ul", {}, links));
    viewer.part("neighbours").hidden = links.length === 0;
  }

  // The index tells where each file begins; where one ends is known once it is loaded.
  async function toLastOf(facts, place, event) {
    event.preventDefault();
    const newest = viewer.opening();
    const records = await viewer.loadShard(facts, facts.index[place][2]).catch(() => []);
    if (newest()) {
      location.hash = records.length ? nameOf(placeOf(records[records.length - 1])) : nameOf(facts.index[place]);
    }
  }
})();
