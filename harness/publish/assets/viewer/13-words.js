// A frame in words: one sentence that says what happened.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const numbers = ["nobody", "one", "two", "three", "four", "five", "six", "seven", "eight"];
  const NAME = 32; // characters of a bot's name in running text

  const plural = (count, one, many) => count + " " + (count === 1 ? one : many || one + "s");
  viewer.plural = plural;

  /** How a seat is called in running text: its number, since a bot may take several, and its bot. */
  viewer.seatName = (record, seat) => seat + ":" + viewer.visible(record.seats[seat].bot, NAME);

  /** "a", "a and b", "a, b and c". */
  function listed(words) {
    return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1];
  }
  viewer.listed = listed;

  const names = (record, seats) => listed(seats.map((seat) => viewer.seatName(record, seat)));

  /** What lies somewhere, empty where nothing does. */
  function heap({ rubies, relics }) {
    return listed([
      ...(rubies ? [plural(rubies, "ruby", "rubies")] : []),
      ...(relics ? [plural(relics, "relic")] : []),
    ]);
  }

  function staysBehind(left) {
    const words = heap(left);
    return words && words + (left.rubies + left.relics === 1 ? " stays" : " stay") + " behind";
  }

  /** What a card shows, in a word or two. */
  viewer.cardWords = (card) =>
    card.sort === "treasure"
      ? "treasure " + card.value
      : card.sort === "relic"
        ? "relic" + (card.value === null ? "" : " " + card.value)
        : viewer.visible(card.kind, 24);

  /** The sentence of a frame. */
  viewer.sentence = (record, frame) => {
    const say = { card: sayCard, decided: sayDecided, bust: sayBust, over: sayOver };
    return say[frame.beat](record, frame);
  };

  function sayCard(record, frame) {
    const card = frame.path[frame.path.length - 1];
    const start = "Card " + frame.card + ", " + viewer.cardWords(card);
    const inside = frame.inside.length;
    const alone = inside === 1 && viewer.seatName(record, frame.inside[0]) + ", alone inside,";
    const who = alone || "each of " + numbers[inside];
    if (card.sort === "hazard") {
      return start + ", the first: a second one would end the expedition.";
    }
    if (card.sort === "relic") {
      return start + ": it lies there for one who leaves alone.";
    }
    const each = Math.floor(card.value / inside);
    const gets = each ? who + " gets " + each : "too little for " + numbers[inside] + " to share";
    const stays = card.lying ? ", " + card.lying + (card.lying === 1 ? " stays" : " stay") + " on the card" : "";
    return start + ": " + gets + stays + ".";
  }

  function sayDecided(record, frame) {
    const parts = frame.faulted.map((seat) => sayForfeit(record, frame, seat));
    if (frame.gains.length) {
      parts.push(sayLeaving(record, frame));
    }
    if (frame.ended) {
      const left = staysBehind(frame.left);
      parts.push("nobody is left inside, the expedition ends" + (left && " and " + left));
    } else if (parts.length) {
      const few = frame.inside.length < 4;
      const who = few ? names(record, frame.inside) : "the other " + numbers[frame.inside.length];
      parts.push(who + (frame.inside.length === 1 ? " goes on" : " go on"));
    } else {
      parts.push(
        frame.inside.length === 1
          ? names(record, frame.inside) + " goes on, alone"
          : (frame.inside.length === 2 ? "both" : "all " + numbers[frame.inside.length]) + " go on"
      );
    }
    return "After card " + frame.card + ": " + parts.join("; ") + ".";
  }

  function sayForfeit(record, frame, seat) {
    const fault = record.faults.find((one) => one.seat === seat);
    const why = fault ? " (" + viewer.visible(fault.kind, 40) + ")" : "";
    return viewer.seatName(record, seat) + " forfeits" + why + (frame.lost ? " and loses " + frame.lost : "");
  }

  function sayLeaving(record, frame) {
    const [first] = frame.gains;
    const one = frame.gains.length === 1;
    const terms = ["pocket " + first.pocket];
    if (first.share) {
      terms.push(first.share + " from the path");
    }
    if (first.relics) {
      terms.push(plural(first.relics, "relic") + " worth " + first.points);
    }
    const stays = frame.rubies === 1 ? " stays" : " stay";
    return (
      names(record, frame.gains.map((gain) => gain.seat)) +
      (one ? " leaves alone with " : " leave together with ") +
      first.total +
      (one ? "" : " each") +
      (terms.length > 1 ? " (" + terms.join(" + ") + ")" : "") +
      (frame.rubies && !frame.ended ? ", " + frame.rubies + stays + " on the path" : "")
    );
  }

  function sayBust(record, frame) {
    const kind = viewer.visible(frame.path[frame.path.length - 1].kind, 24);
    const one = frame.caught.length === 1;
    const verb = one ? " loses " : " lose ";
    const left = staysBehind(frame.left);
    return (
      "Card " + frame.card + ", " + kind + ", the second: the expedition ends, " +
      names(record, frame.caught) + verb + (frame.lost || "nothing") + (one || !frame.lost ? "" : " each") + "." +
      (left && " " + left + ".") +
      " One " + kind + " card leaves the game."
    );
  }

  function sayOver(record, frame) {
    const { scores, ranks, alive } = frame.result;
    const start = "Game " + frame.game + " is over: ";
    if (!alive) {
      return start + "every seat has forfeited, nobody wins.";
    }
    const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const points = plural(scores[winners[0]], "point");
    return winners.length === 1
      ? start + names(record, winners) + " wins with " + points + "."
      : start + names(record, winners) + " share the victory with " + points + " each.";
  }

  /** Where a frame is: "expedition 3, card 5". */
  viewer.place = (frame) =>
    frame.beat === "over" ? "end of the game" : "expedition " + frame.expedition + ", card " + frame.card;
})();
