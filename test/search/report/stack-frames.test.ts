/** Reading stack traces: one frame in each of the formats that programs write. */

import { describe, expect, it } from "vitest";
import { framesIn } from "../../../server/search/report/stack-frames.ts";

/** `path:line function` with the line from 1, as people count. */
const read = (text: string) =>
  framesIn(text).map(({ path, line, function: name }) =>
    [`${path}:${line + 1}`, ...(name === undefined ? [] : [name])].join(" "),
  );

const FORMATS: [string, string, string][] = [
  [
    "Python",
    '  File "/srv/venv/site-packages/flask/app.py", line 12, in wsgi_app',
    "/srv/venv/site-packages/flask/app.py:12 wsgi_app",
  ],
  ["pytest", "tests/test_users.py:12: AssertionError", "tests/test_users.py:12"],
  ["Java", "\tat org.acme.Users$Cache.load(Users.java:42)", "org/acme/Users.java:42 load"],
  [
    "Java with a module",
    "\tat app//org.acme.Users.load(Users.java:42)",
    "org/acme/Users.java:42 load",
  ],
  ["Kotlin", "    at org.acme.UsersKt.main(Users.kt:3)", "org/acme/Users.kt:3 main"],
  ["JavaScript", "    at load (file:///srv/app/users.js:1:2)", "/srv/app/users.js:1 load"],
  [
    "JavaScript, a method",
    "    at async Users.load (/srv/app/users.js:1:2)",
    "/srv/app/users.js:1 load",
  ],
  ["JavaScript without a name", "    at /srv/app/users.js:1:2", "/srv/app/users.js:1"],
  ["a bundler", "    at Object.<anonymous> (webpack:///./src/users.ts?a1:1:2)", "src/users.ts:1"],
  ["Firefox", "load@http://localhost:3000/src/users.js:10:5", "/src/users.js:10 load"],
  ["TypeScript's compiler", "src/users.ts(10,5): error TS2322: Type 'x' is not", "src/users.ts:10"],
  ["Go", "main.(*Users).load(0xc000)\n\t/srv/app/users.go:12 +0x1d", "/srv/app/users.go:12 load"],
  ["Rust", "   3: app::users::load\n             at ./src/users.rs:12:5", "src/users.rs:12 load"],
  ["a panic of Rust", "thread 'main' panicked at src/users.rs:12:5:", "src/users.rs:12"],
  ["Rust's compiler", "  --> src/users.rs:12:5", "src/users.rs:12"],
  ["Ruby", "user.rb:120:in `load'", "user.rb:120 load"],
  ["Ruby 3.4", "\tfrom app/user.rb:120:in 'User#load'", "app/user.rb:120 load"],
  ["a block of Ruby", "app/user.rb:120:in `block in load'", "app/user.rb:120 load"],
  [
    "C#",
    "   at Acme.Users.Load(Int32 id) in C:\\My Projects\\Users.cs:line 42",
    "C:/My Projects/Users.cs:42 Load",
  ],
  ["C#, pasted alone", "Users.cs:line 42", "Users.cs:42"],
  [
    "PHP",
    "PHP Fatal error:  Uncaught Error in /srv/app/User.php on line 12",
    "/srv/app/User.php:12",
  ],
  ["PHP, pasted alone", "User.php on line 12", "User.php:12"],
  ["PHP, a frame", "#0 /srv/app/User.php(12): App\\User->load(1)", "/srv/app/User.php:12 load"],
  ["Elixir", "    (app 0.1.0) lib/app/users.ex:12: App.Users.load/1", "lib/app/users.ex:12 load"],
  ["Erlang", '[{users,load,1,[{file,"src/users.erl"},{line,12}]}]', "src/users.erl:12"],
  ["gdb", "#1  0x00401136 in load (id=1) at src/users.c:42", "src/users.c:42 load"],
  ["lldb", "    frame #0: 0x1000 app`load(id=1) at users.c:42:5", "users.c:42 load"],
  ["a sanitizer", "    #1 0x4a2b in load /srv/app/users.c:42:3", "/srv/app/users.c:42 load"],
  ["gcc", "src/users.c:42:5: error: expected ';'", "src/users.c:42"],
  ["MSVC", "C:\\app\\users.cpp(42): error C2065: 'x'", "C:/app/users.cpp:42"],
  ["Perl", "Can't load at lib/Users.pm line 12.", "lib/Users.pm:12"],
  ["Lua", "lua: users.lua:12: in function 'load'", "users.lua:12 load"],
  ["Swift", "Fatal error: no user: file App/Users.swift, line 12", "App/Users.swift:12"],
  ["Haskell", "  error, called at src/Users.hs:12:5 in main:Users", "src/Users.hs:12"],
  ["Dart", "#0      Users.load (package:app/src/users.dart:12:5)", "/src/users.dart:12 load"],
  [
    "OCaml",
    'Called from Users.load in file "src/users.ml", line 12, characters 3-10',
    "src/users.ml:12",
  ],
  ["Julia", " [1] load(id::Int64)\n   @ Main ./users.jl:12", "users.jl:12 load"],
  ["Zig", "/srv/app/users.zig:12:5: 0x1036 in load (users)", "/srv/app/users.zig:12 load"],
  ["the shell", "./users.sh: line 12: load: command not found", "users.sh:12"],
];
it.each(FORMATS)("reads a frame of %s", (_, text, expected) =>
  expect(read(text)).toEqual([expected]),
);

describe("many frames", () => {
  it("begins with the innermost, which Python writes last", () =>
    expect(
      read(
        'Traceback (most recent call last):\n  File "a.py", line 1, in main\n    load()\n  File "b.py", line 2, in load\n    raise E\nE: no',
      ),
    ).toEqual(["b.py:2 load", "a.py:1 main"]));
  it("keeps the order of formats that write it first", () =>
    expect(read("Error: no\n    at load (/b.js:2:1)\n    at main (/a.js:1:1)")).toEqual([
      "/b.js:2 load",
      "/a.js:1 main",
    ]));
  it("finds several in one line", () =>
    expect(read("see src/a.ts:1 and src/b.ts:2")).toEqual(["src/a.ts:1", "src/b.ts:2"]));
});

describe("lines that are not frames", () => {
  it.each([
    "the request to example.com:443 timed out at 12:30:45",
    "http://localhost:3000/users answers 404",
    "it happens on line 12 of the config",
    "version 1.2.3 (4)",
    "ratio 16:9, key a.b:3",
    "file.ts:0",
  ])("%s", (text) => expect(read(text)).toEqual([]));
  it.each(["a:1", "at ", "(1)", "in ", 'File "', "x/x/x/", ":1:1", "{file,"])(
    "finds a bounded number of frames in a megabyte of %j",
    (piece) =>
      expect(framesIn(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(200),
  );
});
