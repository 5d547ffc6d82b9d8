/** Scans of files in memory: counts, failures, secrets, and the time limit. */

import { expect, it } from "vitest";
import type { FileToScan, NoText, Sought, WholeText } from "../../../server/contracts/scanner.ts";
import { listPlaces, scanFiles } from "../../../server/search/occurrences/scan.ts";

const whole = (text: string, masked = text): WholeText => ({
  text,
  masked: () => masked,
  mayHave: () => true,
  sha256: "0",
});
const FILES: Readonly<Record<string, WholeText | NoText>> = {
  "a.ts": whole("lock lock\nlock"),
  "none.ts": whole("nothing"),
  "secret.ts": whole("key = lock", "key = ****"),
  "gone.ts": { failure: undefined },
  "large.ts": { failure: "too large" },
};
const tools = {
  read: async (_root: string, { path }: { readonly path: string }) =>
    FILES[path] ?? { failure: undefined },
  detect: (path: string) => path.slice(path.indexOf(".") + 1),
};
const files = Object.keys(FILES).map((path) => ({ path }));
const sought = (text: string, kind: Sought["kind"] = "exact"): Sought => ({
  text,
  kind,
  ignoreCase: false,
});
const job = { root: "/code", maxFileBytes: 1_000, limitMs: 60_000 };
const paths = Object.keys(FILES);
const scanJob = { ...job, paths: paths.join("\0"), from: 0, known: new Map(), sliceMs: 60_000 };

it("counts by file, names failures, and passes over files that are gone", async () =>
  expect(await scanFiles({ ...scanJob, sought: sought("lock") }, tools)).toEqual({
    kind: "scanned",
    files: 5,
    matching: [{ path: "a.ts", matches: 3, languageId: "ts" }],
    failures: [{ path: "large.ts", reason: "too large" }],
  }));

it("stops before a file when the time is up", async () =>
  expect(await scanFiles({ ...scanJob, limitMs: -1, sought: sought("lock") }, tools)).toEqual({
    kind: "scanned",
    files: 0,
    matching: [],
    failures: [],
  }));

it("ends after a file when the slice is over, and uses the encodings and texts of the job", async () => {
  const known = new Map([["b.ts", { text: "lock", encoding: "latin1" }]]);
  const read = async (_root: string, file: FileToScan) => whole(`${file.text} ${file.encoding}`);
  const slice = {
    ...scanJob,
    paths: "b.ts\0c.ts",
    known,
    sliceMs: -1,
    sought: sought("lock latin1"),
  };
  expect(await scanFiles(slice, { ...tools, read })).toMatchObject({
    files: 1,
    matching: [{ path: "b.ts", matches: 1 }],
  });
});

it("continues after the files of earlier jobs", async () => {
  const rest = { ...scanJob, from: 1, sought: sought("lock") };
  expect(await scanFiles(rest, tools)).toMatchObject({ files: 4, matching: [] });
});

it("does not look through a text that refuses the trigrams of an exact text", async () => {
  const read = async () => ({ ...whole("lock"), mayHave: () => false });
  const matching = async (kind: Sought["kind"]) =>
    (await scanFiles({ ...scanJob, sought: sought("lock", kind) }, { ...tools, read })) as object;
  expect(await matching("exact")).toMatchObject({ matching: [] });
  expect(await matching("pattern")).not.toMatchObject({ matching: [] });
});

it("refuses an invalid pattern before it reads", async () =>
  expect(await scanFiles({ ...scanJob, sought: sought("(", "pattern") }, tools)).toMatchObject({
    kind: "invalid",
    problem: expect.stringContaining("missing closing )"),
  }));

it("lists a part of the matches of each file that is there", async () => {
  const parts = files.map((file) => ({ ...file, from: 1, to: 3 }));
  const listed = await listPlaces({ ...job, files: parts, sought: sought("lock") }, tools);
  expect(
    listed.map(({ path, places }) => [
      path,
      ...places.map(({ line, column }) => `${line}:${column}`),
    ]),
  ).toEqual([["a.ts", "0:5", "1:0"], ["none.ts"], ["secret.ts"]]);
});
