/** Published indexes that are too large for memory: a publish writes their lanes as rows, which members search without writing. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { getOrCreate } from "../../server/common/get-or-create.ts";
import { silent } from "../../server/common/log.ts";
import type { Hit } from "../../server/contracts/model.ts";
import { type Tables, tablesOf } from "../../server/store/names.ts";
import { openTeam } from "../../server/store/team.ts";
import { proxyTo } from "../support/database-proxy.ts";
import { administer, NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess, type InProcessEngine } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, repositoryOf } from "../support/git.ts";
import { COUNT_AS_LARGE, rowsOfLanes } from "../support/published.ts";
import { random } from "../support/random.ts";
import {
  alone,
  cloneOf,
  outcomesOf,
  rowsOf,
  type TeamServer,
  teamDatabase,
  teamOf,
  watcher,
} from "../support/team.ts";
import { workspace, write } from "../support/workspace.ts";

const WORDS = "open close pool socket retry cache token user session file read parse tree".split(
  " ",
);
const QUESTIONS = [
  "retry the session of a user",
  "open_pool",
  "cache tree",
  "socket.close",
  "how are tokens parsed",
  "opne_socket",
];

/** A file of some functions; the same for the same seed. */
function fileOf(seed: number): string {
  const { pick, int } = random(seed);
  const functions = Array.from({ length: 1 + int(4) }, (_, i) => {
    const body = Array.from({ length: 1 + int(12) }, () => `    ${pick(WORDS)}(${pick(WORDS)})`);
    return `def ${pick(WORDS)}_${pick(WORDS)}_${i}(${pick(WORDS)}):\n${body.join("\n")}\n`;
  });
  return functions.join("\n\n");
}

/** A class whose methods are chunks of their own, so that a chunk stays the same when the class has another name. */
const longClass = (name: string) =>
  `//- src/long.py\nclass ${name}:\n${["first", "second"]
    .map((method) => `    def ${method}(self):\n${`        self.pool(${method})\n`.repeat(60)}`)
    .join("\n")}`;

const pathOf = (seed: number) => `src/${WORDS[seed % WORDS.length]}/part_${seed}.py`;
const treeOf = (files: number) =>
  Array.from({ length: files }, (_, i) => `//- ${pathOf(i)}\n${fileOf(i)}`).join("\n");

const COUNT_AS_SMALL = `
drop trigger large on cocosearch_published;
update cocosearch_published set chunks = chunks % 300001;`;

/** A published index of a clone, whose lanes are rows. */
async function started(server?: TeamServer, own?: string) {
  const { url, user } = server ?? (await teamDatabase());
  await rowsOf(url, COUNT_AS_LARGE);
  const root = cloneOf(`${treeOf(40)}\n${longClass("Alpha")}`);
  const publisher = own ?? (await user("cocosearch_publisher"));
  const reader = await user("cocosearch_reader");
  const publish = async (watched = watcher()) =>
    (await teamOf(publisher, {}, "1", 0).publish({ root }, watched)).published;
  const first = await publish();
  return { url, root, reader, publish, tables: tablesOf(first.index, first.publisher) };
}

async function sessionFor(url: string, made: InProcessEngine = disposed()) {
  const session = made.engine.session();
  await session.configure({ "team.url": url });
  return session;
}

function disposed(): InProcessEngine {
  const made = engineInProcess();
  onTestFinished(() => made.dispose());
  return made;
}

/** On a busy machine, an answer may be late. */
async function inTime<A extends { readonly warnings: readonly string[] }>(run: () => Promise<A>) {
  for (let attempts = 10; ; attempts--) {
    const answer = await run();
    const left = answer.warnings.filter((each) => each.includes("left out"));
    const isLate = left.some((each) => each.includes("took longer than"));
    if (isLate && attempts > 1) continue;
    expect(left).toEqual([]);
    return answer;
  }
}

/** The hits of each question by a new engine. */
async function ask(url: string) {
  const session = await sessionFor(url);
  const answers = [];
  for (const query of QUESTIONS) {
    const request = { query, indexes: ["*"], minScore: 0, includeText: true, limit: 8 };
    const { hits } = await inTime(() => session.search(request));
    answers.push({ query, hits: hits.map(({ score, ...hit }) => ({ ...placeOf(hit), score })) });
  }
  return answers;
}

const placeOf = ({ path, lines, text }: Pick<Hit, "path" | "lines" | "text">) => ({
  path,
  lines,
  text,
});

/** Locks a table, so that no statement on it ends. */
async function lock(url: string, table: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return { release: () => client.query("rollback") };
}

type Answers = Awaited<ReturnType<typeof ask>>;

/**
 * Vectors have sixteen bits there, sums are rounded differently, and a word that no chunk has is rated as rare, not as absent: scores
 * differ by some thousandths.
 */
const nearly = (answers: Answers) =>
  answers.map(({ query, hits }) => ({
    query,
    hits: hits.map(({ score, ...hit }) => ({ ...hit, score: expect.closeTo(score, 1) })),
  }));

async function expectAnswers(url: string) {
  const answers = await ask(url);
  expect(answers.filter(({ hits }) => hits.length === 0)).toEqual([]);
  return answers;
}

const idsOf = async (url: string, { lanes }: Tables) =>
  new Map(
    (
      await rowsOf<{ key: string; id: number }>(
        url,
        `select filename || location as key, id from ${lanes.chunks}`,
      )
    ).map(({ key, id }) => [key, id]),
  );

describe.skipIf(NO_POSTGRES !== undefined)(`published rows of lanes ${NO_POSTGRES ?? ""}`, () => {
  it("give the hits of lanes in memory, and no file is published", async () => {
    const { url, reader, tables } = await started();
    expect(await rowsOf(url, `select part from ${tables.packed}`)).toEqual([]);
    const answers = await expectAnswers(reader);
    await rowsOf(url, COUNT_AS_SMALL);
    const inMemory = await ask(reader);
    expect(answers).toEqual(nearly(inMemory));
  });

  it("follow a publish, which replaces the rows of changed files only", async () => {
    const { url, root, reader, publish, tables } = await started();
    const before = await idsOf(url, tables);
    write(root, `//- ${pathOf(3)}\n${fileOf(103)}\n//- src/added.py\n${fileOf(104)}`);
    write(root, longClass("Gamma"));
    rmSync(join(root, pathOf(5)));
    commitAll(root, "Change");
    await publish();
    const after = await idsOf(url, tables);
    const changed = [pathOf(3), pathOf(5), "src/long.py"];
    for (const [key, id] of before) {
      const isChanged = changed.some((path) => key.startsWith(path));
      expect([key, after.get(key) === id]).toEqual([key, !isChanged]);
    }
    const answers = await ask(reader);
    await rowsOf(url, COUNT_AS_SMALL);
    expect(answers).toEqual(nearly(await ask(reader)));
    const fresh = await started();
    git(fresh.root, "fetch", "-q", root, "HEAD");
    git(fresh.root, "reset", "-q", "--hard", "FETCH_HEAD");
    await rowsOf(fresh.url, "truncate cocosearch_published");
    await fresh.publish();
    expect(await rowsOfLanes(url, tables)).toEqual(await rowsOfLanes(fresh.url, fresh.tables));
  });

  it("are as before if the publish fails after it has written them", async () => {
    const { url, root, reader, publish, tables } = await started();
    const before = [await rowsOfLanes(url, tables), await ask(reader)];
    write(root, `//- ${pathOf(3)}\n${fileOf(103)}`);
    commitAll(root, "Change");
    const watched = { ...watcher(), progress: () => write(root, "//- src/late.py\nlate = 1\n") };
    await expect(publish(watched)).rejects.toThrow("differs from");
    expect([await rowsOfLanes(url, tables), await ask(reader)]).toEqual(before);
  });

  it("are read by readers, who cannot write them, with either kind of rights", async () => {
    const server = await teamDatabase({ perRepository: true });
    const own = await server.user();
    const allow = `call cocosearch_allow('${new URL(own).username}', 'git.example.org/acme/shop')`;
    await alone(() => administer(allow, server.url));
    for (const { reader, tables } of [await started(), await started(server, own)]) {
      await expectAnswers(reader);
      const { chunks, names, terms } = tables.lanes;
      const outcomes = await outcomesOf(reader, [
        `update ${chunks} set length = 1`,
        `delete from ${names}`,
        `insert into ${terms} values (1, 1)`,
        `truncate ${terms}`,
        `drop table ${names}`,
      ]);
      for (const outcome of outcomes) expect(outcome).toMatch(/permission denied|must be owner/);
    }
  });

  it.each([
    ["missing", "drop table NAMES, CHUNKS, TERMS"],
    ["of another version", "comment on table CHUNKS is 'terms 0'"],
  ])("cause a warning when they are %s, and are written by the next publish", async (_, change) => {
    const { url, root, reader, publish, tables } = await started();
    const { chunks, names, terms } = tables.lanes;
    const sql = change.replace("CHUNKS", chunks).replace("NAMES", names).replace("TERMS", terms);
    await rowsOf(url, sql);
    const session = await sessionFor(reader);
    const folder = workspace("//- own.py\ndef open_pool(): pass\n");
    await session.openFolders([folder]);
    await session.whenIdle();
    const { hits, warnings } = await session.search({ query: "open_pool", indexes: ["*"] });
    expect(hits.map(({ path }) => path)).toEqual(["own.py"]);
    expect(warnings).toEqual([
      "git.example.org/acme/shop was left out: it has more than 300000 chunks and lacks the tables to search it in its database: publish it again with this version",
    ]);
    write(root, `//- ${pathOf(3)}\n${fileOf(103)}`);
    commitAll(root, "Change");
    await publish();
    await expectAnswers(reader);
  });

  it("answer with whole hits of one commit while publishes replace them", async () => {
    const { root, reader, publish } = await started();
    const session = await sessionFor(reader);
    const shown = new Map<string, readonly string[]>();
    const linesAt = (commit: string, path: string) =>
      getOrCreate(shown, `${commit}:${path}`, () =>
        git(root, "show", `${commit}:${path}`).split("\n"),
      );
    const seen = new Set<string>();
    const search = async (query: string) => {
      const request = { query, indexes: ["*"], minScore: 0, includeText: true };
      const { hits } = await session.search(request);
      for (const { path, contextRange, text, published } of hits) {
        const commit = published?.commit ?? "";
        const { start, end } = contextRange;
        const expected = linesAt(commit, path).slice(start, end + 1);
        expect(text?.trim(), `${path} at ${commit}`).toBe(expected.join("\n").trim());
        seen.add(commit);
      }
    };
    let isDone = false;
    const searching = (async () => {
      for (let i = 0; !isDone; i++) await search(QUESTIONS[i % QUESTIONS.length] ?? "");
    })();
    const rounds = 3;
    for (let round = 1; round <= rounds; round++) {
      for (let i = round % 2; i < 40; i += 2)
        write(root, `//- ${pathOf(i)}\n# round ${round}\n${fileOf(i + round * 100)}`);
      commitAll(root, `Round ${round}`);
      await publish();
    }
    isDone = true;
    await searching;
    await search(QUESTIONS[0] ?? "");
    expect(seen.size).toBeGreaterThan(1);
  });

  it("answer as of the earlier commit while the words of a new one are read", async () => {
    const { url, root, reader, publish, tables } = await started();
    const session = await sessionFor(reader);
    const search = (query: string) =>
      session.search({ query, indexes: ["*"], minScore: 0, includeText: true });
    const commitsOf = ({ hits }: Awaited<ReturnType<typeof search>>) => [
      ...new Set(hits.map(({ published }) => published?.commit)),
    ];
    const first = await inTime(() => search("cache tree"));
    const earlier = git(root, "rev-parse", "HEAD");
    expect(commitsOf(first)).toEqual([earlier]);
    for (let i = 0; i < 40; i += 3) write(root, `//- ${pathOf(i)}\n${fileOf(i + 100)}`);
    write(root, "//- src/cache_tree.py\ndef cache_tree(): pass\n");
    commitAll(root, "Change");
    const { commit } = await publish();
    const locked = await lock(url, tables.lanes.terms);
    for (const query of ["cache tree", "open_pool", "user session"]) {
      const answer = await inTime(() => search(query));
      expect(commitsOf(answer)).toEqual([earlier]);
      for (const { path, contextRange, text } of answer.hits) {
        const lines = git(root, "show", `${earlier}:${path}`).split("\n");
        const { start, end } = contextRange;
        expect(text?.trim()).toBe(
          lines
            .slice(start, end + 1)
            .join("\n")
            .trim(),
        );
      }
    }
    await locked.release();
    await eventually(async () => {
      const answer = await inTime(() => search("cache tree"));
      expect(commitsOf(answer)).toEqual([commit]);
      expect(answer.hits.map(({ path }) => path)).toContain("src/cache_tree.py");
    });
  });

  it("are dropped from an answer once their files are replaced", async () => {
    const { root, reader, publish } = await started();
    const team = await openTeam({ url: reader, log: silent });
    onTestFinished(() => team.close());
    const [published] = await team.listPublished();
    const store = await team.store.find(published?.index ?? "");
    const rows = store?.laneRows;
    const hash = (await store?.hashes())?.get(pathOf(3)) ?? "";
    const chunks = (await rows?.chunksOf([pathOf(3), pathOf(4)])) ?? [];
    expect((await rows?.facts(chunks))?.size).toBe(chunks.length);
    const files = published && team.filesOf(published);
    expect((await files?.texts(pathOf(3), hash))?.length).toBeGreaterThan(0);
    write(root, `//- ${pathOf(3)}\n${fileOf(103)}`);
    commitAll(root, "Change");
    await publish();
    const left = [...((await rows?.facts(chunks))?.values() ?? [])].map(({ path }) => path);
    expect(new Set(left)).toEqual(new Set([pathOf(4)]));
    expect(await files?.texts(pathOf(3), hash)).toEqual([]);
  });

  it("are searched again after a statement has failed", async () => {
    const { url, reader, tables } = await started();
    const session = await sessionFor(reader);
    const search = (query: string) => session.search({ query, indexes: ["*"], minScore: 0 });
    expect((await inTime(() => search("open_pool"))).hits.length).toBeGreaterThan(0);
    const { names } = tables.lanes;
    await rowsOf(url, `alter table ${names} rename to hidden`);
    const { hits, warnings } = await search("socket.open");
    expect(hits).toEqual([]);
    expect(warnings.join()).toMatch(/shop was left out: relation ".*_names" does not exist/);
    await rowsOf(url, `alter table hidden rename to ${names}`);
    expect((await inTime(() => search("socket.open"))).hits.length).toBeGreaterThan(0);
  });

  it("are left out of a search whose database falls silent, and a warning says so", async () => {
    const { reader } = await started();
    const proxy = await proxyTo(reader, { answersUpTo: Number.POSITIVE_INFINITY });
    const session = await sessionFor(proxy.url);
    await session.openFolders([workspace("//- own.py\ndef open_pool(): pass\n")]);
    await session.whenIdle();
    const request = { query: "open_pool", indexes: ["*"] };
    expect((await session.search(request)).warnings).toEqual([]);
    proxy.fallSilentAt("lanes.terms &&");
    const { hits, warnings } = await session.search({ ...request, query: "open_socket pool" });
    expect(hits.map(({ path }) => path)).toEqual(["own.py"]);
    expect(warnings).toEqual(["git.example.org/acme/shop was left out: it took longer than 1 s"]);
  });

  it("are left out after a second of a search of several indexes, which finds the others each time", async () => {
    const server = await teamDatabase();
    const bank = repositoryOf("//- src/bank.py\ndef book_payment(token): pass\n");
    git(bank, "remote", "add", "origin", "git@git.example.org:acme/bank.git");
    await teamOf(await server.user("cocosearch_publisher")).publish({ root: bank }, watcher());
    const { url, reader, tables } = await started(server);
    const session = await sessionFor(reader);
    const search = (query: string) => session.search({ query, indexes: ["*"], minScore: 0 });
    const questions = ["open_pool token", "cache token", "read_token", "user token"];
    for (const query of questions) await inTime(() => search(`${query} file`));
    const locked = await lock(url, tables.lanes.chunks);
    for (const query of questions) {
      const { hits, warnings } = await search(query);
      expect(warnings).toEqual(["git.example.org/acme/shop was left out: it took longer than 1 s"]);
      expect(hits.map(({ path }) => path)).toEqual(["src/bank.py"]);
    }
    const waiting = `select query from pg_stat_activity where wait_event_type = 'Lock' and usename = '${new URL(reader).username}'`;
    await eventually(async () => expect(await rowsOf(url, waiting)).toEqual([]));
    await locked.release();
    for (const query of questions) {
      const { hits } = await inTime(() => search(query));
      expect(hits.length).toBeGreaterThan(1);
    }
  });

  it("are waited for longer by a search of their index alone", async () => {
    const { url, reader, tables } = await started();
    const session = await sessionFor(reader);
    const search = (query: string, name: string) =>
      session.search({ query, indexes: [name], minScore: 0 });
    await inTime(() => search("socket", "acme/shop"));
    const locked = await lock(url, tables.lanes.chunks);
    const answer = search("open_pool", "acme/shop");
    // The other search gives up while this one waits.
    expect((await search("cache tree", "*")).warnings.join()).toContain("longer than 1 s");
    await locked.release();
    const { hits, warnings } = await answer;
    expect(warnings).toEqual([]);
    expect(hits.length).toBeGreaterThan(0);
  });
});
