/** `helix-config --write`, in front of a program that answers as Helix does. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";
import { run } from "./run-cli.ts";

const USER = '# my own servers\n[[language]]\nname = "python"\nlanguage-servers = ["pylsp"]\n';

function helixHome() {
  const home = workspace("//- config/helix/languages.toml\n");
  const folder = join(home, "config/helix");
  const file = join(folder, "languages.toml");
  writeFileSync(file, USER);
  const hx = join(home, "hx");
  const health = "Configured language servers:\\n  \\342\\234\\223 gopls: /bin/gopls\\n";
  writeFileSync(hx, `#!/bin/sh\nprintf '${health}'\n`, { mode: 0o700 });
  const env = { HOME: home, PATH: "/usr/bin:/bin", XDG_CONFIG_HOME: join(home, "config") };
  const configure = async (...languages: string[]) => {
    const { code, err } = await run(["helix-config", "--write", "--hx", hx, ...languages], { env });
    expect(code).toBe(0);
    return err.replaceAll(folder, "");
  };
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { configure, read, list: () => readdirSync(folder).toSorted() };
}

it("`helix-config --write` never overwrites a backup", async () => {
  const { configure, read, list } = helixHome();
  const kept = "2 languages in /languages.toml; the old file is /languages.toml.bak";
  expect(await configure("python", "go")).toBe(`${kept}\n`);
  expect(read("languages.toml.bak")).toBe(USER);
  const ours = read("languages.toml");

  expect(await configure("python", "go")).toBe(
    "nothing to change: 2 languages in /languages.toml\n",
  );
  expect(list()).toEqual(["languages.toml", "languages.toml.bak"]);

  expect(await configure("rust")).toBe(
    "1 language in /languages.toml; the old file is /languages.toml.bak2\n",
  );
  expect(read("languages.toml.bak")).toBe(USER);
  expect(read("languages.toml.bak2")).toBe(ours);
});
