/** The filters of a question as buttons: language, kind, tests, this folder. */

import { posix } from "node:path";
import * as vscode from "vscode";

/** Where tests are kept, as patterns of paths that are left out. */
const TESTS = [
  "!**/{test,tests,spec,specs,__tests__,testdata,testing}/**",
  "!{test,tests,spec,specs,__tests__,testdata,testing}/**",
  "!{test_*,*_test,*.test,*_spec,*.spec,*Test,*Tests}.*",
];

/** Languages that the server calls otherwise. */
const LANGUAGES: Readonly<Record<string, string>> = {
  typescriptreact: "tsx",
  javascriptreact: "javascript",
  shellscript: "bash",
};

interface Filter {
  readonly button: vscode.QuickInputButton & { readonly toggle: { checked: boolean } };
  readonly word: string;
  /** Undefined where it means nothing here. */
  parameters(): Readonly<Record<string, readonly string[]>> | undefined;
}

function filter(
  icon: string,
  tooltip: string,
  word: string,
  parameters: Filter["parameters"],
): Filter {
  const button = { iconPath: new vscode.ThemeIcon(icon), tooltip, toggle: { checked: false } };
  return { button, word, parameters };
}

export class Filters {
  readonly #filters: readonly Filter[];

  /** They are about the file that is open now. */
  constructor() {
    const document = vscode.window.activeTextEditor?.document;
    const language = document?.languageId ?? "";
    const folder =
      document === undefined
        ? "."
        : posix.dirname(vscode.workspace.asRelativePath(document.uri, false));
    this.#filters = [
      filter("code", "Only this language", language, () =>
        language === "" ? undefined : { languages: [LANGUAGES[language] ?? language] },
      ),
      filter("symbol-method", "Only functions", "functions", () => ({
        symbolTypes: ["function", "method"],
      })),
      filter("symbol-class", "Only types", "types", () => ({
        symbolTypes: ["class", "interface"],
      })),
      filter("beaker-stop", "Without tests", "no tests", () => ({ paths: TESTS })),
      filter("folder", "Only this folder", `in ${folder}`, () =>
        folder === "." || posix.isAbsolute(folder) ? undefined : { paths: [folder] },
      ),
    ];
  }

  get buttons(): readonly vscode.QuickInputButton[] {
    return this.#filters.map(({ button }) => button);
  }

  /** What is on, in words. */
  get words(): readonly string[] {
    return this.#on().map(({ word }) => word);
  }

  /** As parameters of a search. */
  get parameters(): Readonly<Record<string, readonly string[]>> {
    const merged: Record<string, readonly string[]> = {};
    for (const each of this.#on()) {
      for (const [name, values] of Object.entries(each.parameters() ?? {})) {
        merged[name] = [...(merged[name] ?? []), ...values];
      }
    }
    return merged;
  }

  #on(): readonly Filter[] {
    return this.#filters.filter(
      ({ button, parameters }) => button.toggle.checked && parameters() !== undefined,
    );
  }
}
