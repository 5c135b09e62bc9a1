// What is drawn when: once a record, once a game, at every frame.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const ending = document.title.replace(/^[^·]*/, " ");
  let writing = 0;

  /** Says something politely to those who can't see it. */
  viewer.say = (text) => {
    viewer.part("status").textContent = text;
  };

  /** A warning that stays above the replay; none where the text is empty. */
  viewer.warn = (text) => {
    viewer.part("warning").textContent = text;
    viewer.part("warning").hidden = !text;
  };

  /** A sentence about something that could not be shown; what was shown stays. */
  viewer.refuse = (text) => {
    viewer.part("refusal-text").textContent = text;
    viewer.part("refusal").hidden = !text;
  };

  /** Why something can't be shown, a sentence. */
  viewer.reason = (error) =>
    error instanceof viewer.Refusal || error instanceof viewer.Impossible
      ? error.message
      : "It is no replay that this page can show.";

  /** The last thing to do once all is drawn. */
  viewer.reveal = (state) => {
    const { own, record } = state;
    const title = own && record.fixture
      ? "Round " + record.fixture.round + ", match " + record.fixture.number
      : "Match " + viewer.visible(record.match, 60);
    viewer.refuse("");
    viewer.part("welcome").hidden = true;
    viewer.part("viewer").hidden = false;
    viewer.part("report").hidden = false;
    viewer.part("title").textContent = title;
    viewer.part("players").textContent = seatNames(record).join(", ");
    if (!own) {
      document.title = title + " · from a file";
    } else if (state.facts.index.length) {
      document.title = title + ending;
    }
  };

  const seatNames = (record) => record.seats.map((_, seat) => viewer.seatName(record, seat));

  viewer.drawRecord = (state) => {
    const { record } = state;
    options("game", record.games.map((_, index) => [index + 1, "Game " + (index + 1)]));
    options("follow", [["", "nobody"], ...seatNames(record).map((name, seat) => [seat, name])]);
    viewer.part("game-choice").hidden = record.games.length < 2;
    viewer.drawMatch(state, viewer.showGame);
    viewer.drawTimes(state);
    viewer.drawFaults(state, viewer.showTurn);
    viewer.drawFollow(state);
    viewer.drawPlaying(state);
  };

  function options(name, pairs) {
    viewer.part(name).replaceChildren(...pairs.map(([value, text]) => viewer.element("option", { value }, text)));
  }

  // The controls must not move while the cave grows: room for the game's longest expedition, and for all explorers.
  function reserveRoom(state) {
    const most = Math.max(...state.frames.map((frame) => frame.card)) + 1;
    const { style } = viewer.part("scene");
    style.setProperty("--rows-of-six", Math.ceil(most / 6));
    style.setProperty("--rows-of-ten", Math.ceil(most / 10));
    style.setProperty("--rows-of-three", Math.ceil(state.record.seats.length / 3));
    style.setProperty("--rows-of-four", Math.ceil(state.record.seats.length / 4));
  }

  /** The game and the address of what is shown. */
  viewer.drawPlace = (state) => {
    viewer.part("game").value = String(state.number);
    viewer.rememberPlace(state);
  };

  viewer.drawGame = (state) => {
    viewer.part("game").value = String(state.number);
    const slider = viewer.part("slider");
    slider.max = String(state.frames.length - 1);
    reserveRoom(state);
    viewer.drawMarks(state);
    viewer.drawChart(state);
    viewer.drawMoments(state, viewer.jump);
  };

  viewer.drawFrame = (state, fresh) => {
    const frame = state.frames[state.at];
    const sentence = viewer.sentence(state.record, frame);
    viewer.drawCave(state, fresh && !viewer.stillness());
    viewer.drawGauges(state);
    viewer.drawSeats(state);
    viewer.moveChart(state);
    viewer.markMoment(state);
    viewer.part("sentence").textContent = sentence;
    const slider = viewer.part("slider");
    slider.value = String(state.at);
    slider.setAttribute("aria-valuetext", viewer.place(frame) + (frame.beat === "decided" ? ", decided" : ""));
    // Read out while it plays fast, sentences would pile up.
    if (!state.playing || state.speed <= 1) {
      viewer.say(sentence);
    }
    viewer.rememberPlace(state);
  };

  // Browsers allow only so many changes of the address in a while.
  viewer.rememberPlace = (state) => {
    clearTimeout(writing);
    const { hash } = location;
    const write = () => {
      // A link may have been followed meanwhile, whose match is not shown yet.
      if (location.hash === hash) {
        try {
          history.replaceState(null, "", viewer.addressOf(state));
        } catch {
          // Too many at once; the next step writes it.
        }
      }
    };
    writing = state.playing ? 0 : setTimeout(write, 250);
  };

  /** The address of what is shown now, as far as others can open it. */
  viewer.addressOf = (state) => {
    const asked = new URLSearchParams(location.search);
    if (state.follow === null) {
      asked.delete("seat");
    } else {
      asked.set("seat", String(state.follow));
    }
    const { fixture } = state.record;
    const season = state.facts.index.length > 0;
    const match = state.own && season && fixture ? "r" + fixture.round + "m" + fixture.number + "-" : "";
    const query = asked.toString();
    const place = location.pathname + (query ? "?" + query : "");
    // A file that was dropped on the page of a season has no address there.
    return state.own || !season ? place + "#" + match + viewer.momentOf(state.frames[state.at]) : place;
  };

  viewer.drawPlaying = (state) => {
    const button = viewer.part("play");
    button.setAttribute("aria-label", state.playing ? "Pause" : "Play");
    button.classList.toggle("playing", state.playing);
    viewer.part("speed").value = String(state.speed);
    viewer.part("viewer").classList.toggle("fast", state.playing && state.speed > 1);
  };

  viewer.drawFollow = (state) => {
    viewer.part("follow").value = state.follow === null ? "" : String(state.follow);
  };
})();
