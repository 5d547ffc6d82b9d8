/** Finds the places of a TypeScript source where a small fault can be put in, with the text that would replace it. */

import type { Node } from "web-tree-sitter";
import { grammarOf } from "../../server/languages/grammars.ts";

export interface Fault {
  /** Offsets into the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly kind: string;
  /**
   * The nearest function with a name around it, as V8 names it; "" outside of any. Of a constant of the module, the
   * functions of the module that use it.
   */
  readonly within: readonly string[];
  /** Whether its line is run by those functions alone, and not when the module is loaded. */
  readonly isInFunction: boolean;
}

type Change = Omit<Fault, "within" | "isInFunction">;

const OPERATORS: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
};

/** No test reads what is logged for people, nor what is computed for it alone. */
const LOGGING = /^(?:await )?(?:#?\w+\.)*#?log(?:\.(?:debug|info|warn|error)|\[\w+\])\(/;

/** A comparison with it is off by less than the clock can tell where "<" becomes "<=". */
const CLOCK = /\bnow\(\)/;

/**
 * A time of 1001 ms in place of 1000, or a limit of 501 in place of 500, is no fault that anyone could tell: numbers
 * from here on, and all that are milliseconds, become ten times as large.
 */
const LARGE = 100;
const FACTOR = 10;
const DURATION = /_MS$|Ms$/;

export async function faultsOf(text: string): Promise<Fault[]> {
  const { parser } = await grammarOf("typescript");
  const tree = parser.parse(text);
  if (tree === null) throw new Error("the source was not parsed");
  const faults: Fault[] = [];
  const users = usersOf(tree.rootNode);
  const visit = (node: Node) => {
    if (node.type.endsWith("_type") || node.type === "type_annotation") return;
    if (node.type === "call_expression" && LOGGING.test(node.text)) return;
    const fault = faultAt(node);
    if (fault !== undefined) {
      const isInFunction = functionAround(node) !== "";
      faults.push({ ...fault, within: functionsAround(node, users), isInFunction });
    }
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(tree.rootNode);
  tree.delete();
  return faults;
}

function faultAt(node: Node): Change | undefined {
  switch (node.type) {
    case "binary_expression":
      return swapOperator(node);
    case "if_statement":
      return replace(node.childForFieldName("condition"), "condition", (text) => `(!${text})`);
    case "ternary_expression":
      return swapBranches(node);
    case "unary_expression":
      return node.text.startsWith("!") ? replace(node, "not", (text) => text.slice(1)) : undefined;
    case "true":
      return replace(node, "boolean", () => "false");
    case "false":
      return replace(node, "boolean", () => "true");
    case "number":
      return changeNumber(node);
    case "continue_statement":
      return replace(node, "continue", () => ";");
    case "expression_statement":
      return removeCall(node);
    default:
      return undefined;
  }
}

function swapOperator(node: Node): Change | undefined {
  const operator = node.childForFieldName("operator");
  const swapped = operator === null ? undefined : OPERATORS[operator.text];
  // Strings are joined with templates here, yet a plus may still join them.
  const isText = node.namedChildren.some((child) => child !== null && /string/.test(child.type));
  if (swapped === undefined || (isText && ["+", "-"].includes(operator?.text ?? "")))
    return undefined;
  if (/^[<>]=?$/.test(operator?.text ?? "") && isSameWhenEqual(node)) return undefined;
  return replace(operator, "operator", () => swapped);
}

/** Whether "<" and "<=" do the same there, because nothing depends on what is done where both sides are equal. */
function isSameWhenEqual(comparison: Node): boolean {
  const [left = "", right = ""] = ["left", "right"].map(
    (side) => comparison.childForFieldName(side)?.text,
  );
  if (CLOCK.test(comparison.text)) return true;
  // A wait that is looked at once more, or once less, in the same millisecond.
  if ((DURATION.test(left) || DURATION.test(right)) && right !== "0") return true;
  const isBracketed = comparison.parent?.type === "parenthesized_expression";
  const choice = isBracketed ? comparison.parent.parent : comparison.parent;
  const [yes = "", no = ""] = ["consequence", "alternative"].map(
    (branch) => choice?.childForFieldName(branch)?.text,
  );
  if (choice?.type === "ternary_expression") {
    // A comparator that has no word for equal keys is for keys that are never equal.
    const isComparator = /^-?1 -?1$/.test(`${yes} ${no}`);
    return isComparator || isPair(yes, no, left, right) || isCut(left, right, yes, no);
  }
  if (choice?.type !== "if_statement" || no !== "") return false;
  const [, to = "", from = ""] = /^\{?\s*([\w.#$]+) = ([^;]+);\s*\}?$/.exec(yes) ?? [];
  // One entry more or less in a cache.
  const isForgetting = left.endsWith(".size") && yes.includes(left.replace(/size$/, "clear()"));
  return isForgetting || isPair(to, from, left, right) || isCut(left, right, from, to);
}

/** The larger or the smaller one of two is taken. */
function isPair(one: string, other: string, left: string, right: string): boolean {
  return (one === left && other === right) || (one === right && other === left);
}

/** What is cut to its own length stays as it is. */
function isCut(left: string, right: string, cut: string, whole: string): boolean {
  return left === `${whole}.length` && cut === `${whole}.slice(0, ${right})`;
}

function changeNumber(node: Node): Change | undefined {
  if (!/^[\d_]+$/.test(node.text) || isOrder(node)) return undefined;
  const value = Number(node.text.replaceAll("_", ""));
  const isLarge = value >= LARGE || (value > 0 && DURATION.test(ownerOf(node)));
  return replace(node, "number", () => `${isLarge ? value * FACTOR : value + 1}`);
}

/** In `a < b ? -1 : 1` only the signs count. */
function isOrder({ parent }: Node): boolean {
  const around = parent?.type === "unary_expression" ? parent.parent : parent;
  return around?.type === "ternary_expression" && /\?\s*-?1\s*:\s*-?1$/.test(around.text);
}

/** The constant or property that the number is the value of, or a part of its value. */
function ownerOf(node: Node): string {
  for (let at = node.parent; at !== null && !/function|statement/.test(at.type); at = at.parent) {
    const owner = at.childForFieldName(NAME_FIELDS[at.type] ?? "");
    if (owner !== null) return owner.text;
  }
  return "";
}

function swapBranches(node: Node): Change | undefined {
  const [yes, no] = [node.childForFieldName("consequence"), node.childForFieldName("alternative")];
  if (yes === null || no === null) return undefined;
  return {
    start: yes.startIndex,
    end: no.endIndex,
    replacement: `${no.text} : ${yes.text}`,
    kind: "branches",
  };
}

function removeCall(node: Node): Change | undefined {
  const called = node.namedChildren[0];
  const call = called?.type === "await_expression" ? called.namedChildren[0] : called;
  if (call?.type !== "call_expression" || call.text.startsWith("super(")) return undefined;
  return LOGGING.test(node.text) ? undefined : replace(node, "call left out", () => ";");
}

function replace(
  node: Node | null | undefined,
  kind: string,
  change: (text: string) => string,
): Change | undefined {
  if (node === null || node === undefined) return undefined;
  return { start: node.startIndex, end: node.endIndex, replacement: change(node.text), kind };
}

function functionsAround(node: Node, users: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const around = functionAround(node);
  if (around !== "") return [around];
  return [...(users.get(constantAround(node) ?? "") ?? [""])];
}

/** The functions that mention a constant of the module, itself or one that is made from it. */
function usersOf(root: Node): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  const constants = root.namedChildren
    .flatMap((each) => (each?.type === "export_statement" ? each.namedChildren : [each]))
    .filter((each) => each?.type === "lexical_declaration")
    .flatMap((each) => each?.namedChildren.map((one) => one?.childForFieldName("name")?.text));
  for (const name of constants) if (name !== undefined) users.set(name, new Set());
  const identifiers = root.descendantsOfType(["identifier", "shorthand_property_identifier"]);
  const mentions = identifiers.flatMap((node) => {
    const found = node === null ? undefined : users.get(node.text);
    return node === null || found === undefined ? [] : [{ node, found }];
  });
  // The second time those are known that are used through a constant made from them.
  for (const _ of [1, 2]) {
    for (const { node, found } of mentions) {
      const around = functionAround(node);
      const other = around === "" ? users.get(constantAround(node) ?? "") : undefined;
      for (const user of around === "" ? (other ?? []) : [around]) found.add(user);
    }
  }
  for (const [name, found] of users) if (found.size === 0) users.delete(name);
  return users;
}

function constantAround(node: Node): string | undefined {
  let name: string | undefined;
  for (let at: Node | null = node; at !== null; at = at.parent) {
    if (at.type === "variable_declarator") name = at.childForFieldName("name")?.text;
  }
  return name;
}

function functionAround(node: Node): string {
  for (let at: Node | null = node; at !== null; at = at.parent) {
    const name = functionName(at);
    if (name !== undefined) return name;
  }
  return "";
}

function functionName(node: Node): string | undefined {
  const name = node.childForFieldName("name")?.text;
  switch (node.type) {
    case "function_declaration":
    case "generator_function_declaration":
      return name;
    case "method_definition": {
      const accessor = node.children.find(
        (child) => child?.type === "get" || child?.type === "set",
      );
      if (accessor) return `${accessor.type} ${name}`;
      return name === "constructor" ? functionOwner(node) : name;
    }
    case "arrow_function":
    case "function_expression":
      return functionOwner(node);
    default:
      return undefined;
  }
}

/** Which child of the node around a function has its name. */
const NAME_FIELDS: Readonly<Record<string, string>> = {
  variable_declarator: "name",
  public_field_definition: "name",
  pair: "key",
};

/** The variable or property that a function is the value of; of a constructor, the class. */
function functionOwner({ parent }: Node): string | undefined {
  if (parent?.type === "class_body") return parent.parent?.childForFieldName("name")?.text;
  const field = NAME_FIELDS[parent?.type ?? ""];
  return field === undefined ? undefined : parent?.childForFieldName(field)?.text;
}
