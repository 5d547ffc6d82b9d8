/**
 * Extracts paths in configuration and prose: Terraform, GitHub Actions, GitLab, Compose, Helm, Argo CD, Dockerfiles,
 * Markdown.
 */

import { decodeEscapes } from "../../../common/text.ts";
import type { ImportStatement } from "./statement.ts";

interface Link extends ImportStatement {
  readonly line: number;
}

/** Local paths begin with `./`, `../`, or `/` for the root of the workspace. */
type ReadLine = (line: string, path: string) => readonly string[];

interface Format {
  fits(path: string, languageId: string, text: string): boolean;
  readonly read: ReadLine;
}

const TERRAFORM: ReadonlySet<string> = new Set(["hcl", "terraform"]);

/** Languages with links in every file. */
export const LINKED_LANGUAGES: ReadonlySet<string> = new Set([
  ...TERRAFORM,
  "dockerfile",
  "markdown",
]);

const FORMATS: readonly Format[] = [
  { fits: (_, languageId) => TERRAFORM.has(languageId), read: terraform },
  {
    fits: (path) => /(?:^|\/)\.github\/.*\.ya?ml$|(?:^|\/)action\.ya?ml$/.test(path),
    read: actions,
  },
  { fits: (path) => /gitlab-ci[^/]*\.ya?ml$|(?:^|\/)\.gitlab\//.test(path), read: gitlab },
  { fits: (path) => /(?:^|\/)(?:docker-)?compose[^/]*\.ya?ml$/.test(path), read: compose },
  { fits: (path) => /(?:^|\/)Chart\.ya?ml$/.test(path), read: helm },
  { fits: (path) => /(?:^|\/)kustomization\.ya?ml$/.test(path), read: kustomize },
  {
    fits: (path, _, text) =>
      /\.ya?ml$/.test(path) && /^[ \t]*apiVersion:\s*["']?argoproj\.io\//m.test(text),
    read: argo,
  },
  { fits: (_, languageId) => languageId === "dockerfile", read: dockerfile },
  { fits: (_, languageId) => languageId === "markdown", read: markdown },
];

/** Undefined for files without links. */
export function linksOf(path: string, text: string, languageId: string): Link[] | undefined {
  const format = FORMATS.find(({ fits }) => fits(path, languageId, text));
  if (format === undefined) return undefined;
  return text
    .split("\n")
    .flatMap((content, line) =>
      format
        .read(content, path)
        .map((module) => ({ kind: "include" as const, module, names: [], line })),
    );
}

const first = (pattern: RegExp, line: string): string | undefined => pattern.exec(line)?.[1];

/** A path relative to the file's folder, unless it is marked otherwise. */
function relative(path: string | undefined): string[] {
  if (path === undefined || path === "" || /^[\w+.-]+:|[${}]/.test(path)) return [];
  return [/^\.{0,2}\//.test(path) ? path : `./${path}`];
}

/** A path relative to the root of the workspace. */
function fromRoot(path: string | undefined): string[] {
  if (path === undefined || /^[\w+.-]+:|[${}]/.test(path)) return [];
  return [`/${path.replace(/^(?:\.?\/)+/, "")}`];
}

function terraform(line: string): readonly string[] {
  const source = first(/^\s*source\s*=\s*"([^"]+)"/, line);
  if (source === undefined) return [];
  return source.startsWith(".") ? relative(source) : [source];
}

function actions(line: string): readonly string[] {
  const uses = first(/^\s*(?:-\s*)?["']?uses["']?:\s*["']?([^\s"'#]+)/, line);
  if (uses === undefined) return [];
  return uses.startsWith("./") ? fromRoot(uses) : [uses];
}

function gitlab(line: string): readonly string[] {
  const local =
    first(/^\s*(?:-\s*)?local:\s*["']?([^\s"'#]+)/, line) ??
    first(/^include:\s*["']?([^\s"'#[{]+\.ya?ml)/, line) ??
    first(/^\s*-\s*["']?(\/?[\w./-]+\.ya?ml)["']?\s*$/, line);
  return fromRoot(local);
}

function compose(line: string): readonly string[] {
  const value = first(
    /^\s*(?:-\s*)?(?:build|context|env_file|file|path):\s*["']?([^\s"'#[{]+)/,
    line,
  );
  return relative(value);
}

function helm(line: string): readonly string[] {
  const local = first(/^\s*(?:-\s*)?repository:\s*["']?file:\/\/([^\s"'#]+)/, line);
  return relative(local);
}

function kustomize(line: string): readonly string[] {
  return relative(first(/^\s*-\s*(?:path:\s*)?["']?(\.{0,2}\/?[\w./-]+)["']?\s*$/, line));
}

function argo(line: string): readonly string[] {
  return fromRoot(first(/^\s*path:\s*["']?([\w./-]+)["']?\s*$/, line));
}

/** Build stages of the file are not images. */
function dockerfile(line: string): readonly string[] {
  const image = first(/^\s*FROM\s+(?:--\S+\s+)*([\w./:@-]+[.:/][\w./:@-]+)/i, line);
  if (image !== undefined) return [image];
  const copied = /^\s*(?:COPY|ADD)\s+(?!.*--from)((?:--\S+\s+)*)(.+)$/i.exec(line)?.[2];
  if (copied === undefined || copied.startsWith("[")) return [];
  const sources = copied.trim().split(/\s+/).slice(0, -1);
  return sources.filter((one) => one !== "." && !one.includes("*")).flatMap((one) => relative(one));
}

function markdown(line: string): readonly string[] {
  const inline = [...line.matchAll(/\]\(\s*<?([^)\s>]{1,500})>?(?:\s+["'(][^)]{0,500})?\)/g)];
  const reference = first(/^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)/, line);
  return [...inline.map(([, target]) => target), reference].flatMap((target) => {
    const path = target?.replace(/[#?].*$/, "");
    if (path === undefined || path === "" || /^[\w+.-]+:|^\/\//.test(path)) return [];
    return relative(decodeEscapes(path));
  });
}
