/** What the whole engine knows of a small repository in seven languages, and of its past: read the files under golden/. */

import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CallEnd, NamePlace } from "../../server/contracts/navigation.ts";
import type { Session } from "../../server/contracts/session.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository, restartClock } from "../support/git.ts";
import { filesOf } from "../support/graph.ts";
import { temporaryWorkspace, write } from "../support/workspace.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

const CODE = `
//- web/store.ts
import { type Item, priceOf as price } from "./items.ts";
import * as log from "./log.ts";
import fallback from "./items.ts";

export interface Shelf {
  find(name: string): Item | undefined;
}

export class Store implements Shelf {
  private readonly items: Item[] = [];
  static open(): Store {
    const store = new Store();
    store.add(fallback);
    return store;
  }
  add(item: Item): void {
    log.say(\`added \${price(item)}\`);
    this.items.push(item);
  }
  find(name: string): Item | undefined {
    const matches = (item: Item) => item.name === name;
    return this.items.find((item) => matches(item)) ?? helper();
  }
}

function helper(): Item | undefined {
  return undefined;
}
//- web/items.ts
export interface Item {
  readonly name: string;
}
export function priceOf(item: Item): number {
  return item.name.length;
}
const fallback: Item = { name: "none" };
export default fallback;
//- web/log.ts
export const say = (text: string) => console.log(text);
//- web/index.ts
export { Store } from "./store.ts";
export * from "./items.ts";
import { Store } from "./store.ts";
const shop: Store = Store.open();
shop.add({ name: "tea" });
//- web/index.test.ts
import { priceOf, Store } from "./index.ts";
test("it", () => { Store.open().find("tea"); priceOf({ name: "a" }); });
//- py/shop/__init__.py
from .pool import Pool
//- py/shop/pool.py
import os.path
from typing import Optional
from . import errors
from .errors import Closed as Gone


class Base:
    def close(self):
        return None


class Pool(Base):
    size = 3

    def open(self, url: str) -> "Pool":
        if not url:
            raise errors.Closed(url)
        self.close()
        return self

    @staticmethod
    def of(url):
        def retry():
            return Pool().open(url)
        return retry()


def connect(url: str, pool: Optional[Pool] = None):
    pool = pool or Pool()
    return pool.open(url)
//- py/shop/errors.py
class Closed(Exception):
    pass
//- py/main.py
import shop.pool as pools
from shop import Pool
from shop.pool import connect


def main():
    connect("a")
    pools.connect("ä") or Pool.of("b")


main()
//- go/go.mod
module example.com/tea

go 1.22
//- go/main.go
package main

import (
	"fmt"

	kettle "example.com/tea/pot"
)

func main() {
	p := kettle.New(3)
	fmt.Println(p.Boil())
}
//- go/pot/pot.go
package pot

type Pot struct{ size int }

func New(size int) *Pot { return &Pot{size: size} }

func (p *Pot) Boil() int { return p.fill() + double(p.size) }

func (p *Pot) fill() int { return p.size }
//- go/pot/more.go
package pot

func double(n int) int { return n * 2 }
//- rs/Cargo.toml
[package]
name = "cup"
//- rs/src/lib.rs
pub mod tea;
use crate::tea::Leaf;
pub fn brew() -> Leaf { let leaf = Leaf::new(); leaf.steep(); tea::pour(&leaf); leaf }
//- rs/src/tea.rs
pub struct Leaf;
impl Leaf {
    pub fn new() -> Self { Leaf }
    pub fn steep(&self) { pour(self) }
}
pub fn pour(_leaf: &Leaf) {}
//- rb/app.rb
require_relative "lib/cup"
class App
  def run
    Cup.new.fill
  end
end
//- rb/lib/cup.rb
class Cup
  def fill
    wash
  end
  def wash; end
end
//- c/main.c
#include "tea.h"
int main(void) { return brew(3); }
//- c/tea.h
int brew(int);
//- c/tea.c
#include "tea.h"
static int heat(int n) { return n; }
int brew(int n) { return heat(n) + 1; }
//- java/app/Main.java
package app;
import app.tea.Pot;
class Main extends Pot {
  public static void main(String[] args) { new Pot().boil(); }
}
//- java/app/tea/Pot.java
package app.tea;
public class Pot {
  public int boil() { return fill(2); }
  private int fill(int n) { return n; }
}
//- notes.md
# Tea

How the pot is filled: see go/pot/pot.go.
//- .gitignore
*.log
out/
//- debug.log
nothing
`;

let made: ReturnType<typeof temporaryWorkspace>;
let session: Session;
const { engine, dispose } = engineInProcess();
const shas: string[] = [];

beforeAll(async () => {
  made = temporaryWorkspace(CODE);
  restartClock();
  initRepository(made.root);
  shas.push(commitAll(made.root, "Begin with tea\n\nThe shop opens.\n\nSigned-off-by: Ada"));
  change("py/shop/pool.py", "    size = 3", "    size = 4\n    width = 5");
  shas.push(commitAll(made.root, "Widen the pool (#12)\n\nIt was *too* small,\nby one."));
  git(made.root, "mv", "web/log.ts", "web/say.ts");
  change("web/store.ts", "./log.ts", "./say.ts");
  shas.push(commitAll(made.root, "Name the log after what it does"));
  change("go/pot/more.go", "n * 2", "n + n");
  shas.push(commitAll(made.root, "Add instead of multiplying\n\nFixes #7"));
  git(made.root, "revert", "--no-edit", "HEAD");
  shas.push(git(made.root, "rev-parse", "HEAD"));
  git(made.root, "checkout", "-q", "-b", "side", "HEAD~2");
  change("py/shop/errors.py", "    pass", "    code = 5");
  shas.push(commitAll(made.root, "Give errors a code"));
  git(made.root, "checkout", "-q", "main");
  git(made.root, "cherry-pick", "side");
  git(made.root, "rm", "-q", "rb/app.rb");
  shas.push(commitAll(made.root, "Drop the app in Ruby"));
  write(made.root, `//- rb/app.rb\n${filesOf(CODE).get("rb/app.rb")}`);
  session = engine.session();
  await session.openFolders([made.root]);
  await session.whenIdle();
  for (;;) {
    const { history } = (await session.status()).indexes[0] ?? {};
    if (history?.state === "ready") break;
    await delay(20);
  }
});
/** As the files are when the session opens them. */
function files(): Map<string, string> {
  const found = filesOf(CODE);
  const moved = found.get("web/log.ts") ?? "";
  found.delete("web/log.ts");
  found.delete("debug.log");
  return found.set("web/say.ts", moved);
}

afterAll(async () => {
  await session.dispose();
  await dispose();
  made.remove();
});

function change(path: string, from: string, to: string): void {
  const text = filesOf(CODE).get(path) ?? "";
  write(made.root, `//- ${path}\n${text.replace(from, to)}`);
}

/** Without what differs from run to run, or by a hair from machine to machine. */
function plain(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) =>
    typeof one === "number" && !Number.isInteger(one) ? Number(one.toFixed(2)) : one,
  );
  return text
    .replaceAll(made.root, "/work")
    .replaceAll(/\d+ (?:year|month|week|day)s? ago/g, "long ago");
}

const place = ({ root, path, line, lead, name }: NamePlace) =>
  `${relative(made.root, join(root, path))}:${line + 1}:${lead.length + 1} ${name}`;
const callEnd = (end: CallEnd) =>
  `${place(end)} (${end.kind} ${end.qualifiedName}, to line ${end.endLine + 1})`;

/** Every name of the code, with what it is asked of. */
function names(): { path: string; line: number; column: number; chain: string }[] {
  return [...files()].flatMap(([path, text]) =>
    text.split("\n").flatMap((written, line) =>
      [...written.matchAll(/[A-Za-z_]\w*/g)].map(({ index, 0: name }) => {
        const before = /(?:\w+(?:\.|::))+$/.exec(written.slice(0, index))?.[0] ?? "";
        return { path, line, column: index, chain: `${before.replaceAll("::", ".")}${name}` };
      }),
    ),
  );
}

it("knows what every name means, and where it is used", async () => {
  const lines: string[] = [];
  for (const { path, ...name } of names()) {
    const at = { ...name, path: join(made.root, path) };
    const found = await session.definitions(at);
    if (found.length === 0) continue;
    const used = await session.references(at, true);
    const ends = await session.callEnds(at);
    lines.push(
      `${path}:${name.line + 1}:${name.column + 1} ${name.chain} = ${found.map(place).join(", ")}`,
    );
    const isOwn = found.some((one) => one.path === path && one.line === name.line);
    if (!isOwn) continue;
    lines.push(...used.map((one) => `  used ${place(one)}`));
    for (const end of ends) {
      lines.push(`  ends ${callEnd(end)}`);
      for (const direction of ["incoming", "outgoing"] as const) {
        const calls = await session.callsOfOne({ direction, end });
        lines.push(
          ...calls.map(
            ({ other, places }) =>
              `    ${direction} ${callEnd(other)} at ${places.map(place).join(", ")}`,
          ),
        );
      }
    }
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("names.txt"));
});

it("knows what depends on what", async () => {
  const lines: string[] = [];
  const code = [...files().keys()].filter((path) => /\.(?:ts|py|go|rs|rb|c|h|java)$/.test(path));
  for (const path of code) {
    const whole = join(made.root, path);
    lines.push(`== ${path}`);
    lines.push(
      ...(await session.importLinks(whole)).map(
        (one) => `link ${place(one.place)} -> ${one.target.path}`,
      ),
    );
    for (const direction of ["imports", "importedBy", "all"] as const)
      lines.push(
        `${direction} ${plain(await session.related({ path: whole, direction, hops: 2 }))}`,
      );
    lines.push(`impact ${plain(await session.impact({ paths: [whole] }))}`);
    for (const other of code) {
      const way = await session.dependencyPath({ from: whole, to: join(made.root, other) });
      if (way.length > 2) lines.push(`way ${way.join(" ")}`);
    }
  }
  for (const types of [["import"], ["call"], ["reference"]] as const)
    lines.push(
      plain(await session.related({ path: join(made.root, "web/store.ts"), types: [...types] })),
    );
  lines.push(plain(await session.related({ path: join(made.root, "web/store.ts"), limit: 1 })));
  for (const name of [
    "Pool.open",
    "open",
    "connect",
    "Store",
    "Store.add",
    "New",
    "fill",
    "pour",
    "brew",
    "nothing",
  ]) {
    lines.push(`callers ${name} ${plain(await session.callers({ name }))}`);
    lines.push(`callees ${name} ${plain(await session.callees({ name, limit: 3 }))}`);
  }
  const { edges, files: known, next } = await session.exportGraph(made.root, 0);
  lines.push(plain({ known, next }), ...edges.map(plain));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("dependencies.txt"));
});

it("knows the past", async () => {
  const lines: string[] = [];
  const questions = [
    { query: "" },
    { query: "why was the pool widened" },
    { query: "multiply", limit: 2 },
    { query: '"n + n"', pickaxe: true },
    { query: "log", paths: ["web/**"], patch: true },
    { query: "code", languages: ["python"] },
    { query: "errors", author: "ada" },
    { query: "errors", author: "bob" },
    { query: "tea", since: "2023-11-14T22:20:00Z" },
    { query: "tea", until: "2023-11-14T22:20:00Z" },
    { query: `what did ${shas[1]?.slice(0, 8)} do` },
    { query: "#12" },
  ];
  for (const question of questions) {
    const { commits, ...rest } = await session.history(question);
    lines.push(`== ${plain(question)}`, plain(rest));
    // Scores are looked after by other tests.
    for (const { score: _, why: _why, ...commit } of commits) lines.push(plain(commit));
  }
  const ranges = [
    ["py/shop/pool.py", 0, 100],
    ["py/shop/pool.py", 12, 15],
    ["py/shop/pool.py", 13, 13],
    ["web/store.ts", 0, 4],
    ["web/say.ts", 0, 0],
    ["go/pot/more.go", 0, 9],
    ["py/shop/errors.py", 0, 1],
    ["rb/app.rb", 0, 9],
    ["debug.log", 0, 0],
    ["none.py", 0, 0],
    ["notes.md", 90, 99],
  ] as const;
  const explain = async ([path, start, end]: readonly [string, number, number]) => {
    const asked = session.explain({ path: join(made.root, path), lines: { start, end } });
    lines.push(
      `== ${path}:${start}-${end} ${plain(await asked.catch((error: Error) => error.message))}`,
    );
  };
  for (const range of ranges) await explain(range);
  const pool = filesOf(CODE).get("py/shop/pool.py") ?? "";
  await session.buffer(
    join(made.root, "py/shop/pool.py"),
    `# new\n\n${pool.replace("size = 3", "size = 4")}`,
  );
  for (const range of ranges.slice(0, 3)) await explain(range);
  await session.buffer(join(made.root, "py/shop/pool.py"), undefined);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("past.txt"));
});

it("knows how it is", async () => {
  const lines: string[] = [];
  const { indexes, engine: _, ...rest } = await session.status();
  const [{ bytes: _bytes, name: _name, ...index } = {} as never] = indexes;
  lines.push(plain(rest), plain(index));
  for (const path of [
    "web/store.ts",
    "debug.log",
    "out",
    "none.ts",
    ".git/config",
    "notes.md",
    "py",
  ])
    lines.push(`why ${path}: ${plain(await session.why(join(made.root, path)))}`);
  lines.push(
    plain(await session.excluded(made.root, 10)),
    plain(await session.excluded(made.root, 1)),
  );
  const records = await session.list();
  lines.push(
    plain(
      records.map(({ root, state, modelId, dimension }) => ({ root, state, modelId, dimension })),
    ),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("status.txt"));
});
