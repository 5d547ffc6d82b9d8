/** Calls between the parts of a partial type in C#. */

import { describe, it } from "vitest";
import { checkCalls } from "../../support/graph.ts";

describe("a partial type", () => {
  it("has the members of all of its parts", () =>
    checkCalls(
      `//- Pool.cs
namespace Shop { public partial class Pool { int Open() { return Close() + this.Close() + Limit(); }
partial class Lid { void Turn() { Shut(); } } } }
//- Pool.Close.cs
namespace Shop { partial class Pool : Base { static int Close() { return 1; } int Twice() { return Open(); }
partial class Lid { void Shut() {} } } }
//- Base.cs
namespace Shop { class Base { protected int Limit() { return 1; } } }
//- Other.cs
namespace Bar { partial class Pool { void Close() {} } }
//- Use.cs
namespace Shop { class Use { int Run(Pool pool) { return pool.Open() + Pool.Close(); } } }
`,
      [
        "Pool.Close.cs:1 Open -> Pool.cs Pool.Open (own method)",
        "Pool.cs:1 Close -> Pool.Close.cs Pool.Close (own method)",
        "Pool.cs:1 Close -> Pool.Close.cs Pool.Close (own method)",
        "Pool.cs:1 Limit -> Base.cs Base.Limit (inherited)",
        "Pool.cs:2 Shut -> Pool.Close.cs Pool.Lid.Shut (own method)",
        "Use.cs:1 Open -> Pool.cs Pool.Open (typed receiver)",
        "Use.cs:1 Close -> Pool.Close.cs Pool.Close (member of a type)",
      ],
    ));

  it("is distinct from other classes of its name that are not partial", () =>
    checkCalls(
      `//- Pool.cs
namespace Shop { class Pool { void Open() { Close(); } } }
//- Generic.cs
namespace Shop { class Pool<T> { void Close() {} } }
`,
      [],
    ));
});
