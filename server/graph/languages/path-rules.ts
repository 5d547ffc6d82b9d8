/** Imports by path: links in configuration and prose, and languages whose modules are paths. */

import { folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { joinPath } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import type { Resolution, Rules } from "../resolve/rules.ts";
import { NOTHING, type Values } from "../resolve/values.ts";
import { filesBySuffix } from "./files-by-suffix.ts";

/** Entry files of a folder that a link names. */
const ENTRIES = [
  "action.yml",
  "action.yaml",
  "Chart.yaml",
  "kustomization.yaml",
  "kustomization.yml",
  "Dockerfile",
  "README.md",
];

type Locate = (project: Project, from: string, module: string) => readonly number[];

const LOCATE: Readonly<Record<string, Locate>> = {
  links: linked,
  zig: (project, from, module) => beside(project, from, [module]),
  dart: (project, from, module) => {
    const inPackage = /^package:([\w.]+)\/(.+)$/.exec(module);
    if (inPackage === null) return beside(project, from, [module]);
    const [, name = "", path = ""] = inPackage;
    const files = nearest(project, from, [`lib/${path}`]);
    const isInPackage = (file: number) => project.path(file).endsWith(`${name}/lib/${path}`);
    return files.filter((file) => isInPackage(file) || project.path(file) === `lib/${path}`);
  },
  haskell: (project, from, module) => nearest(project, from, [`${module.replaceAll(".", "/")}.hs`]),
  scss: styled,
  less: styled,
  // Relative to an include root, which only the build knows.
  protobuf: (project, from, module) => nearest(project, from, [module]),
  make: (project, from, module) => beside(project, from, [module]),
  cmake: (project, from, module) => beside(project, from, [module, `${module}/CMakeLists.txt`]),
  nix: (project, from, module) => beside(project, from, [module, `${module}/default.nix`]),
};

export class PathRules implements Rules {
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  resolve(file: number, { module }: ImportFact): Resolution {
    const language = this.#project.language(file);
    const files = LOCATE[language]?.(this.#project, this.#project.path(file), module) ?? [];
    const how = language === "links" ? "link" : "module";
    if (files.length > 0) return { files, bindings: [], wildcards: [], how };
    if (/^\.{0,2}\//.test(module)) return { files, bindings: [], wildcards: [], how: "unresolved" };
    return { files, bindings: [], wildcards: [], external: module, how: "external" };
  }

  submodule(): Values {
    return NOTHING;
  }
}

function found(project: Project, path: string | undefined): number[] {
  const file = project.find(path);
  return file === undefined ? [] : [file];
}

/** The first existing file of several paths, relative to the folder of the importer. */
function beside(project: Project, from: string, paths: readonly string[]): readonly number[] {
  for (const path of paths) {
    const files = found(project, joinPath(folderOf(from), path));
    if (files.length > 0) return files;
  }
  return [];
}

/** A style sheet: without extension, as a partial (`_name`), or as the index of a folder. */
function styled(project: Project, from: string, module: string): readonly number[] {
  const slash = module.lastIndexOf("/") + 1;
  const partial = `${module.slice(0, slash)}_${module.slice(slash)}`;
  const files = STYLE_EXTENSIONS.flatMap((ending) => [module + ending, partial + ending]);
  const indexes = [`${module}/_index.scss`, `${module}/index.scss`];
  return beside(project, from, [...files, ...indexes]);
}

const STYLE_EXTENSIONS = ["", ".scss", ".sass", ".less", ".css"];

/** The nearest files for the first path suffix that any file has. */
export function nearest(project: Project, from: string, suffixes: readonly string[]): number[] {
  for (const suffix of suffixes) {
    const files = filesBySuffix(project, from, suffix);
    if (files.length > 0) return files;
  }
  return [];
}

/** The target of a link: a file, the files of a Terraform module, or the entry file of a folder. */
function linked(project: Project, from: string, module: string): readonly number[] {
  if (!/^\.{0,2}\//.test(module)) return [];
  const folder = module.startsWith("/") ? "" : folderOf(from);
  const path = joinPath(folder, module.replace(/^\//, ""));
  const own = found(project, path);
  if (own.length > 0 || path === undefined) return own;
  if (/\.(?:tf|tofu)$/.test(from))
    return project.inFolder(path).filter((file) => /\.(?:tf|tofu)$/.test(project.path(file)));
  const entries = ENTRIES.flatMap((entry) => found(project, joinPath(path, entry)));
  return entries.slice(0, 1);
}
