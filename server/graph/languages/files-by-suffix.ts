/** Files by the end of their path: for languages that look a path up in folders of which only the build knows. */

import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import { sharedLength } from "../project/paths.ts";
import type { Project } from "../project/project.ts";

/** The files whose path ends so, and that may be meant; of several those nearest to `from`, and all of equally near ones. */
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
