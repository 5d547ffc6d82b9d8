/** Abbreviations of names by the beginnings of their words. */

import { expect, it } from "vitest";
import { partsOf } from "../../../server/common/words.ts";
import { humpsShare, startsOf } from "../../../server/search/lanes/humps.ts";
import { random } from "../../support/random.ts";

const share = (letters: string, name: string) => humpsShare(letters, partsOf(name));

it.each([
  ["sms", "SeriesMetadataService"],
  ["semese", "SeriesMetadataService"],
  ["imar", "IMediaAttachmentRepository"],
  ["jsonp", "JSONParser"],
  ["getusbyid", "get_user_by_id"],
])("%s abbreviates %s", (letters, name) => expect(share(letters, name)).toBeGreaterThan(0.9));

it.each([
  ["smx", "SeriesMetadataService"],
  ["mss", "SeriesMetadataService"],
  ["eries", "SeriesMetadataService"],
  ["s", "SeriesMetadataService"],
  ["se", "Series"],
])("%s does not abbreviate %s", (letters, name) => expect(share(letters, name)).toBe(0));

it("prefers a name without skipped words, then the shorter one", () => {
  const names = [
    "SeriesMetadataService",
    "SmallMailSender",
    "SomeMoreSlowService",
    "TheSeriesMetadataService",
  ];
  const best = names.toSorted((a, b) => share("sms", b) - share("sms", a));
  expect(best).toEqual([
    "SmallMailSender",
    "SeriesMetadataService",
    "SomeMoreSlowService",
    "TheSeriesMetadataService",
  ]);
});

it("abbreviates each name by any beginnings of all its words", () => {
  const chance = random(11);
  for (let i = 0; i < 500; i++) {
    const words = Array.from({ length: 2 + chance.int(5) }, () =>
      chance.pick(["user", "group", "state", "set", "service", "index", "a", "map"]),
    );
    const letters = words.map((word) => word.slice(0, 1 + chance.int(word.length))).join("");
    if (letters.length < 3 || letters.length > 24) continue;
    expect(humpsShare(letters, words), `${letters} ${words.join(" ")}`).toBeGreaterThan(0.9);
  }
});

it("includes every capital in the initial letters of words", () =>
  expect(startsOf("JSONParser", partsOf("JSONParser"))).toBe("jpjsonp"));
