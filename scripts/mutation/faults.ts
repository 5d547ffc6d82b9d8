/** Finds the places of a TypeScript source where a small fault can be put in, with the text that would replace it. */

import type { Node } from "web-tree-sitter";
import { grammarOf } from "../../server/languages/grammars.ts";

export interface Fault {
  /** Offsets into the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly kind: string;
  /** The nearest function with a name around it, as V8 names it; "" outside of any. */
  readonly within: string;
}

type Change = Omit<Fault, "within">;

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

/** What is only logged or formatted for people has few tests by design; what is left out is told in the table's head. */
const LOGGING = /^(?:await )?(?:\w+\.)*log\.(?:debug|info|warn|error)\(/;

export async function faultsOf(text: string): Promise<Fault[]> {
  const { parser } = await grammarOf("typescript");
  const tree = parser.parse(text);
  if (tree === null) throw new Error("the source was not parsed");
  const faults: Fault[] = [];
  const visit = (node: Node) => {
    if (node.type.endsWith("_type") || node.type === "type_annotation") return;
    const fault = faultAt(node);
    if (fault !== undefined) faults.push({ ...fault, within: functionAround(node) });
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
      return /^[\d_]+$/.test(node.text)
        ? replace(node, "number", (text) => `${Number(text.replaceAll("_", "")) + 1}`)
        : undefined;
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
  return replace(operator, "operator", () => swapped);
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
