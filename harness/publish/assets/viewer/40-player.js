// The player: which record, which game, which frame; moves in time and by steps. Draws through the parts.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const BEATS = { card: 1100, decided: 900, bust: 2200, over: 0 }; // milliseconds at speed 1
  const SLICE = 12; // milliseconds of checking at a time, so that nothing waits for it

  const state = {
    facts: null,
    record: null,
    own: false, // from this site, not from a file
    name: "", // of the file to download
    number: 1,
    frames: [],
    moments: [],
    at: 0,
    playing: false,
    speed: 1,
    follow: null,
  };
  viewer.state = state;
  let timer = 0;
  let checks = 0;
  let openings = 0;

  /** To be asked when something is opened: what comes tells whether nothing else has been opened meanwhile. */
  viewer.opening = () => {
    openings += 1;
    const mine = openings;
    return () => mine === openings;
  };

  /** Shows a record from the place `wanted` on. Throws, and leaves what was shown, where it can't be played again. */
  viewer.show = (record, wanted, own) => {
    const game = gameOf(record, nearest(record, wanted), (frames) => viewer.frameAt(frames, wanted));
    const follow = state.follow !== null && state.follow < record.seats.length ? state.follow : null;
    const name = record.match.replace(/[^A-Za-z0-9-]+/g, "-").slice(0, 80) + ".json";
    take({ record, own, follow, name, ...game });
    checkAll();
  };

  const nearest = (record, { game }) => Math.min(Math.max(1, game || 1), record.games.length);

  function gameOf(record, number, find) {
    const { frames } = viewer.expand(record, number);
    return { number, frames, moments: viewer.momentsOf(record, frames), at: Math.max(0, find(frames)) };
  }

  /** All or nothing: where drawing fails, what was shown is there again. */
  function take(next) {
    viewer.pause();
    const before = { ...state };
    try {
      draw(Object.assign(state, next), before.record);
    } catch (error) {
      Object.assign(state, before);
      if (before.record) {
        draw(state, next.record);
      }
      throw error;
    }
  }

  function draw(now, before) {
    if (now.record !== before) {
      viewer.drawRecord(now);
    }
    viewer.drawGame(now);
    viewer.drawFrame(now, false);
    viewer.reveal(now);
  }

  /** Another game of the record, if there is one, at the frame that `find` chooses. Says so where it can't be shown. */
  viewer.showGame = (number, find = () => 0) => {
    if (number < 1 || number > state.record.games.length) {
      return;
    }
    viewer.pause();
    try {
      take(gameOf(state.record, number, find));
    } catch (error) {
      viewer.refuse("Game " + number + " can't be shown. " + viewer.reason(error));
      viewer.drawPlace(state);
    }
  };

  /** Another moment of the record. */
  viewer.move = (wanted) =>
    viewer.showGame(nearest(state.record, wanted), (frames) => viewer.frameAt(frames, wanted));

  /** Where a fault or an incident took place. */
  viewer.showTurn = ({ game, turn }) =>
    viewer.showGame(Math.max(1, game), (frames) =>
      frames.findIndex((frame) => frame.turn === turn && frame.beat === "decided")
    );

  /** A frame of this game; beyond its ends the nearest. */
  viewer.goTo = (at) => {
    const before = state.at;
    state.at = Math.min(Math.max(0, at), state.frames.length - 1);
    viewer.drawFrame(state, state.at === before + 1);
  };

  /** The same by hand, which stops what plays. */
  viewer.jump = (at) => {
    viewer.pause();
    viewer.goTo(at);
  };

  viewer.step = (by) => viewer.jump(state.at + by);

  /** The first card of the next expedition, or of this one, or of the one before. */
  viewer.stepExpedition = (by) => {
    const starts = state.frames.flatMap((frame, at) =>
      (frame.beat === "card" && frame.card === 1) || frame.beat === "over" ? [at] : []);
    const next = by > 0 ? starts.find((at) => at > state.at) : starts.filter((at) => at < state.at).pop();
    viewer.jump(next ?? (by > 0 ? state.frames.length - 1 : 0));
  };

  /** The next moment of a kind, or the one before. Says whether there is one. */
  viewer.stepMoment = (kind, by) => {
    const mine = (moment) => state.follow === null || moment.seats.includes(state.follow);
    const kinds = kind === "leave" ? ["leave", "relic"] : [kind];
    const all = state.moments.filter((moment) => kinds.includes(moment.kind) && (kind !== "leave" || mine(moment)));
    const found = by > 0 ? all.find(({ at }) => at > state.at) : all.filter(({ at }) => at < state.at).pop();
    if (found) {
      viewer.jump(found.at);
    } else {
      viewer.say("No " + (by > 0 ? "further " : "earlier ") + kind + " in this game.");
    }
  };

  viewer.play = () => {
    if (state.at === state.frames.length - 1) {
      viewer.goTo(0);
    }
    state.playing = true;
    viewer.drawPlaying(state);
    schedule();
  };

  viewer.pause = () => {
    clearTimeout(timer);
    if (state.playing) {
      state.playing = false;
      viewer.drawPlaying(state);
      viewer.rememberPlace(state);
    }
  };

  viewer.toggle = () => (state.playing ? viewer.pause() : viewer.play());

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (state.at + 1 < state.frames.length) {
        viewer.goTo(state.at + 1);
      }
      if (state.at + 1 < state.frames.length) {
        schedule();
      } else {
        viewer.pause();
        viewer.drawFrame(state, false);
      }
    }, BEATS[state.frames[state.at].beat] / state.speed);
  }

  viewer.setSpeed = (speed) => {
    state.speed = speed;
    viewer.keepSetting("speed", speed);
    viewer.drawPlaying(state);
    if (state.playing) {
      schedule();
    }
  };

  /** A seat to follow, null for none. */
  viewer.follow = (seat) => {
    state.follow = seat !== null && seat < state.record.seats.length ? seat : null;
    viewer.drawFrame(state, false);
    viewer.drawFollow(state);
  };

  /** Compares every game's result with what the record says; warns of the first that differs. */
  function checkAll() {
    const { record } = state;
    checks += 1;
    const mine = checks;
    viewer.warn("");
    const { dataset } = viewer.part("viewer");
    delete dataset.checked;
    let number = 1;
    let before = viewer.before(record, number);
    const slice = () => {
      const until = performance.now() + SLICE;
      let problem = "";
      for (; mine === checks && !problem && number <= record.games.length && performance.now() < until; number += 1) {
        [problem, before] = compare(record, number, before);
      }
      if (mine !== checks) {
        return;
      }
      if (!problem && number <= record.games.length) {
        setTimeout(slice);
        return;
      }
      viewer.warn(problem);
      dataset.checked = "yes";
    };
    slice();
  }

  /** What is wrong with a game, "" where nothing is, and what the match brings to the next one. */
  function compare(record, number, before) {
    const said = record.games[number - 1];
    let told;
    try {
      told = viewer.expand(record, number, before);
    } catch (error) {
      return [error.message, null];
    }
    const name = ["scores", "ranks", "relics"].find((one) => told[one].join() !== said[one].join());
    const problem = name
      ? "Do not trust this record: of game " + number + " it says " + name + " " + said[name].join(", ") +
          ", by the rules they are " + told[name].join(", ") + "."
      : "";
    return [problem, told.after];
  }
})();
