/** Creates a private bare git directory per repository: it borrows the repository's objects as an alternate, with a safe configuration. */

import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitDirectory } from "../contracts/history.ts";
import type { Repository } from "./repository.ts";

/**
 * Blobs above `bigFileThreshold` count as binary. The repository's commit graph is not used, because it is a cache that
 * any program may have written. JavaScript and TypeScript get an `xfuncname`, so that hunk headings name the function.
 */
const CONFIG = `[core]
\tbare = true
\tquotePath = false
\tcommitGraph = false
\tbigFileThreshold = 2m
\tfsmonitor = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
[protocol]
\tallow = never
[gc]
\tauto = 0
[log]
\tshowSignature = false
[diff "ecmascript"]
\txfuncname = "^[ \\t]*((export[ \\t]+)?(default[ \\t]+)?(abstract[ \\t]+)?(class|interface|enum|namespace|(async[ \\t]+)?function)\\\\b.*)$\\n^[ \\t]*((export[ \\t]+)?(const|let|var)[ \\t]+[A-Za-z_$][A-Za-z0-9_$]*.*(function\\\\b|=>).*)$\\n^[ \\t]*((static|async|get|set|public|private|protected|readonly|override)[ \\t]+)*([A-Za-z_$#][A-Za-z0-9_$]*[ \\t]*(<[^>]*>)?\\\\(.*\\\\)[^;]*\\\\{)[ \\t]*$"
`;

/** Diff drivers of git, with file extensions; an older git falls back to its default for unknown ones. */
const DRIVERS: Readonly<Record<string, string>> = {
  ada: "adb ads",
  bash: "sh bash",
  cpp: "c h cc cpp cxx hpp hh hxx cu",
  csharp: "cs",
  css: "css scss less",
  elixir: "ex exs",
  fortran: "f f90 f95 f03",
  golang: "go",
  html: "html htm",
  java: "java",
  kotlin: "kt kts",
  markdown: "md markdown",
  matlab: "matlab",
  objc: "m mm",
  pascal: "pas pp",
  perl: "pl pm",
  php: "php",
  python: "py pyi",
  ruby: "rb rake",
  rust: "rs",
  scheme: "scm ss",
  tex: "tex",
  ecmascript: "js jsx mjs cjs ts tsx mts cts",
};

const ATTRIBUTES = Object.entries(DRIVERS)
  .flatMap(([driver, extensions]) =>
    extensions.split(" ").map((each) => `*.${each} diff=${driver}`),
  )
  .join("\n");

/** Writes the git directory below `histories`, readable by the user only. It is rewritten each time, so no earlier content is trusted. */
export async function prepareGitDirectory(
  git: string,
  { objects, objectFormat, shallow }: Repository,
  histories: string,
): Promise<GitDirectory> {
  const key = createHash("sha256").update(objects).digest("hex").slice(0, 16);
  const folder = join(histories, `${key}.git`);
  await mkdir(join(folder, "objects", "info"), { recursive: true, mode: 0o700 });
  await mkdir(join(folder, "refs"), { recursive: true, mode: 0o700 });
  await mkdir(join(folder, "info"), { recursive: true, mode: 0o700 });
  const version =
    objectFormat === "sha256"
      ? "\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n"
      : "\trepositoryFormatVersion = 0\n";
  await replaceFile(join(folder, "config"), `${CONFIG}[core]\n${version}`);
  await replaceFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
  await replaceFile(join(folder, "info", "attributes"), `${ATTRIBUTES}\n`);
  await replaceFile(join(folder, "objects", "info", "alternates"), `${quoted(objects)}\n`);
  if (shallow === "") await rm(join(folder, "shallow"), { force: true });
  else await replaceFile(join(folder, "shallow"), `${shallow}\n`);
  return { git, folder };
}

async function replaceFile(path: string, text: string): Promise<void> {
  // Two requests may prepare it at the same time, so the file is replaced atomically.
  const next = `${path}.${randomUUID()}.new`;
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, path);
}

/** A line of the file `alternates`: C-quoted if the path begins like a comment or a quote, or has a newline. */
function quoted(path: string): string {
  if (!/^["#]|[\n\\]/.test(path)) return path;
  return `"${path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
