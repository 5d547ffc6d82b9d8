/** `model`: the question before an installation, the lists, and the findings of the doctor. */

import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelFindings } from "../../server/cli/doctor-models.ts";
import {
  converted,
  emptyInstaller,
  HAS_LOCAL_MODEL,
  LOCAL_MODEL,
  NAME,
  readyInstaller,
  temporaryFolder,
} from "../support/local-model.ts";
import { run } from "./run-cli.ts";

/** Nothing is installed, and nothing could be: the programs are missing. */
const nothing = () => ({ models: join(temporaryFolder(), "models"), programs: "" });

it("lists the models that are known by name, with size and license, and says which are not measured", async () => {
  const { code, out } = await run(["model", "list"], { installer: nothing() });
  expect(code).toBe(0);
  expect(out).toContain("known      all-MiniLM-L6-v2  384 dimensions, 23 MB, Apache-2.0\n");
  expect(out).toContain("bge-reranker-base  reranker, 279 MB, MIT, not measured here");
});

it("removing a model that is not installed finds nothing", async () => {
  const { code, err } = await run(["model", "remove", NAME], { installer: nothing() });
  expect([code, err]).toEqual([1, `no model named "${NAME}" is installed\n`]);
});

it("the doctor has nothing to say without a model", async () => {
  expect(await modelFindings(nothing().models)).toEqual([]);
});

describe.skipIf(!HAS_LOCAL_MODEL)(`The command model ${LOCAL_MODEL}`, () => {
  const install = ["model", "install", "tried", "--from", HAS_LOCAL_MODEL ? converted("int8") : ""];

  it("says size, license, cost and places, and installs nothing without an answer", async () => {
    const installer = emptyInstaller();
    const { code, out, err } = await run(install, { installer });
    expect(code).toBe(2);
    expect(out).toContain("tried: embedding model, 24 MB, license not known here");
    expect(out).toContain("@huggingface/transformers 4.3.2");
    expect(out).toContain(installer.models);
    expect(err).toContain("nothing was installed; add --yes to install");
    expect((await run(["model", "list"], { installer })).out).not.toContain("installed");
  });

  it("says the measured cost of a known model", async () => {
    const args = ["model", "install", NAME, "--from", converted("int8")];
    const { out } = await run(args, { installer: emptyInstaller() });
    expect(out).toMatch(/license Apache-2\.0\n.*\n.*\n {2}cost {5}\d+ ms of one core per chunk/);
  });

  it("installs nothing after a no", async () => {
    const installer = emptyInstaller();
    const outcome = await run(install, { installer, terminal: true, typed: () => "n\n" });
    expect(outcome.err).toContain("nothing was installed");
    expect((await run(["model", "list"], { installer })).out).not.toContain("installed");
  });

  it("installs, lists and removes a model", async () => {
    const installer = emptyInstaller();
    const { code, out } = await run([...install, "--yes"], { installer });
    expect(code).toBe(0);
    expect(out).toMatch(/installed tried: 384 dimensions, \d+ ms per chunk with one thread/);
    expect(out).toContain("set embedding.provider to local and embedding.model to tried");
    const listed = await run(["model", "list"], { installer });
    expect(listed.out).toContain("installed  tried  384 dimensions, 24 MB, see its card\n");
    const json = await run(["model", "list", "--json"], { installer });
    expect(JSON.parse(json.out)).toMatchObject({
      installed: [{ name: "tried", kind: "embedding", dimension: 384, dtype: "q8" }],
    });
    expect((await run(["model", "remove", "tried"], { installer })).out).toBe("removed tried\n");
    expect((await run(["model", "list"], { installer })).out).not.toContain("installed");
  });

  it("The doctor names a file that has changed since, and the remedy", async () => {
    const { models } = await readyInstaller();
    expect(await modelFindings(models)).toEqual([
      { what: `model ${NAME}`, ok: true, detail: "embedding, 24 MB, license Apache-2.0" },
    ]);
    truncateSync(join(models, NAME, "tokenizer.json"), 10);
    const [finding] = await modelFindings(models);
    expect(finding).toMatchObject({ ok: false, remedy: expect.stringContaining("model remove") });
    expect(finding?.detail).toContain("tokenizer.json has changed since");
  });
});
