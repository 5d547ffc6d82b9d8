/** The interface of languages/ for the write path: language detection and parsing. */

import type { FileFacts } from "./facts.ts";
import type { Category, CodeSymbol, ParseHealth, UserGrammar } from "./model.ts";

/** The part of a syntax node that chunking needs. Offsets are UTF-16 units. */
export interface SyntaxNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly SyntaxNode[];
}

/** A definition with its position. Offsets are UTF-16 units. */
export interface Definition {
  readonly symbol: CodeSymbol;
  /** From the first decorator or doc comment to the end of the body. */
  readonly start: number;
  readonly end: number;
  /** The start of the definition itself, after its doc comment and decorators. */
  readonly nodeStart: number;
  readonly nodeType: string;
}

/** A parsed file. It is valid during the callback only. */
export interface Syntax {
  /** Undefined if the language has no grammar, or if too much of the tree consists of errors. */
  readonly root: SyntaxNode | undefined;
  /** In source order, outer before inner. Found by patterns if there is no tree. */
  readonly definitions: readonly Definition[];
  readonly health: ParseHealth;
  /** The facts for the graph. Undefined if the graph does not support the language. */
  readonly facts?: FileFacts | undefined;
}

/** Additional information about a text. */
interface AboutFile {
  /** Relative to the root. Some formats are detected by path. */
  readonly path?: string;
  /** The reason not to parse the text; it becomes the message in `health`. */
  readonly unparsed?: string;
}

/** The id of a language by any of its names; undefined for an unknown name. */
export type ResolveLanguage = (name: string) => string | undefined;

/** Implemented by languages/. */
export interface Languages {
  /** Replaces the grammars of the user. */
  setUserGrammars(grammars: readonly UserGrammar[]): void;
  /** The language of a file by name, extension, or shebang. */
  detect(path: string, head: string): string;
  readonly resolve: ResolveLanguage;
  category(path: string, languageId: string): Category;
  /**
   * Parses a text and calls `use` with the result. If a grammar throws, `health` is an error and `broken` is true, and the
   * worker must be replaced.
   */
  withSyntax<T>(
    text: string,
    languageId: string,
    use: (syntax: Syntax) => T,
    about?: AboutFile,
  ): Promise<T>;
  /** True once a grammar has thrown, because it may have damaged its memory. */
  readonly broken: boolean;
}
