/** A local model in the whole program: as the embedding and as the reranker, and while it or its runtime is missing. */

import { cpSync, mkdirSync, realpathSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { HAS_LOCAL_MODEL, LOCAL_MODEL, NAME, readyInstaller } from "../support/local-model.ts";
import { workspace } from "../support/workspace.ts";

let dispose: () => Promise<void> = async () => undefined;
afterEach(() => dispose());

const ZOO = `
//- src/animals.py
def feed_the_dog(bowl):
    """Gives the dog its dinner."""
    return bowl.fill("meat")
//- src/vehicles.py
def repair_the_car(garage):
    """Changes the tires of the car."""
    return garage.wheels()
//- src/numbers.py
def add_numbers(first, second):
    """The sum of two integers."""
    return first + second
//- src/mail.py
def send_letter(address):
    """Puts a stamp on the letter."""
    return address.post()
`;

/** No word of it is in the workspace. */
const PUPPY = { query: "where does a puppy get something to eat", limit: 4 };

async function started(settings: PartialSettings, { isInstalled = true } = {}) {
  const engine = testEngine();
  dispose = () => engine.dispose();
  if (isInstalled) await installInto(engine);
  const session = engine.session();
  await session.configure(settings);
  return { engine, session };
}

async function installInto({ home }: TestEngine): Promise<void> {
  const { models } = await readyInstaller();
  mkdirSync(home.models, { recursive: true });
  symlinkSync(realpathSync(join(models, "runtime")), join(home.models, "runtime"), "junction");
  cpSync(join(models, NAME), join(home.models, NAME), { recursive: true });
}

async function open(session: Session, literal: string = ZOO): Promise<string> {
  const root = workspace(literal);
  await session.openFolders([root]);
  await session.whenIdle();
  return root;
}

const LOCAL: PartialSettings = { "embedding.provider": "local" };

describe.skipIf(!HAS_LOCAL_MODEL)(`A local model in the engine, ${LOCAL_MODEL}`, () => {
  it("embeds chunks and questions, and is named in status and doctor", async () => {
    const { session } = await started({ ...LOCAL, "embedding.model": NAME });
    await open(session);
    const { hits, mode, warnings } = await session.search(PUPPY);
    expect(warnings).toEqual([]);
    expect(mode).toBe("hybrid");
    expect(hits[0]?.path).toBe("src/animals.py");
    const { indexes } = await session.status();
    expect(indexes[0]).toMatchObject({ model: `local:${NAME}`, pending: 0, state: "ready" });
    const findings = await session.doctor();
    expect(findings.find(({ what }) => what.startsWith("embedding for"))).toMatchObject({
      ok: true,
      detail: `local:${NAME}, 384 dimensions`,
    });
  });

  it("lets the built-in model answer until it is installed, and then embeds the waiting chunks", async () => {
    const { engine, session } = await started(LOCAL, { isInstalled: false });
    await open(session);
    const { hits, mode, warnings } = await session.search({ query: "repair the car" });
    expect(mode).toBe("hybrid");
    expect(hits[0]?.path).toBe("src/vehicles.py");
    expect(warnings.join()).toContain(`run cocosearch-lsp model install ${NAME}`);
    await installInto(engine);
    await eventually(async () => {
      const { indexes } = await session.status();
      expect(indexes[0]).toMatchObject({ state: "ready", pending: 0 });
      expect((await session.search(PUPPY)).hits[0]?.path).toBe("src/animals.py");
    });
  });

  it("keeps vectors of another dimension apart: keywords answer until the index is made again", async () => {
    const { engine, session } = await started(LOCAL);
    const root = await open(session);
    const other = engine.session();
    await session.dispose();
    await other.configure({ ...LOCAL, "embedding.dimensions": 128 });
    await other.openFolders([root]);
    await other.whenIdle();
    const before = await other.search(PUPPY);
    expect(before.mode).toBe("keyword");
    expect(before.warnings.join()).toContain(`local:${NAME}:128`);
    expect((await other.search({ query: "repair the car" })).hits[0]?.path).toBe("src/vehicles.py");
    await other.reindex({ full: true });
    await other.whenIdle();
    const after = await other.search(PUPPY);
    expect([after.mode, after.hits[0]?.path]).toEqual(["hybrid", "src/animals.py"]);
  });

  it("is set by the user only: the file of a workspace is not trusted", async () => {
    const { session } = await started({});
    const file = "embedding:\n  provider: local\nrerank:\n  provider: local\n  model: theirs\n";
    await open(session, `${ZOO}//- cocosearch.yaml\n${file}`);
    const { indexes } = await session.status();
    expect(indexes[0]?.model).toMatch(/^builtin:/);
    expect((await session.search(PUPPY)).warnings.join()).not.toContain("rerank");
  });

  it("reranks with the scores of pairs, unless the request turns it off", async () => {
    const { session } = await started({
      "rerank.provider": "local",
      "rerank.model": NAME,
      "rerank.timeoutMs": 60_000,
    });
    await open(session);
    const reranked = await session.analyze({ query: "the dog, the car, numbers and a letter" });
    expect(reranked.warnings).toEqual([]);
    const stage = reranked.stages.find(({ name }) => name === "rerank");
    expect(stage?.notes).toMatchObject({ model: `local:${NAME}`, scored: 4 });
    const plain = await session.analyze({
      query: "the dog, the car, numbers and a letter",
      rerank: false,
    });
    expect(plain.stages.map(({ name }) => name)).not.toContain("rerank");
  });

  it("keeps the order of an answer without its runtime, and reports it", async () => {
    const { engine, session } = await started({
      "rerank.provider": "local",
      "rerank.model": NAME,
      "rerank.timeoutMs": 60_000,
    });
    await open(session);
    unlinkSync(join(engine.home.models, "runtime"));
    const { hits, warnings } = await session.search({ query: "repair the car" });
    expect(hits[0]?.path).toBe("src/vehicles.py");
    expect(warnings.join()).toMatch(/not reranked: the runtime of local models is not installed/);
  });
});
