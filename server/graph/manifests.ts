/** The manifests of a workspace by kind, with what their facts keep of them. */

import { baseNameOf } from "./paths.ts";
import type { Project } from "./project.ts";

export interface Manifest {
  readonly path: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** All files of a base name that have manifest facts, in the order of their paths. */
export function manifestsOf(project: Project, baseName: string): Manifest[] {
  return project.named(baseName).flatMap((file) => {
    const manifest = project.facts(file)?.manifest;
    if (typeof manifest !== "object" || manifest === null) return [];
    return [{ path: project.path(file), manifest: manifest as Record<string, unknown> }];
  });
}

/** Files whose base name fits, with their manifests. */
export function manifestsMatching(project: Project, pattern: RegExp): Manifest[] {
  return project.files.flatMap(({ path, facts }) => {
    const manifest = facts?.manifest;
    if (manifest === undefined || manifest === null || !pattern.test(baseNameOf(path))) return [];
    return [{ path, manifest: manifest as Record<string, unknown> }];
  });
}
