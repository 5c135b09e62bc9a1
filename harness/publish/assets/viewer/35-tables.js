// The match in tables: result by seat, scores by game, times, and what is known of the record itself.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const MOST_GAMES = 200; // rows of the table of games
  const { element } = viewer;

  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const shownRank = (rank) => (Number.isInteger(rank) ? String(rank) : rank.toFixed(2));

  /** A time for people: 12.3 ms, 4.56 s. */
  viewer.time = (microseconds) =>
    microseconds < 1e6 ? (microseconds / 1000).toFixed(1) + " ms" : (microseconds / 1e6).toFixed(2) + " s";

  /** A seat with its token; its bot's page where the site has one. */
  viewer.seatLink = (state, seat) => {
    const { bot } = state.record.seats[seat];
    const id = viewer.visible(bot, 32);
    const { bots, bounds } = state.facts;
    const known = bots !== null && state.own && new RegExp("^(?:" + bounds.id + ")$").test(bot);
    const name = known ? element("a", { href: bots + bot + ".html" }, id) : element("span", {}, id);
    return element("span", { class: "who" }, viewer.token(seat), name);
  };

  function forfeitedIn(state) {
    return new Map(state.record.faults.map((fault) => [fault.seat, fault.game]));
  }

  /** Games won by a seat: of a victory that k seats share each has 1/k; nobody wins where every seat has forfeited. */
  function wins(state, seat) {
    const out = forfeitedIn(state);
    const { seats, games } = state.record;
    const alive = (game) => seats.some((_, one) => !out.has(one) || out.get(one) > game);
    const won = sum(
      games.map(({ ranks }, index) =>
        ranks[seat] === 1 && alive(index + 1) ? 1 / ranks.filter((rank) => rank === 1).length : 0
      )
    );
    return String(Number(won.toFixed(2)));
  }

  viewer.drawMatch = (state, jump) => {
    const { record, facts } = state;
    const out = forfeitedIn(state);
    const titled = (bot) => (Object.hasOwn(facts.names, bot) ? facts.names[bot] : "");
    const rows = record.seats.map(({ bot, version }, seat) => [
      element("span", {}, viewer.seatLink(state, seat), element("span", { class: "name under" }, titled(bot))),
      element("code", {}, viewer.visible(version, 64).slice(0, 12)),
      String(sum(record.games.map((game) => game.scores[seat]))),
      shownRank(sum(record.games.map((game) => game.ranks[seat])) / record.games.length),
      wins(state, seat),
      out.has(seat) ? "in game " + out.get(seat) : "–",
    ]);
    const heads = ["Seat and bot", "Version", "Points", "Mean rank", "Games won", "Forfeited"];
    const caption = "Result over " + viewer.plural(record.games.length, "game") + ", as the record says";
    viewer.part("match").replaceChildren(viewer.table(caption, heads, rows, 2), gamesTable(state, jump));
  };

  function gamesTable(state, jump) {
    const { record } = state;
    const shown = record.games.slice(0, MOST_GAMES);
    const rows = shown.map((game, index) => [
      viewer.button({ class: "link", "aria-label": "Show game " + (index + 1) }, () => jump(index + 1), index + 1),
      ...game.scores.map((score, seat) =>
        element("span", { class: game.ranks[seat] === 1 ? "first" : null }, score + " (" + game.ranks[seat] + ")")
      ),
    ]);
    const cut = record.games.length > shown.length ? "; the first " + MOST_GAMES + " of " + record.games.length : "";
    const heads = ["Game", ...record.seats.map((_, seat) => viewer.seatName(record, seat))];
    const table = viewer.table("Points by game, rank in brackets" + cut, heads, rows, 1);
    return record.games.length > 12
      ? element("details", {}, element("summary", {}, "All " + record.games.length + " games"), table)
      : table;
  }

  viewer.drawTimes = (state) => {
    const { record } = state;
    const rows = record.timing.map((used, seat) => [
      viewer.seatLink(state, seat),
      String(used.decisions),
      String(used.late),
      used.decisions ? viewer.time(used.cpu_us / used.decisions) : "–",
      viewer.time(used.cpu_max_us),
      viewer.time(used.wall_max_us),
    ]);
    const billed = record.sandbox.clock === "wall" ? "wall time, since CPU time could not be had" : "CPU time";
    const heads = ["Seat and bot", "Decisions", "Late", "CPU, mean", "CPU, longest", "Wall, longest"];
    viewer.part("times").replaceChildren(viewer.table("Time a decision; billed is " + billed, heads, rows, 1));
    viewer.part("record").replaceChildren(viewer.definitions(recordFacts(record)));
  };

  function recordFacts(record) {
    const { sandbox, limits } = record;
    const shown = (text) => viewer.visible(text, 200);
    const code = (text) => element("code", { class: "unbroken" }, shown(text));
    const numbers = Object.entries(limits).filter(([, value]) => Number.isInteger(value));
    return [
      ["Match", shown(record.match)],
      ["Edition", shown(record.edition.name)],
      ["Seed", code(record.seed)],
      ["Sandbox", shown(sandbox.tier) + (sandbox.layers.length ? ": " + shown(sandbox.layers.join(", ")) : "")],
      ["Interpreters", shown([...new Set(sandbox.interpreters.filter((one) => one !== null))].join(", "))],
      ["Limits", viewer.visible(numbers.map(([name, value]) => name + " " + value).join(", "), 400)],
      ["Outcome", code(record.outcome)],
      ["Digest", code(record.digest)],
      ["Written by", "harness " + shown(record.harness)],
    ];
  }
})();
