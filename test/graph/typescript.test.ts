/** Call resolution in TypeScript. */

import { describe, it } from "vitest";
import { checkCalls } from "../support/graph.ts";

describe("TypeScript", () => {
  it("Re-exports are followed to the definition", () =>
    checkCalls(
      `//- a.ts
import { open as o, ns } from "./index";
o();
ns.open();
//- index.ts
export * from "./pool";
export * as ns from "./pool";
//- pool.ts
export { open } from "./open";
//- open.ts
export function open() {}
`,
      [
        "a.ts:2 o -> open.ts open (imported name)",
        "a.ts:3 open -> open.ts open (member of a module)",
      ],
    ));
  it("An object type has members like an interface", () =>
    checkCalls(
      `//- a.ts
type Base = { close(): void };
type Store = { get: <V>(key: V) => V; sub(key: number): void };
type Own = Base & { reset: () => void };
declare function createStore(): Store;
const store = createStore();
store.get(1);
store.sub(2);
function end(own: Own) { own.reset(); own.close(); }
const get = (key: number) => key;
get(1);
`,
      [
        "a.ts:5 createStore -> a.ts createStore (same file)",
        "a.ts:6 get -> a.ts Store.get (typed receiver)",
        "a.ts:7 sub -> a.ts Store.sub (typed receiver)",
        "a.ts:8 reset -> a.ts Own.reset (typed receiver)",
        "a.ts:8 close -> a.ts Base.close (typed receiver)",
        "a.ts:10 get -> a.ts get (same file)",
      ],
    ));
  it("Fields, parameters and results have types", () =>
    checkCalls(
      `//- a.ts
class Pool { connect(): Connection { return new Connection(); } }
class Connection { query() { return this.close(); } close() {} }
class Shop {
  pool = new Pool();
  constructor(private other: Pool) {}
  run() { this.pool.connect().query(); this.other.connect(); }
}
`,
      [
        "a.ts:1 Connection -> a.ts Connection (same file)",
        "a.ts:2 close -> a.ts Connection.close (own method)",
        "a.ts:4 Pool -> a.ts Pool (same file)",
        "a.ts:6 query -> a.ts Connection.query (typed receiver)",
        "a.ts:6 connect -> a.ts Pool.connect (typed receiver)",
        "a.ts:6 connect -> a.ts Pool.connect (typed receiver)",
      ],
    ));
  it("Calls of libraries, local functions and parameters give no edge", () =>
    checkCalls(
      `//- a.ts
import { open } from "library";
function outer(run: () => void) {
  const inner = () => run();
  inner();
  open();
  [1].map(open);
  JSON.parse("");
}
//- b.ts
export class Json { parse() {} map() {} }
`,
      [],
    ));
  it("An ambiguous call lists reachable candidates only", () =>
    checkCalls(
      `//- a.ts
import "./b";
export function f(x) { x.render(); x.unreached(); }
//- b.ts
export class A { render() {} }
export class B { render() {} }
//- c.ts
export class C { unreached() {} }
`,
      ["a.ts:2 render -> b.ts A.render (candidate)", "a.ts:2 render -> b.ts B.render (candidate)"],
    ));
  it("A default export resolves under any name", () =>
    checkCalls(
      "//- a.js\nconst make = require('./b');\nmake();\n//- b.js\nfunction create() {}\nmodule.exports = create;\n",
      ["a.js:2 make -> b.js create (imported name)"],
    ));
  it("`call`, `apply` and `bind` resolve to the function", () =>
    checkCalls(
      `//- a.js
import { dispatch } from "./dispatch.js";
class Client { call(request) {} }
const client = new Client();
export function request(config, done) {
  const chain = [dispatch.bind(this), undefined];
  dispatch.call(this, config);
  dispatch.apply(null, [config]);
  listen(dispatch.bind(self, config));
  this.dispatch = dispatch.bind(this);
  client.call(config);
  done.call(this);
  bind(config);
  client.bind(config);
}
//- dispatch.js
export function dispatch(config) {}
`,
      [
        "a.js:3 Client -> a.js Client (same file)",
        "a.js:5 dispatch -> dispatch.js dispatch (imported name)",
        "a.js:6 dispatch -> dispatch.js dispatch (imported name)",
        "a.js:7 dispatch -> dispatch.js dispatch (imported name)",
        "a.js:8 dispatch -> dispatch.js dispatch (imported name)",
        "a.js:10 call -> a.js Client.call (typed receiver)",
      ],
    ));
});
