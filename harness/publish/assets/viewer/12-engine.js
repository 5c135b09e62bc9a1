// The rules a second time: plays a game of a record again and tells it frame by frame.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;

  /** A record that can't be: `message` is the sentence for people. */
  class Impossible extends Error {}
  viewer.Impossible = Impossible;

  const seatsWith = (letters, letter) => [...letters].flatMap((one, seat) => (one === letter ? [seat] : []));

  /** What a match brings to its game `number`: the turns asked so far, and the seats that have forfeited. */
  viewer.before = (record, number) => {
    const forfeited = new Set();
    let turn = 0;
    for (const { expeditions } of record.games.slice(0, number - 1)) {
      for (const turns of expeditions) {
        turn += turns.length;
        turns.filter((letters) => letters.includes("x"))
          .forEach((letters) => seatsWith(letters, "x").forEach((seat) => forfeited.add(seat)));
      }
    }
    return { turn, forfeited };
  };

  /**
   * Game `number` (from 1) of a record: its `frames`, and `scores`, `ranks`, `relics` as the rules have them. `before`
   * is what the match brings to it, `after` what it brings to the next one, for those who go through all games.
   *
   * Frames are one a beat: "card" (revealed, decisions due, still sealed), "decided" (revealed together, the leavers'
   * shares in camp), "bust" (a card that ends the expedition) and at the end "over". Throws `Impossible`.
   */
  viewer.expand = (record, number, before = viewer.before(record, number)) => {
    const table = openGame(record, number, before);
    record.games[number - 1].expeditions.forEach((turns, index) => playExpedition(table, index + 1, turns));
    const result = resultOf(table);
    table.frames.push({ ...snapshot(table, "over"), result, leaving: null });
    const after = { turn: table.turn, forfeited: table.forfeited };
    return { number, frames: table.frames, ...result, after };
  };

  function openGame(record, number, { turn, forfeited }) {
    const seats = record.seats.length;
    const cards = viewer.cardsOf(record.edition);
    return {
      record,
      edition: record.edition,
      game: number,
      seats,
      cards,
      gone: new Set(),
      forfeited: new Set(forfeited),
      turn,
      chests: Array(seats).fill(0),
      relics: Array(seats).fill(0),
      relicsOut: 0,
      expedition: 0,
      path: [],
      deck: [],
      inside: [],
      pocket: 0,
      frames: [],
    };
  }

  function playExpedition(table, expedition, turns) {
    const where = "game " + table.game + ", expedition " + expedition;
    Object.assign(table, { expedition, path: [], pocket: 0, inside: [] });
    if (table.forfeited.size === table.seats) {
      must(turns.length === 0, where + " has turns although every seat has forfeited");
      return;
    }
    table.deck = deckOf(table);
    table.inside = seatsOf(table).filter((seat) => !table.forfeited.has(seat));
    let ended = false;
    for (const letters of turns) {
      must(!ended, where + " has turns after its end");
      ended = reveal(table, where);
      must(!ended, where + " has a turn at a card that ends the expedition");
      ended = decide(table, letters, where);
    }
    if (!ended) {
      must(table.inside.length && reveal(table, where), where + " stops before it is over");
    }
    table.path.forEach((card) => card.sort === "relic" && table.gone.add(card.id));
  }

  const seatsOf = (table) => Array.from({ length: table.seats }, (_, seat) => seat);

  function must(holds, sentence) {
    if (!holds) {
      throw new Impossible("No game by the rules has these decisions: " + sentence + ".");
    }
  }

  function deckOf(table) {
    const late = table.edition.relic_entry === "expedition";
    const there = (id) =>
      !table.gone.has(id) &&
      !(late && table.cards[id].sort === "relic" && table.cards[id].place >= table.expedition);
    return viewer.dealOrder(table.cards.length, table.record.seed, table.game, table.expedition).filter(there);
  }

  /** Turns up the next card; true when it ends the expedition. */
  function reveal(table, where) {
    must(table.path.length < table.deck.length, where + " goes on beyond the last card");
    const id = table.deck[table.path.length];
    const card = { id, ...table.cards[id], lying: 0 };
    card.nth = 1 + table.path.filter((other) => other.sort === card.sort && other.kind === card.kind).length;
    table.path.push(card);
    if (card.sort === "hazard" && card.nth === 2) {
      bust(table, id);
      return true;
    }
    if (card.sort === "treasure") {
      table.pocket += Math.floor(card.value / table.inside.length);
      card.lying = card.value % table.inside.length;
    } else if (card.sort === "relic") {
      card.lying = 1;
    }
    table.turn += 1;
    table.leaving = leavingOf(table);
    table.frames.push(snapshot(table, "card"));
    return false;
  }

  function bust(table, id) {
    const [caught, lost] = [table.inside, table.pocket];
    Object.assign(table, { inside: [], pocket: 0, leaving: null });
    table.frames.push({ ...snapshot(table, "bust"), caught, lost, left: lyingOn(table), ended: "hazard" });
    table.gone.add(id);
  }

  /** Plays a turn's letters; true when nobody is inside any more. */
  function decide(table, letters, where) {
    const allowed = (seat) => (table.inside.includes(seat) ? "CLx" : ".");
    const seats = seatsOf(table);
    const fits = letters.length === seats.length && seats.every((seat) => allowed(seat).includes(letters[seat]));
    const inside = table.inside.join(", ");
    must(fits, where + " has the turn “" + viewer.visible(letters, 12) + "” while " + inside + " are inside");
    const asked = table.inside;
    const gains = leave(table, seatsWith(letters, "L"));
    const faulted = seatsWith(letters, "x");
    faulted.forEach((seat) => table.forfeited.add(seat));
    table.inside = seatsWith(letters, "C");
    const empty = table.inside.length === 0;
    const lost = faulted.length ? table.pocket : 0;
    table.pocket = empty ? 0 : table.pocket;
    const told = { letters, asked, gains, faulted, lost, left: lyingOn(table), ended: empty ? "empty" : "" };
    table.frames.push({ ...snapshot(table, "decided"), ...told });
    return empty;
  }

  function leave(table, leavers) {
    if (!leavers.length) {
      return [];
    }
    const share = Math.floor(lyingOn(table).rubies / leavers.length);
    takeRubies(table, share * leavers.length);
    const taken = leavers.length === 1 ? table.path.filter((card) => card.sort === "relic" && card.lying) : [];
    const points = relicPoints(table, taken);
    taken.forEach((card) => {
      card.lying = 0;
      card.taken = leavers[0];
    });
    table.relicsOut += taken.length;
    return leavers.map((seat) => {
      const total = table.pocket + share + points;
      table.chests[seat] += total;
      table.relics[seat] += taken.length;
      return { seat, pocket: table.pocket, share, relics: taken.length, points, total };
    });
  }

  // Rubies are shared from one pool, so the rules don't say where the rest lies: here it stays at the newest cards.
  function takeRubies(table, count) {
    let due = count;
    for (const card of table.path.filter((one) => one.sort === "treasure")) {
      const taken = Math.min(due, card.lying);
      card.lying -= taken;
      due -= taken;
    }
  }

  function relicPoints(table, lying) {
    return lying.reduce((sum, card, index) => sum + (card.value ?? table.edition.relics[table.relicsOut + index]), 0);
  }

  function lyingOn(table) {
    const count = (sort) => table.path.reduce((sum, card) => sum + (card.sort === sort ? card.lying : 0), 0);
    return { rubies: count("treasure"), relics: count("relic") };
  }

  /** What one who leaves now would get: alone, as one of two, of three, for as many as are inside. */
  function leavingOf(table) {
    const { rubies } = lyingOn(table);
    const relics = relicPoints(table, table.path.filter((card) => card.sort === "relic" && card.lying));
    return [1, 2, 3]
      .filter((count) => count <= table.inside.length)
      .map((count) => table.pocket + Math.floor(rubies / count) + (count === 1 ? relics : 0));
  }

  function riskOf(table) {
    const up = new Set(table.path.filter((card) => card.sort === "hazard").map((card) => card.kind));
    const down = table.deck.slice(table.path.length);
    return { deadly: down.filter((id) => up.has(table.cards[id].kind)).length, of: down.length };
  }

  function snapshot(table, beat) {
    return {
      beat,
      game: table.game,
      expedition: table.expedition,
      card: table.path.length,
      turn: table.turn,
      path: table.path.map((card) => ({ ...card })),
      rubies: lyingOn(table).rubies,
      relicsLying: lyingOn(table).relics,
      inside: [...table.inside],
      forfeited: [...table.forfeited].sort((a, b) => a - b),
      pocket: table.pocket,
      chests: [...table.chests],
      relics: [...table.relics],
      relicsOut: table.relicsOut,
      risk: beat === "card" || beat === "decided" ? riskOf(table) : null,
      leaving: table.leaving,
      letters: "",
      asked: [...table.inside],
      gains: [],
      faulted: [],
      caught: [],
      lost: 0,
      ended: "",
    };
  }

  function resultOf(table) {
    const alive = seatsOf(table).filter((seat) => !table.forfeited.has(seat));
    const byRelics = table.edition.tie_break === "relics";
    const better = (a, b) =>
      table.chests[a] - table.chests[b] || (byRelics ? table.relics[a] - table.relics[b] : 0);
    const rank = (seat) => 1 + alive.filter((other) => better(other, seat) > 0).length;
    return {
      scores: [...table.chests],
      ranks: seatsOf(table).map((seat) => (table.forfeited.has(seat) ? alive.length + 1 : rank(seat))),
      relics: [...table.relics],
      alive: alive.length,
    };
  }
})();
