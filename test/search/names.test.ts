/** Definitions by their names as they are typed, in the order of a picker. */

import { expect, it } from "vitest";
import { searchSymbols } from "../../server/search/symbols.ts";
import { contextOf, embedded, indexOf, lanesOf } from "./support.ts";

const NAMES = [
  ["src/series.ts", "SeriesMetadataService:class"],
  ["src/service.ts", "SeriesMetadataService.start:method"],
  ["src/sms.ts", "smsOf:function"],
  ["src/movie.ts", "MovieMetadataService:class"],
  ["src/users.ts", "UserService.getUser:method UserService:class"],
  ["test/series.ts", "SeriesMetadataServiceTest:class"],
  ["src/fetch.ts", "FetchRequest:class"],
  ["src/manager.ts", "FetchRequestManager:class"],
  ["src/build.ts", "buildFetchRequest:function"],
] as const;

const context = contextOf(
  indexOf(
    "app",
    lanesOf(
      ...NAMES.map(([path, symbols]) => embedded(path, symbols.replaceAll(/[:.]/g, " "), symbols)),
    ),
  ),
);

const first = async (query: string, count = 1) =>
  (await searchSymbols(context, query, 20)).slice(0, count).map(({ symbol }) => symbol?.name);

it.each([
  ["initials", "SMS"],
  ["two letters of each word", "SeMeSe"],
  ["the whole name", "SeriesMetadataService"],
  ["small letters", "seriesmetadataservice"],
  ["its beginning", "SeriesMeta"],
  ["its words", "series metadata service"],
  ["a slip", "SeriesMetadtaService"],
])("finds a class by %s", async (_, query) =>
  expect(await first(query)).toEqual(["SeriesMetadataService"]),
);

it("shows names with this beginning before names that contain it, and code before tests", async () => {
  expect(await first("FetchReq", 3)).toEqual([
    "FetchRequest",
    "FetchRequestManager",
    "buildFetchRequest",
  ]);
  expect(await first("SeriesMetadataServ", 2)).toEqual([
    "SeriesMetadataService",
    "SeriesMetadataServiceTest",
  ]);
});

it("shows each definition once, with its own line", async () => {
  const hits = await searchSymbols(context, "UserService", 20);
  const places = hits.map(({ path, symbol }) => `${path} ${symbol?.name}`);
  expect(new Set(places).size).toBe(places.length);
});
