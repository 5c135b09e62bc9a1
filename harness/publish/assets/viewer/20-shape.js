// Whether what was read is a record that can be shown; says in one sentence what is wrong where it is not.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  /** Something that can't be shown: `message` is the sentence for people, what is wrong and what to do. */
  class Refusal extends Error {}
  viewer.Refusal = Refusal;

  const whole = (least, most) => (value) => Number.isInteger(value) && value >= least && value <= most;
  const word = (most) => (value) => typeof value === "string" && value.length <= most;
  const oneOf = (...words) => (value) => words.includes(value);
  const list = (least, most, item) => (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(item);
  const object = (fields) => (value) =>
    value !== null && typeof value === "object" && Object.keys(fields).every((name) => fields[name](value[name]));
  const matches = (pattern) => (value) => typeof value === "string" && new RegExp("^(?:" + pattern + ")$").test(value);

  const exact = Number.MAX_SAFE_INTEGER;
  const count = whole(0, exact);
  const text = word(exact);
  const textOrNull = (value) => value === null || text(value);

  const editionFor = ({ name, expeditions, cards, kinds, kind, copies, value }) => ({
    name: word(name),
    expeditions: whole(1, expeditions),
    treasures: list(0, cards, whole(0, value)),
    hazards: list(1, kinds, object({ kind: matches(kind), copies: whole(copies, cards) })),
    relics: list(0, cards, whole(0, value)),
    relic_entry: oneOf("start", "expedition"),
    relic_value: oneOf("order", "printed"),
    tie_break: oneOf("none", "relics"),
  });

  const fault = (seats) => ({
    seat: whole(0, seats - 1),
    kind: text,
    game: count,
    expedition: count,
    turn: count,
    cpu_us: count,
    wall_us: count,
    expected: text,
    got: text,
    exit: (value) => value === null || whole(-exact, exact)(value),
  });
  const times = ["decisions", "late", "cpu_us", "cpu_max_us", "wall_us", "wall_max_us"];

  function fieldsFor(seats, expeditions, bounds) {
    const [fewest, most] = bounds.seats;
    const bySeat = list(seats, seats, count);
    // A turn a card at most.
    const turns = list(0, bounds.cards, matches("[CLx.]{" + seats + "}"));
    const game = { expeditions: list(expeditions, expeditions, turns), scores: bySeat, ranks: bySeat, relics: bySeat };
    return {
      match: text,
      harness: text,
      seed: matches("[0-9a-f]{32}"),
      seats: list(fewest, most, object({ bot: text, version: text })),
      games: list(1, bounds.games, object(game)),
      outcome: text,
      digest: text,
      limits: object({}),
      sandbox: object({ tier: text, layers: list(0, 100, text), clock: text, interpreters: list(0, 100, textOrNull) }),
      faults: list(0, most, object(fault(seats))),
      incidents: list(0, 1000, object(fault(seats))),
      timing: list(seats, seats, object(Object.fromEntries(times.map((name) => [name, count])))),
    };
  }

  /** The record itself; `Refusal` names `source` and the first field that is wrong. */
  viewer.checkShape = (record, source) => {
    const isObject = record !== null && typeof record === "object" && !Array.isArray(record);
    if (isObject && record.format === "tacora-season/1") {
      throw new Refusal(
        source + " holds a whole season, and this viewer shows one match at a time: " +
          "open the match on the season's pages, or take it out with “harness replay export”."
      );
    }
    if (!isObject || record.format !== "tacora-replay/1") {
      throw new Refusal(
        source + " is no replay: a replay is one JSON object with the format “tacora-replay/1”. " +
          "Take one from the page of a match, or make one with “harness play --record FILE”."
      );
    }
    const { bounds } = viewer.pageFacts();
    const games = Array.isArray(record.games) ? record.games.length : 0;
    if (games > bounds.games) {
      throw new Refusal(
        source + " has " + games + " games, and a match has " + bounds.games + " at most. Is it another file?"
      );
    }
    checkFields(record.edition, editionFor(bounds), "edition.", source);
    const seats = Array.isArray(record.seats) ? record.seats.length : 0;
    checkFields(record, fieldsFor(seats, record.edition.expeditions, bounds), "", source);
    return record;
  };

  function checkFields(value, fields, prefix, source) {
    const isObject = value !== null && typeof value === "object";
    const bad = Object.keys(fields).find((name) => !isObject || !fields[name](value[name]));
    if (bad) {
      throw new Refusal(
        source + " can't be shown: its field “" + prefix + bad + "” is missing or not what a replay has there. " +
          "Fetch the file again, or let “harness replay verify” say more."
      );
    }
  }
})();
