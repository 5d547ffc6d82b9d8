/** Filters of a search as buttons: language, kind, tests, folder. */

import { posix } from "node:path";
import * as vscode from "vscode";

/** Path patterns of tests, to exclude them. */
const TESTS = [
  "!**/{test,tests,spec,specs,__tests__,testdata,testing}/**",
  "!{test,tests,spec,specs,__tests__,testdata,testing}/**",
  "!{test_*,*_test,*.test,*_spec,*.spec,*Test,*Tests}.*",
];

/** Languages with another name in the server. */
const LANGUAGES: Readonly<Record<string, string>> = {
  typescriptreact: "tsx",
  javascriptreact: "javascript",
  shellscript: "bash",
};

interface Filter {
  readonly button: vscode.QuickInputButton & { readonly toggle: { checked: boolean } };
  readonly word: string;
  /** Undefined if the filter does not apply. */
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

  /** The filters refer to the active file. */
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

  /** Names of the active filters. */
  get words(): readonly string[] {
    return this.#on().map(({ word }) => word);
  }

  /** The active filters as search parameters. */
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
