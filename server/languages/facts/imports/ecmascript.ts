/** Parses JavaScript and TypeScript imports from the text of a statement. */

import type { ImportedName, ImportKind } from "../../../contracts/facts.ts";
import { splitList } from "../chains.ts";
import { nameOfRequired } from "./required-name.ts";
import type { ImportStatement } from "./statement.ts";

const MODULE = /(["'`])((?:(?!\1)[^\n])*)\1/;

/** `text` is an import or export statement, or a call of `import` or `require` with its assignment. */
export function ecmascriptImports(text: string): ImportStatement[] {
  const trimmed = text.trimStart();
  if (/^import\b(?!\s*[(.])/.test(trimmed)) return importStatement(trimmed);
  if (/^export\b/.test(trimmed)) return exportStatement(trimmed);
  const whole = /^module\.exports\s*=\s*\{([\s\S]*)\}$/.exec(trimmed)?.[1];
  if (whole !== undefined)
    return [{ kind: "reexport", module: "", names: exportedProperties(whole) }];
  const [, , module] =
    /(?:import|require(?:\.resolve)?)\s*\(\s*(["'`])([^"'`\n$]+)\1/.exec(trimmed) ?? [];
  if (module === undefined) return [];
  return [{ kind: "dynamic", module, names: requiredNames(trimmed) }];
}

/** `const { a, b: c } = require(...)`, `const x = await import(...)`. */
function requiredNames(text: string): ImportedName[] {
  const [, pattern, name] =
    /^(?:(?:const|let|var)\s+)?(?:\{([^}]*)\}|([\w$]+))\s*=/.exec(text) ?? [];
  if (name !== undefined) return [{ name: undefined, alias: name }];
  // The assignment contains more than the call.
  if (pattern === undefined)
    return /^require\b/.test(text) ? [{ name: undefined, alias: nameOfRequired(text) }] : [];
  return splitList(pattern).flatMap((part) => {
    const [, own, alias] = /^([\w$]+)\s*(?::\s*([\w$]+))?/.exec(part) ?? [];
    return own === undefined ? [] : [{ name: own, alias: alias ?? own }];
  });
}

/** Named exports of `{ a, b: c }`: a, and b as c. Methods and other values are definitions of their own. */
function exportedProperties(list: string): ImportedName[] {
  return splitList(list).flatMap((part) => {
    const [, own, value] = /^([\w$]+)\s*(?::\s*([\w$]+))?$/.exec(part) ?? [];
    return own === undefined ? [] : [{ name: value ?? own, alias: own }];
  });
}

function importStatement(text: string): ImportStatement[] {
  const equals = /^import\s+(?:type\s+)?([\w$]+)\s*=\s*require\s*\(\s*["']([^"']+)["']/.exec(text);
  if (equals !== null) {
    const [, alias = "", module = ""] = equals;
    return [{ kind: "import", module, names: [{ name: undefined, alias }] }];
  }
  const from = /\bfrom\s*(["'])([^"'\n]*)\1/.exec(text);
  if (from === null) {
    const module = MODULE.exec(text)?.[2];
    return module === undefined ? [] : [{ kind: "sideEffect", module, names: [] }];
  }
  const clause = text.slice("import".length, from.index).trim();
  const isType = /^type\b(?!\s*(?:,|$))/.test(clause);
  const kind: ImportKind = isType ? "type" : "import";
  return [
    { kind, module: from[2] ?? "", names: clauseNames(clause.replace(/^type\s+(?=[\w{*$])/, "")) },
  ];
}

function clauseNames(clause: string): ImportedName[] {
  const names: ImportedName[] = [];
  const open = clause.indexOf("{");
  const close = clause.lastIndexOf("}");
  const hasBraces = open >= 0 && close > open;
  const outside = hasBraces ? clause.slice(0, open) + clause.slice(close + 1) : clause;
  for (const part of splitList(outside)) {
    const star = /^\*\s*as\s+([\w$]+)/.exec(part)?.[1];
    if (star !== undefined) names.push({ name: undefined, alias: star });
    else if (/^[\w$]+$/.test(part)) names.push({ name: "default", alias: part });
  }
  return [...names, ...specifiers(hasBraces ? clause.slice(open + 1, close) : "")];
}

function specifiers(list: string): ImportedName[] {
  return splitList(list.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, "")).flatMap((part) => {
    const [, name, alias] =
      /^(?:type\s+)?([\w$]+|"[^"]+")(?:\s+as\s+([\w$]+|"[^"]+"))?$/.exec(part) ?? [];
    return name === undefined ? [] : [{ name, alias: alias ?? name }];
  });
}

/** A re-export; with an empty module, a list of exports under other names. */
function exportStatement(text: string): ImportStatement[] {
  const from = /\bfrom\s*(["'])([^"'\n]*)\1/.exec(text);
  const clause = (from === null ? text : text.slice(0, from.index)).replace(
    /^export\s+(?:type\s+)?/,
    "",
  );
  const module = from?.[2] ?? "";
  const star = /^\*\s*(?:as\s+([\w$]+))?/.exec(clause);
  if (star !== null) {
    const alias = star[1];
    if (alias === undefined) return [{ kind: "wildcardReexport", module, names: [] }];
    return [{ kind: "reexport", module, names: [{ name: undefined, alias }] }];
  }
  const list = /^\{([\s\S]*)\}/.exec(clause)?.[1];
  if (list !== undefined) return [{ kind: "reexport", module, names: specifiers(list) }];
  const name = /^(?:default\s+|=\s*)([\w$]+)\s*(?:;\s*)?$/.exec(clause)?.[1];
  if (name === undefined) return [];
  return [{ kind: "reexport", module: "", names: [{ name, alias: "default" }] }];
}
