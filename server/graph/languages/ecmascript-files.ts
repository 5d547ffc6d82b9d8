/** Which file a path of JavaScript or TypeScript means: with or without its extension, or with the one it is built to. */

import type { Project } from "../project/project.ts";

const EXTENSIONS = ".ts .tsx .d.ts .mts .cts .js .jsx .mjs .cjs .json .vue .svelte .astro".split(
  " ",
);
/** What TypeScript lets people write for the file that they mean. */
const WRITTEN_FOR: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx", ".ts"],
  ".mjs": [".mts", ".d.mts", ".ts"],
  ".cjs": [".cts", ".d.cts", ".ts"],
};

/** How a path is looked for; undefined where there is no file. */
export type FindFile = (path: string | undefined) => number | undefined;

export function fileAt(project: Project, path: string): number | undefined {
  const suffix = /\.[cm]?jsx?$/.exec(path)?.[0] ?? "";
  const stem = path.slice(0, path.length - suffix.length);
  const candidates = [
    path,
    ...EXTENSIONS.map((extension) => path + extension),
    ...(WRITTEN_FOR[suffix] ?? []).map((extension) => stem + extension),
  ];
  for (const candidate of candidates) {
    const file = project.find(candidate);
    if (file !== undefined) return file;
  }
  return undefined;
}
