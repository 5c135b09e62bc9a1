"""What the viewer's page shows, read from its elements, and the comparison with what a replay must show."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.publish.browser import Visit
from tests.publish.viewer_frames import Frame

NONE = "–"

SHOWN = """() => {
  const part = (name) => document.querySelector(`[data-viewer="${name}"]`);
  const text = (name) => part(name).textContent;
  const tokens = (name) => [...part(name).querySelectorAll("li")].map((one) => ({
    seat: Number(one.querySelector(".token text").textContent),
    vote: [...(one.querySelector(".vote")?.classList ?? [])].map((word) => word.replace("vote-", "")).pop() ?? "",
    gain: one.querySelector(".gain")?.textContent ?? "",
    loss: one.querySelector(".loss")?.textContent ?? "",
  }));
  return {
    where: text("where"),
    cards: [...part("path").querySelectorAll(".cave-card:not(.back)")].map((card) => ({
      name: card.querySelector(".card-name").textContent,
      lying: card.querySelector(".card-lying")?.textContent ?? "",
      deadly: card.classList.contains("deadly"),
    })),
    risk: [text("risk"), text("risk-of")],
    gauges: ["pocket", "rubies", "relics", "relics-out", "alone", "of-two", "of-three"].map(text),
    inside: tokens("inside"),
    camp: tokens("camp"),
    out: tokens("out"),
    seats: [...part("seats").rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim())),
    result: [...part("result").querySelectorAll("tbody tr")]
      .map((row) => [...row.cells].map((cell) => cell.textContent)),
    sentence: text("sentence"),
    slider: Number(part("slider").value),
  };
}"""


def ready(visit: Visit) -> Visit:
    """Waits until a record is shown and all of its games are compared with what it says."""
    part(visit.page, "viewer", "[data-checked]").wait_for()
    return visit


def part(page: Page, name: str, more: str = "") -> Any:
    return page.locator(f'[data-viewer="{name}"]{more}')


def shown(visit: Visit) -> dict[str, Any]:
    told: dict[str, Any] = visit.page.evaluate(SHOWN)
    return told


def must_show(visit: Visit, record: dict[str, Any], frames: list[Frame], at: int) -> None:
    """Compares everything that is on the page with the frame."""
    told, frame = shown(visit), frames[at]
    seats = range(len(record["seats"]))
    where = f"frame {at}"
    assert told["slider"] == at, where
    if frame["beat"] == "over":
        ranked = sorted(seats, key=lambda seat: (frame["ranks"][seat], seat))
        assert [int(row[2]) for row in told["result"]] == [frame["scores"][seat] for seat in ranked], where
        assert [int(row[1].split(",")[0]) for row in told["result"]] == [frame["ranks"][seat] for seat in ranked]
        assert [int(row[3]) for row in told["result"]] == [frame["relics"][seat] for seat in ranked]
        return
    assert f"expedition {frame['expedition']} of" in told["where"], where
    assert told["where"].endswith(f"card {frame['card']}"), where
    assert [card["name"] for card in told["cards"]] == [name.removeprefix("treasure ") for name in frame["path"]]
    lying = [int(card["lying"].split(" ")[0]) for card in told["cards"] if card["lying"].split(" ")[0].isdigit()]
    assert sum(lying) == frame["rubies"], where
    assert [card["lying"] for card in told["cards"]].count("here") == frame["relics_lying"], where
    bust = frame["beat"] == "bust"
    assert [card["deadly"] for card in told["cards"]].count(True) == (2 if bust else 0), where
    if bust:
        assert told["risk"][0] == NONE
    else:
        deadly, of = frame["risk"]
        assert told["risk"][1] == f"{deadly} of {of} cards", where
        # To one decimal; a half may go either way.
        assert abs(float(told["risk"][0].removesuffix("\N{NO-BREAK SPACE}%")) - 100 * deadly / of) < 0.0501, where
    leaving = [*map(str, frame["leaving"] or []), NONE, NONE, NONE][:3]
    counts = [frame["pocket"], frame["rubies"], frame["relics_lying"], frame["relics_out"]]
    assert told["gauges"] == [*map(str, counts), *leaving], where
    in_cave = frame["caught"] if bust else frame["inside"]
    out = frame["forfeited"]
    zones = {name: [token["seat"] for token in told[name]] for name in ("inside", "camp", "out")}
    in_camp = [seat for seat in seats if seat not in in_cave and seat not in out]
    assert zones == {"inside": in_cave, "camp": in_camp, "out": out}, where
    tokens = {token["seat"]: token for name in ("inside", "camp", "out") for token in told[name]}
    for seat in seats:
        sealed = "sealed" if frame["beat"] == "card" and seat in in_cave else ""
        letter = frame["letters"][seat].replace(".", "") if frame["letters"] else sealed
        gain, loss = frame["gains"].get(seat), frame["lost"] if bust and seat in in_cave else 0
        assert tokens[seat]["vote"] == letter, where
        assert tokens[seat]["gain"] == (f"+{gain}" if gain is not None else ""), where
        assert tokens[seat]["loss"] == (f"−{loss}" if loss else ""), where
        _, _, pocket, chest, relics = told["seats"][seat]
        assert pocket == (str(frame["pocket"]) if seat in frame["inside"] else NONE), where
        assert chest.split(" ")[-1].split("\n")[-1] == str(frame["chests"][seat]), where
        assert relics == str(frame["relics"][seat]), where


def costly_bust(frames: list[Frame]) -> int:
    return next(at for at, frame in enumerate(frames) if frame["beat"] == "bust" and frame["lost"])
