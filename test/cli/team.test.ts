/** The output and the exit codes of the commands of a team's database. */

import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import type { PublishedIndex, PublishReport, TeamSetup } from "../../server/contracts/published.ts";
import { run } from "./run-cli.ts";

const PUBLISHED: PublishedIndex = {
  repository: "git.example.org/acme/shop",
  subfolder: "",
  branch: "main",
  commit: "0123456789abcdef0123456789abcdef01234567",
  index: "shop-1a2b3c4d",
  files: 1200,
  chunks: 9000,
  publishedAt: "2026-05-04T10:20:30.000Z",
  modelId: "m",
  dimension: 3,
  chunkerVersion: "1",
  schemaVersion: 6,
};
const REPORT: PublishReport = {
  published: PUBLISHED,
  isChanged: true,
  indexed: 1,
  unchanged: 1199,
  removed: 2,
};
const HERE = ["--root", tmpdir()];

describe("publish", () => {
  it("prints commit, counts and time", async () => {
    const { code, out } = await run(["publish", ...HERE], {
      team: { publish: async () => REPORT },
    });
    expect(out).toMatch(
      /^published git\.example\.org\/acme\/shop, branch main, commit 0123456789: 1 file indexed, 1199 unchanged, 2 removed, 9,000 chunks, after \d+ ms\n$/,
    );
    expect(code).toBe(0);
  });

  it("says that the commit is already published", async () => {
    const report = { ...REPORT, isChanged: false, published: { ...PUBLISHED, subfolder: "api" } };
    const { code, out } = await run(["publish", ...HERE], {
      team: { publish: async () => report },
    });
    expect(out).toBe(
      "git.example.org/acme/shop (api), branch main, commit 0123456789 is already published; nothing was written\n",
    );
    expect(code).toBe(0);
  });

  it("passes root and branch, shows notes, and prints JSON", async () => {
    const asked: unknown[] = [];
    const { out, err } = await run(["publish", ...HERE, "--branch", "next", "--json"], {
      team: {
        publish: async (request, { note }) => {
          asked.push(request);
          note("waiting");
          return REPORT;
        },
      },
    });
    expect(asked).toEqual([{ root: tmpdir(), branch: "next" }]);
    expect(JSON.parse(out)).toEqual({ ...REPORT, ms: expect.any(Number) });
    expect(err).toBe("waiting\n");
  });

  it.each([
    [
      new BadRequest("the folder differs from its commit"),
      2,
      "error: the folder differs from its commit\n",
    ],
    [
      new Unavailable("the database does not answer", "start it"),
      3,
      "error: the database does not answer\nstart it\n",
    ],
  ])("ends with the exit code of its error: %s", async (error, code, err) => {
    const publish = async () => {
      throw error;
    };
    const team = { publish };
    expect(await run(["publish", ...HERE], { team })).toEqual({ code, out: "", err });
  });
});

describe("team", () => {
  it("init prints the SQL and runs nothing, or names the roles to grant", async () => {
    const setupScript = ({ perRepository }: TeamSetup) => (perRepository ? "each" : "all");
    const printed = (...options: string[]) =>
      run(["team", "init", "--dry-run", ...options], { team: { setupScript } });
    expect(await printed()).toEqual({ code: 0, out: "all\n", err: "" });
    expect(await printed("--per-repository")).toEqual({ code: 0, out: "each\n", err: "" });
    const asked: TeamSetup[] = [];
    const init = async (setup: TeamSetup) => {
      asked.push(setup);
      return "db.example.org/code";
    };
    const team = { init };
    const { out } = await run(["team", "init"], { team });
    expect(out).toMatch(
      /^db\.example\.org\/code is set up.*\n.*grant cocosearch_reader to USER;\n.*grant cocosearch_publisher to USER;\n$/,
    );
    const each = await run(["team", "init", "--per-repository"], { team });
    expect(each.out).toMatch(
      /cocosearch_reader.*\n.*call cocosearch_allow\('USER', 'HOST\/PATH'\);.*\n$/,
    );
    expect(asked).toEqual([{ perRepository: false }, { perRepository: true }]);
  });

  it("list prints a table, and says what to do without any index", async () => {
    const { code, out } = await run(["team", "list"], {
      team: { list: async () => ({ published: [PUBLISHED] }) },
    });
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["repository", "folder", "branch", "commit", "published", "files", "chunks", "index"],
      [
        "git.example.org/acme/shop",
        ".",
        "main",
        "0123456789",
        "2026-05-04 10:20",
        "1200",
        "9000",
        "shop-1a2b3c4d",
      ],
      [""],
    ]);
    expect(code).toBe(0);
    const replica = { isBehind: true, replayedAt: PUBLISHED.publishedAt };
    const list = async () => ({ published: [PUBLISHED], replica });
    const { err } = await run(["team", "list"], { team: { list } });
    expect(err).toBe(
      "the database is a replica, whose last change is of 2026-05-04 10:20; it lags behind its primary\n",
    );
    const none = await run(["team", "list"], { team: { list: async () => ({ published: [] }) } });
    expect(none).toEqual({
      code: 1,
      out: "",
      err: "nothing is published yet; run cocosearch-lsp publish in a clone\n",
    });
  });

  it("remove takes a name or a URL", async () => {
    const asked: unknown[] = [];
    const team = {
      remove: async (...[repository, branch]: readonly unknown[]) => {
        asked.push([repository, branch]);
        return branch === undefined ? [PUBLISHED] : [];
      },
    };
    const removed = await run(["team", "remove", "git@Git.example.org:acme/shop.git"], { team });
    expect(removed).toEqual({
      code: 0,
      out: "removed 1 index:\ngit.example.org/acme/shop, branch main\n",
      err: "",
    });
    const none = await run(["team", "remove", "git.example.org/acme/shop", "--branch", "x"], {
      team,
    });
    expect(none.code).toBe(1);
    expect(asked).toEqual([
      ["git.example.org/acme/shop", undefined],
      ["git.example.org/acme/shop", "x"],
    ]);
    const wrong = await run(["team", "remove", "shop"], { team });
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("HOST/PATH") });
  });
});
