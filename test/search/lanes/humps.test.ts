/** Abbreviations of names by the beginnings of their words. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { identifierPartsOf } from "../../../server/common/words.ts";
import { humpsShare, initialsOf, startsOf } from "../../../server/search/lanes/humps.ts";

const share = (letters: string, name: string) => humpsShare(letters, identifierPartsOf(name));

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
  const word = fc.constantFrom("user", "group", "state", "set", "service", "index", "a", "map");
  const abbreviated = fc.tuple(word, fc.nat());
  const property = fc.property(fc.array(abbreviated, { minLength: 2, maxLength: 6 }), (all) => {
    const words = all.map(([one]) => one);
    const letters = all.map(([one, length]) => one.slice(0, 1 + (length % one.length))).join("");
    fc.pre(letters.length >= 3 && letters.length <= 24);
    expect(humpsShare(letters, words)).toBeGreaterThan(0.9);
  });
  fc.assert(property, { seed: 11, numRuns: 500 });
});

it("includes every capital in the initial letters of words", () =>
  expect(startsOf("JSONParser", identifierPartsOf("JSONParser"))).toBe("jpjsonp"));

it.each([
  ["HTTPClient", "httpc"],
  ["getUserById", "gubi"],
  ["get_user_by_id", "gubi"],
  ["sha256Hash", "s2h"],
  ["MAX_SIZE", "ms"],
])("the initials of %s are %s", (name, initials) =>
  expect(initialsOf(name, identifierPartsOf(name))).toBe(initials),
);
