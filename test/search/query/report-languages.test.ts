/** Twenty bug reports with a traceback of other languages: the file of the innermost own frame comes first. */

import { expect, it } from "vitest";
import { search } from "../../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf } from "../support.ts";

interface Case {
  readonly language: string;
  readonly trace: string;
  readonly expected: string;
  /** Other files of the repository; the report mentions some of them more often. */
  readonly others: readonly string[];
}

const CASES: readonly Case[] = [
  {
    language: "Java (gson)",
    trace: `Exception in thread "main" com.google.gson.JsonSyntaxException: Expected a string
  at java.base/java.util.ArrayList.get(ArrayList.java:427)
  at com.google.gson.internal.bind.TypeAdapters$16.read(TypeAdapters.java:401)
  at com.google.gson.Gson.fromJson(Gson.java:932)`,
    expected: "gson/src/main/java/com/google/gson/internal/bind/TypeAdapters.java",
    others: ["gson/src/main/java/com/google/gson/Gson.java", "gson/JsonSyntaxException.java"],
  },
  {
    language: "Java (jackson)",
    trace: `Caused by: com.fasterxml.jackson.databind.exc.MismatchedInputException: no String-argument constructor
  at com.fasterxml.jackson.databind.DeserializationContext.reportInputMismatch(DeserializationContext.java:1741)
  at com.fasterxml.jackson.databind.ObjectMapper.readValue(ObjectMapper.java:3629)`,
    expected: "src/main/java/com/fasterxml/jackson/databind/DeserializationContext.java",
    others: ["src/main/java/com/fasterxml/jackson/databind/ObjectMapper.java"],
  },
  {
    language: "Kotlin (exposed)",
    trace: `java.lang.IllegalStateException: No transaction in context.
  at org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager$Companion.current(TransactionManager.kt:164)
  at org.jetbrains.exposed.v1.jdbc.QueriesKt.insert(Queries.kt:88)`,
    expected:
      "exposed-jdbc/src/main/kotlin/org/jetbrains/exposed/v1/jdbc/transactions/TransactionManager.kt",
    others: [
      "exposed-jdbc/src/main/kotlin/org/jetbrains/exposed/v1/jdbc/Queries.kt",
      "exposed-r2dbc/src/main/kotlin/org/jetbrains/exposed/v1/r2dbc/transactions/TransactionManager.kt",
    ],
  },
  {
    language: "Scala (circe)",
    trace: `io.circe.DecodingFailure: missing field
  at io.circe.DecodingFailure$.apply(Error.scala:112)
  at io.circe.HCursor.downField(HCursor.scala:61)`,
    expected: "modules/core/shared/src/main/scala/io/circe/Error.scala",
    others: ["modules/core/shared/src/main/scala/io/circe/HCursor.scala"],
  },
  {
    language: "Go (caddy)",
    trace: `panic: runtime error: invalid memory address or nil pointer dereference
goroutine 34 [running]:
github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy.(*Handler).ServeHTTP(0xc0001)
	/home/me/caddy/modules/caddyhttp/reverseproxy/reverseproxy.go:412 +0x1d
github.com/caddyserver/caddy/v2/modules/caddyhttp.(*Server).ServeHTTP(0xc0002)
	/home/me/caddy/modules/caddyhttp/server.go:290 +0x11b`,
    expected: "modules/caddyhttp/reverseproxy/reverseproxy.go",
    others: ["modules/caddyhttp/server.go", "modules/caddyhttp/caddyhttp.go"],
  },
  {
    language: "Go compiler (cobra)",
    trace: `# github.com/spf13/cobra
./flag_groups.go:44:9: undefined: flag
./command.go:90:2: declared and not used: cmd`,
    expected: "flag_groups.go",
    others: ["command.go", "args.go"],
  },
  {
    language: "Rust (ripgrep)",
    trace: `thread 'main' panicked at crates/searcher/src/searcher/glue.rs:87:14:
index out of bounds: the len is 3 but the index is 7
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b431/library/std/src/panicking.rs:645:5
   1: grep_searcher::searcher::glue::ReadByLine::run
             at ./crates/searcher/src/searcher/glue.rs:87:14`,
    expected: "crates/searcher/src/searcher/glue.rs",
    others: ["crates/searcher/src/searcher/mod.rs", "crates/core/main.rs"],
  },
  {
    language: "Rust compiler (axum)",
    trace: `error[E0277]: the trait bound is not satisfied
  --> axum/src/routing/method_routing.rs:55:9
   |
55 |         handler.call(request)
   |         ^^^^^^^ the trait is not implemented`,
    expected: "axum/src/routing/method_routing.rs",
    others: ["axum/src/handler/mod.rs", "axum/src/routing/mod.rs"],
  },
  {
    language: "JavaScript (axios)",
    trace: `TypeError: Cannot read properties of undefined (reading 'cancelToken')
    at throwIfCancellationRequested (webpack-internal:///./node_modules/other/lib/index.js:12:14)
    at dispatchRequest (/app/node_modules/axios/lib/core/dispatchRequest.js:31:10)
    at Axios.request (/app/node_modules/axios/lib/core/Axios.js:45:41)`,
    expected: "lib/core/dispatchRequest.js",
    others: ["lib/core/Axios.js", "lib/cancel/CancelToken.js"],
  },
  {
    language: "TypeScript (zod)",
    trace: `src/types.ts(120,5): error TS2322: Type 'string' is not assignable to type 'never'.
src/helpers/util.ts(8,3): error TS2345: Argument is wrong.`,
    expected: "src/types.ts",
    others: ["src/helpers/util.ts", "src/ZodError.ts"],
  },
  {
    language: "Firefox (redux)",
    trace: `Error: Actions must be plain objects
dispatch@http://localhost:3000/src/createStore.ts:250:13
bindActionCreator@http://localhost:3000/src/bindActionCreators.ts:15:12`,
    expected: "src/createStore.ts",
    others: ["src/bindActionCreators.ts", "src/types/actions.ts"],
  },
  {
    language: "Ruby (rails)",
    trace: `NoMethodError: undefined method 'each' for nil:NilClass
  /usr/lib/ruby/gems/3.2.0/gems/rack-2.2/lib/rack/body.rb:10:in 'each'
  activerecord/lib/active_record/relation/batches.rb:232:in 'find_in_batches'
  activerecord/lib/active_record/relation.rb:55:in 'load'`,
    expected: "activerecord/lib/active_record/relation/batches.rb",
    others: ["activerecord/lib/active_record/relation.rb", "actionpack/lib/body.rb"],
  },
  {
    language: "C# (Newtonsoft.Json)",
    trace: `Newtonsoft.Json.JsonReaderException: Unexpected character
   at System.Linq.Enumerable.First[TSource](IEnumerable\`1 source)
   at Newtonsoft.Json.JsonTextReader.ParseValue() in C:\\dev\\Src\\Newtonsoft.Json\\JsonTextReader.cs:line 1688
   at Newtonsoft.Json.JsonReader.Read() in C:\\dev\\Src\\Newtonsoft.Json\\JsonReader.cs:line 20`,
    expected: "Src/Newtonsoft.Json/JsonTextReader.cs",
    others: ["Src/Newtonsoft.Json/JsonReader.cs", "Src/Newtonsoft.Json/JsonReaderException.cs"],
  },
  {
    language: "PHP (guzzle)",
    trace: `PHP Fatal error:  Uncaught GuzzleHttp\\Exception\\ConnectException: cURL error 6
#0 /srv/app/vendor/guzzlehttp/guzzle/src/Handler/CurlFactory.php(158): GuzzleHttp\\Handler\\CurlFactory::createRejection()
#1 /srv/app/vendor/guzzlehttp/guzzle/src/Client.php(189): GuzzleHttp\\Client->request()`,
    expected: "src/Handler/CurlFactory.php",
    others: ["src/Client.php", "src/Exception/ConnectException.php"],
  },
  {
    language: "Elixir (ecto)",
    trace: `** (Ecto.NoResultsError) expected at least one result but got none
    (elixir 1.14.0) lib/enum.ex:1658: Enum.map/2
    (ecto 3.10.0) lib/ecto/repo/queryable.ex:164: Ecto.Repo.Queryable.one!/3
    (ecto 3.10.0) lib/ecto/repo.ex:20: Ecto.Repo.get!/2`,
    expected: "lib/ecto/repo/queryable.ex",
    others: ["lib/ecto/repo.ex", "lib/ecto/query.ex"],
  },
  {
    language: "gdb (redis)",
    trace: `Program received signal SIGSEGV, Segmentation fault.
#0  0x00005555555d1f20 in dictFind (d=0x0, key=0x7ffff) at src/dict.c:512
#1  0x00005555555e0a11 in lookupKey (db=0x7ffff6, key=0x1) at src/db.c:63
#2  0x0000555555600aaa in getCommand (c=0x1) at src/t_string.c:301`,
    expected: "src/dict.c",
    others: ["src/db.c", "src/t_string.c"],
  },
  {
    language: "gcc (fmt)",
    trace: `In file included from test/format-test.cc:8:
include/fmt/format.h:1044:12: error: no matching function for call to 'write_int'
include/fmt/core.h:88:3: note: candidate: template<class T> write`,
    expected: "include/fmt/format.h",
    others: ["include/fmt/core.h", "src/os.cc"],
  },
  {
    language: "Lua (lazy.nvim)",
    trace: `E5108: Error executing lua: attempt to index a nil value (field 'plugin')
stack traceback:
	/home/me/.local/share/nvim/lazy/lazy.nvim/lua/lazy/core/loader.lua:303: in function 'load'
	/home/me/.local/share/nvim/lazy/lazy.nvim/lua/lazy/core/plugin.lua:20: in function 'add'`,
    expected: "lua/lazy/core/loader.lua",
    others: ["lua/lazy/core/plugin.lua", "lua/lazy/init.lua"],
  },
  {
    language: "Haskell (xmonad)",
    trace: `src/XMonad/Operations.hs:120:7: error:
    Couldn't match expected type 'X ()' with actual type 'IO ()'
src/XMonad/Core.hs:12:1: error: parse error`,
    expected: "src/XMonad/Operations.hs",
    others: ["src/XMonad/Core.hs", "src/XMonad/Layout.hs"],
  },
  {
    language: "Swift (Alamofire)",
    trace: `Fatal error: Unexpectedly found nil while unwrapping an Optional value
Source/Core/Session.swift:321: Fatal error: request was not adapted
Source/Core/Request.swift:88: note: while finishing`,
    expected: "Source/Core/Session.swift",
    others: ["Source/Core/Request.swift", "Source/Features/Retry.swift"],
  },
];

/** One chunk of two thousand lines. */
function fileOf(path: string) {
  return { ...embedded(path, `request load value ${path}`), lines: { start: 0, end: 2000 } };
}

it.each(CASES)("leads from $language to the frame's file", async ({ trace, expected, others }) => {
  const files = [expected, ...others, "README.md", "test/everything.test.ts"];
  const lanes = lanesOf(...files.map(fileOf));
  const query = `It fails when a value is loaded\n\nSince the last release a request fails:\n\n\`\`\`\n${trace}\n\`\`\`\n\nPlease have a look.`;
  const { hits } = await search(contextOf(indexOf("app", lanes)), { query });
  expect(hits[0]?.path).toBe(expected);
});
