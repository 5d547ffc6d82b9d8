/** Which files share a package whose names they see without importing them. */

import type { FileFacts } from "../contracts/facts.ts";
import { folderOf } from "./paths.ts";

const JVM: ReadonlySet<string> = new Set(["java", "kotlin", "scala"]);

/** Undefined where a language has no such packages. */
export function packageKeyOf(path: string, facts: FileFacts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  const { language, packageName } = facts;
  if (language === "go") return goPackageKey(folderOf(path), packageName);
  return JVM.has(language) ? jvmPackageKey(packageName) : undefined;
}

function goPackageKey(folder: string, packageName: string): string {
  return `go:${folder}:${packageName}`;
}

export function jvmPackageKey(packageName: string): string {
  return `jvm:${packageName}`;
}
