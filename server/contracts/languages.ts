/** What languages/ offers the write path: detection, and a parsed file lent for one call. */

import type { FileFacts } from "./facts.ts";
import type { Category, CodeSymbol, ParseHealth, UserGrammar } from "./model.ts";

/** What chunking needs of a syntax node. Offsets are UTF-16 units of the text, as the parser counts. */
export interface SyntaxNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly SyntaxNode[];
}

/** A definition with its place in the text. Offsets are UTF-16 units; `symbol.lines` are lines. */
export interface Definition {
  readonly symbol: CodeSymbol;
  /** From the first decorator or doc comment to the end of the body. */
  readonly start: number;
  readonly end: number;
  /** Where the definition itself begins, after doc comment and decorators. */
  readonly nodeStart: number;
  readonly nodeType: string;
}

/** A parsed file, lent for the time of one call; it must not be kept. */
export interface Syntax {
  /** Undefined where the language has no grammar, or its tree has too many error bytes to be trusted. */
  readonly root: SyntaxNode | undefined;
  /** In source order, outer before inner. Filled by patterns where there is no tree. */
  readonly definitions: readonly Definition[];
  readonly health: ParseHealth;
  /** What the graph is made from; undefined where it does not know the language. */
  readonly facts?: FileFacts | undefined;
}

/** What else is known of a text that is parsed. */
interface AboutFile {
  /** Relative to the root: some formats are recognized by it. */
  readonly path?: string;
  /** Why the text is not to be parsed; it becomes the reason in `health`. */
  readonly unparsed?: string;
}

/** The id of a language by any of its names; undefined for an unknown name. */
export type ResolveLanguage = (name: string) => string | undefined;

/** Implemented by languages/. */
export interface Languages {
  /** Grammars of the user, instead of those given before. */
  setUserGrammars(grammars: readonly UserGrammar[]): void;
  /** The language of a file by name, extension, then shebang; undefined when nothing is known of it. */
  detect(path: string, head: string): string;
  readonly resolve: ResolveLanguage;
  category(path: string, languageId: string): Category;
  /**
   * Parses and lends the result. A grammar that throws makes `health` an error and `broken` true: throw the worker away.
   */
  withSyntax<T>(
    text: string,
    languageId: string,
    use: (syntax: Syntax) => T,
    about?: AboutFile,
  ): Promise<T>;
  /** True once a grammar has thrown: its memory can no longer be trusted. */
  readonly broken: boolean;
}
