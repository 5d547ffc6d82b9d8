/** Which definitions a name means that a person or an agent writes: `Pool.open`, `Pool::open`, `shop.pool.Pool.open`. */

import { dottedName, endsWithName } from "../../common/dotted-name.ts";
import { type Graph, qualifiedName } from "../graph.ts";
import type { DefinitionRef } from "../project/project.ts";

/** The name of a private member of JavaScript; behind a class of other languages, `#` is what a dot is. */
const PRIVATE = /(?:^|\.)#/;

/** A name as it was asked for. */
export interface AskedName {
  /** The last part: definitions are looked up by it. */
  readonly last: string;
  /** Whether a definition is meant: its qualified name ends with what was asked, or the rest names its file. */
  isOf(definition: DefinitionRef): boolean;
}

export function askedName({ project }: Graph, text: string): AskedName {
  const name = dottedName(text);
  const isPrivate = PRIVATE.test(text.trim());
  return {
    last: lastOf(name),
    isOf: (definition) => {
      if (isPrivate && project.definition(definition)?.name.startsWith("#") !== true) return false;
      const own = dottedName(qualifiedName(project, definition));
      if (endsWithName(own, name)) return true;
      if (own === "" || !endsWithName(name, own)) return false;
      return isOnPath(name.slice(0, -own.length - 1), project.path(definition.file));
    },
  };
}

/** The last part of a dotted name. */
export function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/**
 * Whether modules, packages or namespaces are folders and the file itself, in this order. Those that have no folder, such
 * as `crate` or the organization of a package, may come first: the last one decides.
 */
function isOnPath(modules: string, path: string): boolean {
  const parts = path.replace(/\.\w+$/, "").split("/");
  const named = modules.split(".");
  let at = parts.lastIndexOf(named.pop() ?? "");
  if (at < 0) return false;
  for (const module of named.toReversed()) {
    const before = at > 0 ? parts.lastIndexOf(module, at - 1) : -1;
    if (before >= 0) at = before;
  }
  return true;
}
