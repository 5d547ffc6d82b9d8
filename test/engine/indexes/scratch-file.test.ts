/** The scratch file returns stored data, reuses space, and is deleted with its process. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../../server/common/log.ts";
import type { ScratchRange } from "../../../server/contracts/graph.ts";
import { clearScratch, ScratchFile } from "../../../server/engine/indexes/scratch-file.ts";
import { forAllRandom } from "../../support/random.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("Data is read back, whatever was removed meanwhile", () =>
  forAllRandom({ seed: 3, numRuns: 5 }, ({ int: below, bytes: bytesOf }) => {
    const scratch = new ScratchFile(temporaryFolder(), silent);
    const held: { place: ScratchRange; bytes: Uint8Array }[] = [];
    const read = ({ place, bytes }: { place: ScratchRange; bytes: Uint8Array }) =>
      Buffer.compare(scratch.get(place), bytes) === 0;
    let wrong = 0;
    for (let step = 0; step < 800; step++) {
      if (held.length > 50 || (held.length > 0 && below(3) === 0)) {
        const [one] = held.splice(below(held.length), 1);
        if (one === undefined) continue;
        if (!read(one)) wrong++;
        scratch.remove(one.place);
      } else {
        const bytes = bytesOf(below(300));
        const place = scratch.put(bytes);
        if (place !== undefined) held.push({ place, bytes });
      }
    }
    expect(wrong).toBe(0);
    expect(held.length).toBeGreaterThan(0);
    expect(held.every(read)).toBe(true);
  }));

it("The space of removed data is reused", () => {
  const scratch = new ScratchFile(temporaryFolder(), silent);
  const offsets = Array.from({ length: 1000 }, () => {
    const place = scratch.put(new Uint8Array(100));
    if (place !== undefined) scratch.remove(place);
    return place?.offset ?? -1;
  });
  expect(new Set(offsets)).toEqual(new Set([0]));
});

it("The file is unlinked while it is open, and processes leave nothing", () => {
  const folder = join(temporaryFolder(), "scratch");
  const scratch = new ScratchFile(folder, silent);
  const place = scratch.put(Uint8Array.of(1, 2, 3)) ?? { offset: 0, length: 0 };
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, "left-behind"), "");
  clearScratch(folder);
  expect([...scratch.get(place)]).toEqual([1, 2, 3]);
});

it("Without a writable folder, nothing is stored", () => {
  const folder = temporaryFolder();
  const file = join(folder, "file");
  writeFileSync(file, "");
  const scratch = new ScratchFile(join(file, "scratch"), silent);
  expect(scratch.put(Uint8Array.of(1))).toBeUndefined();
});
