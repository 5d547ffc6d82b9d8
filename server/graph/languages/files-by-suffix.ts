/** Finds files by path suffix, for languages with include roots that only the build knows. */

import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import { sharedLength } from "../project/paths.ts";
import type { Project } from "../project/project.ts";

/** The files with a path suffix that `mayMean` accepts: those with the longest common folder prefix with `from`. */
export function filesBySuffix(
  project: Project,
  from: string,
  suffix: string,
  mayMean: (path: string) => boolean = () => true,
): number[] {
  const plain = suffix.replace(/^(?:\.{0,2}\/)+/, "");
  const found = project.named(baseNameOf(plain)).filter((file) => {
    const path = project.path(file);
    return (path === plain || path.endsWith(`/${plain}`)) && mayMean(path);
  });
  if (found.length < 2) return found;
  const folder = folderOf(from).split("/");
  const nearness = found.map((file) => sharedLength(folder, project.path(file).split("/")));
  const best = Math.max(...nearness);
  return found.filter((_, i) => nearness[i] === best);
}
