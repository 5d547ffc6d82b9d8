/** Finds the file of a JavaScript or TypeScript path, which may lack its extension or have the extension of the build output. */

import type { Project } from "../project/project.ts";

const EXTENSIONS = ".ts .tsx .d.ts .mts .cts .js .jsx .mjs .cjs .json .vue .svelte .astro".split(
  " ",
);
/** Extensions of sources, by the extension of their output, which TypeScript imports use. */
const SOURCE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx", ".ts"],
  ".mjs": [".mts", ".d.mts", ".ts"],
  ".cjs": [".cts", ".d.cts", ".ts"],
};

/** Finds the file of a path; undefined if it does not exist. */
export type FindFile = (path: string | undefined) => number | undefined;

/** The first existing file among the candidates for a path. */
export function fileAt(project: Project, path: string): number | undefined {
  const suffix = /\.[cm]?jsx?$/.exec(path)?.[0] ?? "";
  const stem = path.slice(0, path.length - suffix.length);
  const candidates = [
    path,
    ...EXTENSIONS.map((extension) => path + extension),
    ...(SOURCE_EXTENSIONS[suffix] ?? []).map((extension) => stem + extension),
  ];
  for (const candidate of candidates) {
    const file = project.find(candidate);
    if (file !== undefined) return file;
  }
  return undefined;
}
