/** Looks definitions up by a name that a user or an agent writes: `Pool.open`, `Pool::open`, `shop.pool.Pool.open`. */

import { dottedName, endsWithName, lastSegment } from "../../common/dotted-name.ts";
import { type Graph, qualifiedName } from "../graph.ts";
import type { DefinitionRef } from "../project/project.ts";

/** A private member of JavaScript. In `Pool#open`, as documentation of Ruby and Java writes it, `#` is a separator. */
const PRIVATE = /(?:^|\.)#/;

export interface NameQuery {
  /** The last part of the name: definitions are looked up by it. */
  readonly last: string;
  /** Whether the qualified name of a definition ends with the query, or the query begins with the path of its file. */
  matches(definition: DefinitionRef): boolean;
}

export function parseNameQuery({ project }: Graph, text: string): NameQuery {
  const name = dottedName(text);
  const isPrivate = PRIVATE.test(text.trim());
  return {
    last: lastSegment(name),
    matches: (definition) => {
      if (isPrivate && project.definition(definition)?.name.startsWith("#") !== true) return false;
      const own = dottedName(qualifiedName(project, definition));
      if (endsWithName(own, name)) return true;
      if (own === "" || !endsWithName(name, own)) return false;
      return isOnPath(name.slice(0, -own.length - 1), project.path(definition.file));
    },
  };
}

/**
 * Whether dotted modules, packages or namespaces match the folders and the base name of a path, in order. The last one must
 * match; earlier ones may have no folder, such as `crate` or the organization in the name of a package.
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
