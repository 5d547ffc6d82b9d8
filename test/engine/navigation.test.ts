/** The call hierarchy in a whole engine: the definitions that a name means, their callers and their callees. */

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NamePlace, WrittenName } from "../../server/contracts/navigation.ts";
import type { Session } from "../../server/contracts/session.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { filesOf } from "../support/graph.ts";
import { temporaryWorkspace } from "../support/workspace.ts";

const CODE = `
//- lines/requests.py
class Request:
    async def body(self):
        return b""

    async def form(self, size):
        self.size = size
        body = await self.body()
        return body
//- lines/store.ts
export class Store {
  dispatch(action: string) {
    return action;
  }
}
export function run(store: Store) {
  const dispatch = store.dispatch("x");
  return dispatch;
}
//- lines/unknown.js
export function length(list) {
  const length = list.length();
  return length;
}
//- lines/Shape.java
class Color {}

class Shape implements Comparable<Shape> {
  Color Color = new Color();

  Shape(Shape other) {}
}
//- lines/pot.cc
struct Pot {
  void pour();
};
void Pot::pour() {}
//- imports/pkg/__init__.py
from .core import helper, Widget as Gadget
from .app import app
//- imports/pkg/core.py
class Widget:
    pass


def helper(x):
    return x
//- imports/pkg/app.py
def app(scope):
    return scope
//- imports/main.py
from pkg.app import app
from pkg import (
    Gadget,
    helper as h,
)


def run(gadget: Gadget):
    return Gadget(), h(app(1))
//- imports/make/create.ts
export default function createStore() {}
export function legacy() {}
export class Store {}
//- imports/make/index.ts
export { default as createStore, legacy as oldOne } from "./create";
//- imports/make/user.ts
import make, { Store as S } from "./create";
import { oldOne } from "./index";
import createStore from "./create";
export function use(store: S): Map<string, S> {
  make();
  oldOne();
  createStore();
}
//- overloads/pick.ts
export function pick(a: string): void;
export function pick(a: number): void;
export function pick(a: unknown): void {
  inside(a);
}
function inside(a: unknown): void {}
//- overloads/hand.rb
class Hand
  def self.pick
  end

  def pick
    Hand.pick
  end
end
//- overloads/user.ts
import { pick } from "./pick";
export function main() {
  pick("x");
  pick(1);
}
//- overloads/Pot.java
class Pot {
  void pour(int cups) {}
  void pour(String guest) { pour(1); }
}
//- inner/store.ts
export function createStore() {
  function ensure() {
    return 1;
  }
  const subscribe = () => ensure();
  return subscribe() + ensure();
}
//- inner/strip.ts
export function strip(text: string) {
  return text;
}
//- inner/wrap.ts
import { strip } from "./strip";
export function wrap() {
  return {
    strip: (text: string) => strip(text),
  };
}
//- inner/local.py
def run():
    class Local:
        pass

    return Local()
`;

let made: ReturnType<typeof temporaryWorkspace>;
let session: Session;
const { engine, dispose } = engineInProcess();

beforeAll(async () => {
  made = temporaryWorkspace(CODE);
  session = engine.session();
  await session.openFolders([made.root]);
  await session.whenIdle();
});
afterAll(async () => {
  await dispose();
  made.remove();
});

/** The name at $0 in a part of a file. */
function nameAt(path: string, part: string): WrittenName {
  const lines = filesOf(CODE).get(path)?.split("\n") ?? [];
  const [before = "", after = ""] = part.split("$0");
  const line = lines.findIndex((text) => text.includes(before + after));
  const column = (lines[line] ?? "").indexOf(before + after) + before.length;
  const chain = `${/[\w.]*$/.exec(before)?.[0]}${/^\w+/.exec(after)?.[0]}`;
  return { path: join(made.root, path), line, column, chain };
}

/** `line:column name`, prefixed by the path if it is another file; lines from 1. */
const shown = (from: string, places: readonly NamePlace[]) =>
  places.map(({ path, line, lead, name }) => {
    const place = `${line + 1}:${lead.length} ${name}`;
    return path === from ? place : `${path}:${place}`;
  });

const ends = async (path: string, part: string) =>
  shown(path, await session.callEnds(nameAt(path, part)));

/** The calls of the definitions that a name means, each with its caller or callee. */
async function calls(direction: "incoming" | "outgoing", path: string, part: string) {
  const found: string[] = [];
  for (const end of await session.callEnds(nameAt(path, part))) {
    for (const { other, places } of await session.callsOfOne({ direction, end }))
      found.push(...shown(path, places).map((place) => `${place} (${other.qualifiedName})`));
  }
  return found;
}

describe("callEnds on a line that also defines a name", () => {
  it.each([
    ["a called method", "lines/requests.py", "await self.$0body()", ["2:14 body"]],
    ["no local", "lines/requests.py", "$0body = await", []],
    ["no parameter", "lines/requests.py", "self.size = $0size", []],
    ["no field", "lines/requests.py", "self.$0size = size", []],
    ["a method of TypeScript", "lines/store.ts", "= store.$0dispatch(", ["2:2 dispatch"]],
    ["nothing for an unknown name", "lines/unknown.js", "list.$0length()", []],
    ["the type before a name", "lines/Shape.java", "  $0Color Color", ["1:6 Color"]],
    ["no field after its type", "lines/Shape.java", "  Color $0Color", []],
    ["the type in its own head", "lines/Shape.java", "Comparable<$0Shape>", ["3:6 Shape"]],
    ["the type of a member", "lines/pot.cc", "$0Pot::pour", ["1:7 Pot"]],
  ])("returns %s", async (_, path, part, expected) => {
    expect(await ends(path, part)).toEqual(expected);
  });
});

describe("incoming calls", () => {
  const user = "imports/make/user.ts";

  it("include calls of an imported name, not of the module with the same name", async () => {
    expect(await calls("incoming", "imports/pkg/app.py", "def $0app")).toEqual([
      "imports/main.py:9:23 app (run)",
    ]);
  });

  it("include calls by the local name of a default export", async () => {
    expect(await calls("incoming", "imports/make/create.ts", "function $0createStore")).toEqual([
      `${user}:5:2 make (use)`,
      `${user}:7:2 createStore (use)`,
    ]);
  });

  it("include calls by a name that another file re-exports", async () => {
    expect(await calls("incoming", "imports/make/create.ts", "function $0legacy")).toEqual([
      `${user}:6:2 oldOne (use)`,
    ]);
    expect(await calls("incoming", "imports/pkg/core.py", "class $0Widget")).toEqual([
      "imports/main.py:9:11 Gadget (run)",
    ]);
  });
});

describe("Overloads of one function", () => {
  const path = "overloads/pick.ts";
  const used = ["overloads/user.ts:3:2 pick (main)", "overloads/user.ts:4:2 pick (main)"];

  it.each(["$0pick(a: string)", "$0pick(a: number)", "$0pick(a: unknown)"])(
    "are called as one: %s",
    async (part) => {
      expect(await calls("incoming", path, part)).toEqual(used);
      expect(await calls("outgoing", path, part)).toEqual(["4:2 inside (inside)"]);
    },
  );

  it("An import refers to all overloads as one definition", async () => {
    expect(await calls("incoming", "overloads/user.ts", "{ $0pick }")).toEqual([
      "3:2 pick (main)",
      "4:2 pick (main)",
    ]);
  });

  it("Static and instance methods are separate definitions", async () => {
    const hand = "overloads/hand.rb";
    expect(await calls("incoming", hand, "self.$0pick")).toEqual(["6:9 pick (Hand.pick)"]);
    expect(await calls("incoming", hand, "def $0pick")).toEqual([]);
  });

  it("Overloads with bodies have separate calls", async () => {
    expect(await calls("incoming", "overloads/Pot.java", "$0pour(String")).toEqual([
      "3:28 pour (Pot.pour)",
    ]);
    expect(await calls("outgoing", "overloads/Pot.java", "$0pour(int")).toEqual([]);
  });
});

describe("Local definitions", () => {
  it("A local function is called in its function", async () => {
    const path = "inner/store.ts";
    const callers = ["5:26 ensure (createStore.subscribe)", "6:23 ensure (createStore)"];
    expect(await calls("incoming", path, "function $0ensure")).toEqual(callers);
    expect(await calls("incoming", path, "const $0subscribe")).toEqual([
      "6:9 subscribe (createStore)",
    ]);
    const { calls: found } = await session.callers({ name: "createStore.ensure" });
    expect(found.map(({ line, caller }) => `${line + 1} ${caller}`)).toEqual([
      "5 createStore.subscribe",
      "6 createStore",
    ]);
  });

  it("A method is not called where an object's method has the name of an import", async () => {
    expect(await calls("incoming", "inner/wrap.ts", "  $0strip: (")).toEqual([]);
  });

  it("A local class is a definition", async () => {
    const path = "inner/local.py";
    expect(await calls("incoming", path, "class $0Local")).toEqual(["5:11 Local (run)"]);
  });

  it("Local definitions are not in the exported edges", async () => {
    const { edges } = await session.exportGraph(made.root, 0);
    const targets = edges.flatMap((edge) => (edge.kind === "call" ? [edge.to.name] : []));
    expect(targets).toContain("Widget");
    expect(targets.filter((name) => /ensure|Local/.test(name))).toEqual([]);
  });
});
