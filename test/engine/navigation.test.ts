/** Navigation requests in the real engine: definitions, references, and call hierarchy of a name. */

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
//- types/create.ts
export interface Action { type: string }
export default function createStore(a: Action, b: Action): Action {
  return b;
}
export class Store {
  constructor(private last: Action) {}
}
//- types/user.ts
import type { Action } from "./create";
export function use(act: Action, other: Action): Map<Action, Action> {
  return new Map<Action, Action>();
}
//- types/client.py
class Client:
    pass


class Widget(Client):
    def __init__(
        self,
        a: Client,
        b: Client | None = None,
    ) -> "Client":
        self.client: Client = Client()
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
//- imports/a/Pool.java
package a;
public class Pool {}
//- imports/b/Shop.java
package b;
import a.Pool;
class Shop { Pool pool; }
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
//- types/go.mod
module types
//- types/pot.go
package types

type Pot struct{}

func fill(a, b Pot) *Pot {
	c := Pot{}
	return &c
}
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

const definitions = async (path: string, part: string) =>
  shown(path, await session.definitions(nameAt(path, part)));

const references = async (path: string, part: string) =>
  shown(path, await session.references(nameAt(path, part), false));

/** The incoming or outgoing calls of the definitions that a name refers to. */
async function calls(direction: "incoming" | "outgoing", path: string, part: string) {
  const found: string[] = [];
  for (const end of await session.callEnds(nameAt(path, part))) {
    for (const { other, places } of await session.callsOfOne({ direction, end }))
      found.push(...shown(path, places).map((place) => `${place} (${other.qualifiedName})`));
  }
  return found;
}

describe("A line that defines a name and also uses it", () => {
  it.each([
    ["a method that is called", "lines/requests.py", "await self.$0body()", ["2:14 body"]],
    ["the local", "lines/requests.py", "$0body = await", ["7:8 body"]],
    ["a parameter", "lines/requests.py", "self.size = $0size", ["5:25 size"]],
    ["the field", "lines/requests.py", "self.$0size = size", ["6:13 size"]],
    ["a method of TypeScript", "lines/store.ts", "= store.$0dispatch(", ["2:2 dispatch"]],
    ["nothing that is not known", "lines/unknown.js", "list.$0length()", []],
    ["a type before the name", "lines/Shape.java", "  $0Color Color", ["1:6 Color"]],
    ["the name behind its type", "lines/Shape.java", "  Color $0Color", ["4:8 Color"]],
    ["the type in its own head", "lines/Shape.java", "Comparable<$0Shape>", ["3:6 Shape"]],
    ["the type of a member", "lines/pot.cc", "$0Pot::pour", ["1:7 Pot"]],
  ])("A name on the line leads to %s", async (_, path, part, expected) => {
    expect(await definitions(path, part)).toEqual(expected);
  });
});

describe("Type references", () => {
  it("A type has one reference per occurrence", async () => {
    expect(await references("types/create.ts", "interface $0Action")).toEqual([
      "2:39 Action",
      "2:50 Action",
      "2:59 Action",
      "6:28 Action",
      "types/user.ts:1:14 Action",
      "types/user.ts:2:25 Action",
      "types/user.ts:2:40 Action",
      "types/user.ts:2:53 Action",
      "types/user.ts:2:61 Action",
    ]);
  });

  it("A type has references on the lines of its parameters, and a call beside it", async () => {
    expect(await references("types/client.py", "class $0Client")).toEqual([
      "5:13 Client",
      "8:11 Client",
      "9:11 Client",
      "10:10 Client",
      "11:21 Client",
      "11:30 Client",
    ]);
  });

  it("A type shared by several parameters has one reference", async () => {
    expect(await references("types/pot.go", "type $0Pot")).toEqual([
      "5:15 Pot",
      "5:21 Pot",
      "6:6 Pot",
    ]);
  });
});

describe("Import references", () => {
  const user = "imports/make/user.ts";
  const index = "imports/make/index.ts";

  it("The reference is the imported name, not the module name", async () => {
    expect(await references("imports/pkg/app.py", "def $0app")).toEqual([
      "imports/main.py:1:20 app",
      "imports/main.py:9:23 app",
      "imports/pkg/__init__.py:2:17 app",
    ]);
  });

  it("The reference is the last name of a path", async () => {
    expect(await references("imports/a/Pool.java", "class $0Pool")).toEqual([
      "imports/b/Shop.java:2:9 Pool",
      "imports/b/Shop.java:3:13 Pool",
    ]);
  });

  it("A default import has its local name, also in calls", async () => {
    expect(await references("imports/make/create.ts", "function $0createStore")).toEqual([
      `${index}:1:9 default`,
      `${user}:1:7 make`,
      `${user}:3:7 createStore`,
      `${user}:5:2 make`,
      `${user}:7:2 createStore`,
    ]);
  });

  it("A re-export under another name is found", async () => {
    expect(await references("imports/make/create.ts", "function $0legacy")).toEqual([
      `${index}:1:33 legacy`,
      `${user}:2:9 oldOne`,
      `${user}:6:2 oldOne`,
    ]);
    expect(await references("imports/pkg/core.py", "class $0Widget")).toEqual([
      "imports/main.py:3:4 Gadget",
      "imports/main.py:8:16 Gadget",
      "imports/main.py:9:11 Gadget",
      "imports/pkg/__init__.py:1:26 Widget",
    ]);
  });

  it("Types used by an import alias are references", async () => {
    expect(await references("imports/make/create.ts", "class $0Store")).toEqual([
      `${user}:1:15 Store`,
      `${user}:4:27 S`,
      `${user}:4:43 S`,
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
      expect(await references(path, part)).toEqual([
        "overloads/user.ts:1:9 pick",
        "overloads/user.ts:3:2 pick",
        "overloads/user.ts:4:2 pick",
      ]);
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
    expect(await references(path, "function $0ensure")).toEqual(["5:26 ensure", "6:23 ensure"]);
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
    expect(targets).toContain("Client");
    expect(targets.filter((name) => /ensure|Local/.test(name))).toEqual([]);
  });
});
