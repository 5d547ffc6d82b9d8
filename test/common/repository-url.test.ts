/** All the ways to write the URL of a remote name one repository. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { repositoryPart } from "../../server/common/git-remote.ts";
import { repositoryNamed, repositoryOfUrl } from "../../server/common/repository-url.ts";

describe("the URL of a remote", () => {
  it.each([
    "git@github.com:acme/Shop.git",
    "github.com:acme/Shop",
    "git@GitHub.com:/acme/Shop/",
    "https://github.com/acme/Shop",
    "https://github.com/acme/Shop.git/",
    "https://GITHUB.com:443/acme//Shop.git",
    "https://me:secret@github.com/acme/Shop.git",
    "http://github.com/acme/Shop?a=b#c",
    "ssh://git@github.com/acme/Shop.git",
    "ssh://git@github.com:2222/acme/Shop",
    "git://github.com/acme/Shop.git",
    " https://github.com/acme/Shop.git\n",
  ])("%s is github.com/acme/Shop", (url) => {
    expect(repositoryOfUrl(url)).toBe("github.com/acme/Shop");
  });

  it.each([
    ["https://git.example.org/~me/a%20b.git", undefined],
    ["https://git.example.org/~me/tool.git", "git.example.org/~me/tool"],
    ["git@git.example.org:group/sub/tool.git", "git.example.org/group/sub/tool"],
    ["ssh://[::1]:22/srv/tool.git", "[::1]/srv/tool"],
    ["https://dev.azure.com/acme/_git/shop", "dev.azure.com/acme/_git/shop"],
    ["localhost:tool", "localhost/tool"],
  ])("%s is %s", (url, repository) => {
    expect(repositoryOfUrl(url)).toBe(repository);
  });

  it.each([
    "",
    "/srv/git/shop.git",
    "../shop",
    "./a:b",
    "file:///srv/git/shop.git",
    "C:\\code\\shop",
    "C:/code/shop",
    "https://github.com",
    "https://github.com/.git",
    "git@github.com:../../etc",
    "https://github.com/acme/\u001b[31mshop",
    "https://",
  ])("%j is none", (url) => {
    expect(repositoryOfUrl(url)).toBeUndefined();
  });

  it("is not needed by a person, who may write host/path", () => {
    expect(repositoryNamed("GitHub.com/acme/shop")).toBe("github.com/acme/shop");
    expect(repositoryNamed("git@github.com:acme/shop.git")).toBe("github.com/acme/shop");
    expect(repositoryNamed("shop")).toBeUndefined();
    expect(repositoryNamed("/srv/shop")).toBeUndefined();
  });
});

describe("the repository of a folder", () => {
  function clone(url?: string): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-remote-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    execFileSync("git", ["init", "-q", folder]);
    mkdirSync(join(folder, "services/api"), { recursive: true });
    if (url !== undefined) execFileSync("git", ["-C", folder, "remote", "add", "origin", url]);
    return folder;
  }

  it("is named by its origin, also with other remotes", async () => {
    const folder = clone("https://me:secret@github.com/acme/shop.git");
    execFileSync("git", ["-C", folder, "remote", "add", "upstream", "https://github.com/up/shop"]);
    const expected = { repository: "github.com/acme/shop", subfolder: "" };
    expect(await repositoryPart(folder, "")).toEqual(expected);
    const part = await repositoryPart(join(folder, "services/api"), "");
    expect(part).toEqual({ ...expected, subfolder: "services/api" });
  });

  it("is the configured one, if there is one", async () => {
    const part = await repositoryPart(clone("/srv/mirror"), "git.example.org/shop");
    expect(part).toEqual({ repository: "git.example.org/shop", subfolder: "" });
  });

  it("is unknown without an origin, for a local one, and outside of git", async () => {
    expect(await repositoryPart(clone(), "")).toBeUndefined();
    expect(await repositoryPart(clone("/srv/git/shop.git"), "")).toBeUndefined();
    expect(await repositoryPart(realpathSync(tmpdir()), "")).toBeUndefined();
  });

  it("is the same in a linked worktree", async () => {
    const folder = clone("git@github.com:acme/shop.git");
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", join(folder, "wt"), "-b", "topic");
    const part = await repositoryPart(join(folder, "wt"), "");
    expect(part).toEqual({ repository: "github.com/acme/shop", subfolder: "" });
  });
});
