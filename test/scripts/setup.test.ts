/** scripts/setup.sh in a small clone, with a fake npm that records its calls. */

import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

const SCRIPTS = resolve(import.meta.dirname, "../../scripts");

/** Does of `npm ci` and `npm run build` what the set-up can see. */
const NPM = `#!/bin/sh
echo "$*" >> asked
case "$1" in
  ci) mkdir -p node_modules && touch node_modules/.package-lock.json ;;
  run) if [ -f broken ]; then echo "server/a.ts: wrong"; exit 1; fi ;;
esac
`;

/** More than any process has: the kernel's numbers end at 4194304. */
const NOBODY = "9999999";

const INSTALL = "ci --include=dev --no-audit --no-fund";
const BUILD = "run --silent build";

let folder = "";
let clone = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch setup-")));
  clone = join(folder, "clone");
  put("package-lock.json", "{}");
  put("server/a.ts", "1");
  put("dist/main.js", "console.log(process.argv.slice(2).join(' '), process.cwd())");
  for (const name of ["run", "setup.sh"]) copyFileSync(join(SCRIPTS, name), at(`scripts/${name}`));
  put("../bin/npm", NPM);
});

afterEach(() => rmSync(folder, { recursive: true }));

function at(path: string): string {
  const file = join(clone, path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

function put(path: string, text: string): void {
  writeFileSync(at(path), text);
  chmodSync(at(path), 0o755);
}

/** A file that was changed after everything else. */
function change(path: string): void {
  const later = new Date(Date.now() + 60_000);
  utimesSync(at(path), later, later);
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(...args: string[]): Promise<Outcome> {
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  try {
    const { stdout, stderr } = await promisify(execFile)(at("scripts/run"), args, {
      env,
      cwd: folder,
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

const asked = () => readFileSync(at("asked"), "utf8").trim().split("\n");

it("installs and builds once, then runs where the user is", async () => {
  await run("search", "x");
  const { out, err } = await run("search", "x");
  expect([out, err]).toEqual([`search x ${folder}\n`, ""]);
  expect(asked()).toEqual([INSTALL, BUILD]);
});

it("shows the main job on the clone itself when nothing is asked for", async () => {
  expect((await run()).out).toBe(`demo --root ${clone} ${folder}\n`);
});

it("says how it was called: by its name alone where a link on the PATH was found", async () => {
  put(
    "dist/main.js",
    "if (process.argv[2] === 'name') console.log(process.env.COCOSEARCH_PROGRAM)",
  );
  symlinkSync(at("scripts/run"), join(folder, "bin", "coco"));
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  const names = ["coco", join(folder, "bin", "coco"), "clone/scripts/run"].map(
    (program) => spawnSync(program, ["name"], { env, cwd: folder, encoding: "utf8" }).stdout,
  );
  expect(names).toEqual(["coco\n", "coco\n", "clone/scripts/run\n"]);
});

it("builds again after a source was changed, and installs again after the lock file was", async () => {
  await run();
  change("server/a.ts");
  await run();
  expect(asked()).toEqual([INSTALL, BUILD, BUILD]);
  change("package-lock.json");
  await run();
  expect(asked().filter((each) => each === INSTALL)).toHaveLength(2);
});

it("is done by one of several that start at once", async () => {
  const outcomes = await Promise.all([run("a"), run("b"), run("c")]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(asked()).toEqual([INSTALL, BUILD]);
});

it("continues where another set-up was killed", async () => {
  at(".setup/lock");
  symlinkSync(NOBODY, at(".setup/lock"));
  expect((await run("x")).code).toBe(0);
});

it("shows the output of a failed build, and tries again the next time", async () => {
  put("broken", "");
  const { code, err } = await run();
  expect(code).toBe(3);
  expect(err).toContain("server/a.ts: wrong");
  rmSync(at("broken"));
  expect((await run()).code).toBe(0);
});

it("reports the required version if Node.js is too old", async () => {
  put("../bin/node", '#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0\n[ "$1" = --version ]\n');
  const { code, err } = await run();
  expect(code).toBe(3);
  expect(err).toBe(
    "cocosearch-lsp: Node.js v18.0.0 is too old: install version 20.19 or later from https://nodejs.org\n",
  );
});
