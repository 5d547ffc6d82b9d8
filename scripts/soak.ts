/**
 * A soak test: four clients on three repositories, with git operations of every kind, package installs and moved trees.
 * After each minute, the functions that each client finds must equal the functions on disk.
 *
 * usage: npm run build && npm run -s soak -- [--minutes 60] [--files 200] [--seed 1] [--only OPERATION] [--keep] [--neovim nvim]
 *
 *   --neovim PROGRAM  a real Neovim is one of the clients, and changes a file each minute
 *   --only OPERATION  one of those in soak/operations.ts, all the time
 *   --keep            do not delete repositories, index and log
 */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { percentile, rounded } from "./bench/statistics.ts";
import { usageOf } from "./bench/usage.ts";
import { engineEnvironment, openEditor } from "./editor.ts";
import { createRandom } from "./evaluation/random.ts";
import { type Asking, ended, indexed } from "./evaluation/server.ts";
import { scriptOptions, usageIn } from "./script-options.ts";
import { settledDifferences } from "./soak/compare.ts";
import { openNeovim } from "./soak/neovim.ts";
import { clean, OPERATIONS } from "./soak/operations.ts";
import { Repository } from "./soak/repository.ts";

const ACT_EVERY_MS = 1_500;
const ACTING_MS = 45_000;
const MINUTE_MS = 60_000;
/** A difference that persists this long after the last change is an error; on a busy machine a pass takes seconds. */
const MAX_SETTLING_MS = 60_000;
const ENGINE_IDLE_SECONDS = 2;
const REPOSITORIES = ["one", "two", "three"];
const SHOWN = 5;

interface Client extends Asking {
  readonly repository: Repository;
  close(): Promise<void>;
  /** Only clients that are editors have it. */
  edit?(path: string, before: string, after: string): Promise<void>;
}

interface Tally {
  wrong: number;
  operations: number;
  readonly checked: number[];
  readonly settledMs: number[];
  readonly done: Map<string, number>;
}

const { values } = scriptOptions(usageIn(import.meta.filename), {
  options: {
    minutes: { type: "string", default: "60" },
    files: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
    neovim: { type: "string" },
  },
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-soak-")));
try {
  process.exitCode = await main();
} finally {
  if (values.keep) console.log(folder);
  else rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const random = createRandom(Number(values.seed));
  const library = new Repository(join(folder, "library"), random);
  library.create(4);
  const repositories = REPOSITORIES.map((name) => new Repository(join(folder, name), random));
  for (const repository of repositories) repository.create(Number(values.files));
  const clients = await openClients(repositories);
  const enginePid = await enginePidOf(clients);
  const tally: Tally = { wrong: 0, operations: 0, checked: [], settledMs: [], done: new Map() };
  for (let minute = 1; minute <= Number(values.minutes); minute++) {
    await runMinute(minute, repositories, clients, tally, random);
    const { memoryMb } = usageOf(enginePid);
    console.log(
      `minute ${minute}: ${tally.operations} operations, ${tally.checked.at(-1) ?? 0} functions found by ${clients.length} clients, ` +
        `right after ${rounded(tally.settledMs.at(-1) ?? 0)} ms, engine ${rounded(memoryMb ?? 0)} MB, wrong ${tally.wrong}`,
    );
  }
  for (const client of clients) await client.close();
  await ended(enginePid);
  console.log(summaryOf(tally));
  return tally.wrong === 0 ? 0 : 1;
}

/** One for each repository, and a second one for the first. */
async function openClients(repositories: readonly Repository[]): Promise<Client[]> {
  const shown = [...repositories, ...repositories.slice(0, 1)];
  const home = join(folder, "home");
  const clients = shown.map(async (repository, i): Promise<Client> => {
    if (i === 0 && values.neovim !== undefined) {
      const place = { root: repository.root, shown: ".gitignore", folder: join(folder, "neovim") };
      const env = engineEnvironment(home, ENGINE_IDLE_SECONDS);
      return { repository, ...(await openNeovim(values.neovim, { ...place, env })) };
    }
    const { connection, close } = await openEditor(repository.root, home, ENGINE_IDLE_SECONDS);
    const sendRequest = async <T>(method: string, params: object) =>
      await connection.sendRequest<T>(method, params);
    return { repository, sendRequest, close };
  });
  return await Promise.all(clients);
}

async function enginePidOf(clients: readonly Client[]): Promise<number> {
  const all = await Promise.all(clients.map((client) => indexed(client, client.repository.root)));
  return all[0]?.engine.pid ?? 0;
}

async function runMinute(
  minute: number,
  repositories: readonly Repository[],
  clients: readonly Client[],
  tally: Tally,
  random: () => number,
): Promise<void> {
  const begin = performance.now();
  const names = values.only === undefined ? Object.keys(OPERATIONS) : [values.only];
  while (performance.now() - begin < ACTING_MS) {
    const repository = repositories[Math.floor(random() * repositories.length)];
    const name = names[Math.floor(random() * names.length)] ?? "";
    if (repository !== undefined) operate(repository, name, tally);
    await delay(ACT_EVERY_MS * random());
  }
  for (const client of clients) await editOne(client, tally);
  let longest = 0;
  let checked = 0;
  for (const client of clients) {
    const { repository } = client;
    const { differences, ms } = await settledDifferences(client, repository, MAX_SETTLING_MS);
    longest = Math.max(longest, ms);
    checked += repository.functions().size;
    tally.wrong += differences.length;
    for (const each of differences.slice(0, SHOWN)) {
      console.log(`WRONG in minute ${minute}, ${repository.root}: ${each}`);
    }
  }
  tally.settledMs.push(longest);
  tally.checked.push(checked);
  await delay(Math.max(0, MINUTE_MS - (performance.now() - begin)));
}

/** Acts as a user: opens a file, renames its function and saves. */
async function editOne({ edit, repository }: Client, tally: Tally): Promise<void> {
  const functions = [...repository.functions()];
  if (edit === undefined || functions.length === 0) return;
  const [path, name] = repository.pick(functions);
  await edit(join(repository.root, path), name, `do_${repository.name()}`);
  tally.operations++;
  tally.done.set("edit", (tally.done.get("edit") ?? 0) + 1);
}

/** One that cannot be done in the state that others left begins from a clean one. */
function operate(repository: Repository, name: string, tally: Tally): void {
  const run = OPERATIONS[name];
  if (run === undefined) return;
  try {
    run(repository);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    repository.tryGit("rebase", "--abort");
    repository.tryGit("merge", "--abort");
    clean(repository);
    repository.git("checkout", "-q", "-f", "main");
  }
  tally.operations++;
  tally.done.set(name, (tally.done.get(name) ?? 0) + 1);
}

function summaryOf({ wrong, operations, checked, settledMs, done }: Tally): string {
  const kinds = [...done].map(([name, count]) => `${name} ${count}`).join(", ");
  const total = checked.reduce((sum, each) => sum + each, 0);
  const at = (share: number) => rounded(percentile(settledMs, share));
  return [
    `${checked.length} minutes, ${operations} operations (${kinds})`,
    `${total} functions compared, right after ${at(0.5)} ms (median), ${at(1)} ms (longest)`,
    `wrong ${wrong}`,
  ].join("\n");
}
