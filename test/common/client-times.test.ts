/** The times of clients, whose names are not trusted. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientTimes, noteClient } from "../../server/common/client-times.ts";
import { workspace } from "../support/workspace.ts";

it("keeps the latest time of each client", () => {
  const folder = join(workspace(), "clients");
  noteClient(folder, "a", new Date(1_000_000));
  noteClient(folder, "b", new Date(2_000_000));
  noteClient(folder, "a", new Date(3_000_000));
  expect(clientTimes(folder)).toEqual([
    { name: "a", time: 3000 },
    { name: "b", time: 2000 },
  ]);
});

it("a name cannot lead out of the folder", () => {
  const top = workspace();
  const folder = join(top, "clients");
  for (const name of ["../up", "/etc/x", "..", ".", "", "a\u0000b\u001b[2J", "n".repeat(500)])
    noteClient(folder, name);
  expect(readdirSync(top)).toEqual(["clients"]);
  expect(readdirSync(folder).toSorted()).toEqual([".._up", "_etc_x", "a_b__2J", "n".repeat(60)]);
});

it("keeps at most fifty clients", () => {
  const folder = join(workspace(), "clients");
  for (let i = 0; i < 60; i++) noteClient(folder, `client ${i}`);
  expect(clientTimes(folder)).toHaveLength(50);
});

it("does nothing without a data folder", () => {
  const folder = join(workspace(), "none", "clients");
  noteClient(folder, "a");
  expect(existsSync(folder)).toBe(false);
  expect(clientTimes(folder)).toEqual([]);
});
