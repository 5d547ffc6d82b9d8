/** Small projects that are written by chance, the same ones in seven languages. */

import type { Random } from "./random.ts";

/** A class in a file of its own; all that it mentions are numbers of other ones. */
interface Module {
  readonly name: string;
  readonly folder: string;
  readonly base: Module | undefined;
  /** The type of its field. */
  readonly part: Module | undefined;
  readonly imported: readonly Module[];
  readonly methods: readonly Method[];
}

interface Method {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The class of the object that it returns. */
  readonly made: Module | undefined;
}

/** The action of one line of a method, and its receiver. */
interface Step {
  readonly kind: "own" | "part" | "made" | "static" | "function" | "base" | "chain";
  readonly on: Module;
  readonly name: string;
}

const FOLDERS = ["core", "core/deep", "shop"];
const NAMES = ["open", "close", "find", "limit", "retry"];
const KINDS = ["own", "part", "made", "static", "function", "base", "chain"] as const;

function projectBy(chance: Random): Module[] {
  const modules: Module[] = [];
  for (let i = 0; i < 7; i++) {
    const imported = modules.filter(() => chance.chance(0.5));
    const some = () =>
      imported.length > 0 && chance.chance(0.6) ? chance.pick(imported) : undefined;
    const own = NAMES.filter(() => chance.chance(0.6)).map((name) => ({
      name,
      made: some(),
      steps: Array.from({ length: 1 + chance.int(4) }, (_, at) => ({
        kind: chance.pick(KINDS),
        on: imported[at % Math.max(1, imported.length)] ?? modules[0],
        name: chance.pick(NAMES),
      })).flatMap((step) => (step.on === undefined ? [] : [step as Step])),
    }));
    const folder = chance.pick(FOLDERS);
    modules.push({ name: `Unit${i}`, folder, base: some(), part: some(), imported, methods: own });
  }
  return modules;
}

type Writer = (module: Module) => { readonly path: string; readonly text: string };

const low = ({ name }: Module) => name.toLowerCase();
const lines = (...all: readonly (string | readonly string[])[]) => `${all.flat().join("\n")}\n`;
const when = (is: unknown, ...text: readonly string[]) => (is === undefined ? [] : text);

/** The members of a class in Java or C#. */
const membersOf = ({ part, methods }: Module, step: (each: Step) => string): string[] => [
  ...when(part, `  private ${part?.name} part;`),
  ...methods.flatMap((one) => [
    `  public ${one.made?.name ?? "int"} ${one.name}() {`,
    ...one.steps.map((each) => `    { ${step(each)} }`),
    one.made === undefined ? "    return 1;" : `    return new ${one.made.name}();`,
    "  }",
  ]),
];

const WRITERS: Readonly<Record<string, Writer>> = {
  python: (module) => {
    const { name, folder, base, part, imported, methods } = module;
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `self.${called}()`,
        part: `self.part.${called}()`,
        made: `value = ${on.name}()\n        value.${called}()`,
        static: `${on.name}.${called}(None)`,
        function: `make_${low(on)}()`,
        base: `super().${called}()`,
        chain: `make_${low(on)}().${called}()`,
      })[kind];
    const place = (one: Module) => `${one.folder.replaceAll("/", ".")}.${low(one)}`;
    return {
      path: `${folder}/${low(module)}.py`,
      text: lines(
        imported.map((one) => `from ${place(one)} import ${one.name}, make_${low(one)}`),
        `class ${name}${base === undefined ? "" : `(${base.name})`}:`,
        "    def __init__(self):",
        part === undefined ? "        pass" : `        self.part = ${part.name}()`,
        methods.flatMap((one) => [
          `    def ${one.name}(self):`,
          ...one.steps.map((each) => `        ${step(each)}`),
          one.made === undefined ? "        return 1" : `        return ${one.made.name}()`,
        ]),
        `def make_${low(module)}() -> ${name}:`,
        `    return ${name}()`,
      ),
    };
  },
  typescript: (module) => {
    const { name, folder, base, part, imported, methods } = module;
    const up = "../".repeat(folder.split("/").length);
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `this.${called}();`,
        part: `this.part.${called}();`,
        made: `{ const value = new ${on.name}(); value.${called}(); }`,
        static: `${on.name}.${called}();`,
        function: `make${on.name}();`,
        base: `super.${called}();`,
        chain: `make${on.name}().${called}();`,
      })[kind];
    return {
      path: `${folder}/${low(module)}.ts`,
      text: lines(
        imported.map(
          (one) => `import { ${one.name}, make${one.name} } from "${up}${one.folder}/${low(one)}";`,
        ),
        `export class ${name}${base === undefined ? "" : ` extends ${base.name}`} {`,
        when(part, `  part: ${part?.name};`),
        methods.flatMap((one) => [
          `  ${one.name}()${one.made === undefined ? "" : `: ${one.made.name}`} {`,
          ...one.steps.map((each) => `    ${step(each)}`),
          one.made === undefined ? "    return 1;" : `    return new ${one.made.name}();`,
          "  }",
        ]),
        "}",
        `export function make${name}(): ${name} { return new ${name}(); }`,
      ),
    };
  },
  java: (module) => {
    const { name, folder, base, imported } = module;
    const place = (one: Module) => one.folder.replaceAll("/", ".");
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `${called}();`,
        part: `this.part.${called}();`,
        made: `${on.name} value = new ${on.name}(); value.${called}();`,
        static: `${on.name}.${called}();`,
        function: `${on.name}.make();`,
        base: `super.${called}();`,
        chain: `${on.name}.make().${called}();`,
      })[kind];
    return {
      path: `${folder}/${name}.java`,
      text: lines(
        `package ${place(module)};`,
        imported.map((one) => `import ${place(one)}.${one.name};`),
        `public class ${name}${base === undefined ? "" : ` extends ${base.name}`} {`,
        membersOf(module, step),
        `  public static ${name} make() { return new ${name}(); }`,
        "}",
      ),
    };
  },
  csharp: (module) => {
    const { name, folder, base, imported } = module;
    const place = (one: Module) => one.folder.replaceAll("/", ".");
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `${called}();`,
        part: `part.${called}();`,
        made: `var value = new ${on.name}(); value.${called}();`,
        static: `${on.name}.${called}();`,
        function: `${on.name}.Make();`,
        base: `base.${called}();`,
        chain: `${on.name}.Make().${called}();`,
      })[kind];
    return {
      path: `${folder}/${name}.cs`,
      text: lines(
        [...new Set(imported.map(place))].map((one) => `using ${one};`),
        `namespace ${place(module)};`,
        `public class ${name}${base === undefined ? "" : ` : ${base.name}`} {`,
        membersOf(module, step),
        `  public static ${name} Make() { return new ${name}(); }`,
        "}",
      ),
    };
  },
  go: (module) => {
    const { name, folder, base, part, imported, methods } = module;
    const pack = (one: Module) => one.folder.replace(/^.*\//, "");
    const from = (one: Module) => (one.folder === folder ? "" : `${pack(one)}.`);
    const upper = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `u.${upper(called)}()`,
        part: `u.part.${upper(called)}()`,
        made: `value := ${from(on)}${on.name}{}; value.${upper(called)}()`,
        static: `${from(on)}${upper(called)}Of${on.name}()`,
        function: `${from(on)}Make${on.name}()`,
        base: `u.${base?.name ?? on.name}.${upper(called)}()`,
        chain: `${from(on)}Make${on.name}().${upper(called)}()`,
      })[kind];
    const folders = new Set(
      imported.filter((one) => one.folder !== folder).map((one) => one.folder),
    );
    return {
      path: `${folder}/${low(module)}.go`,
      text: lines(
        `package ${pack(module)}`,
        [...folders].map((one) => `import "example.com/app/${one}"`),
        `type ${name} struct {`,
        when(base, `  ${base && from(base)}${base?.name}`),
        when(part, `  part *${part && from(part)}${part?.name}`),
        "}",
        methods.flatMap((one) => [
          `func (u *${name}) ${upper(one.name)}() ${one.made === undefined ? "int" : `*${from(one.made)}${one.made.name}`} {`,
          ...one.steps.map((each) => `  { ${step(each)} }`),
          one.made === undefined ? "  return 1" : `  return &${from(one.made)}${one.made.name}{}`,
          "}",
        ]),
        `func Make${name}() *${name} { return &${name}{} }`,
        `func OpenOf${name}() int { return 1 }`,
      ),
    };
  },
  rust: (module) => {
    const { name, folder, part, imported, methods } = module;
    const place = (one: Module) => `crate::${one.folder.replaceAll("/", "::")}::${low(one)}`;
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `self.${called}();`,
        part: `self.part.${called}();`,
        made: `let value = ${on.name}::new(); value.${called}();`,
        static: `${on.name}::${called}(self);`,
        function: `make_${low(on)}();`,
        base: `${place(on)}::make_${low(on)}();`,
        chain: `make_${low(on)}().${called}();`,
      })[kind];
    return {
      path: `src/${folder}/${low(module)}.rs`,
      text: lines(
        imported.map((one) => `use ${place(one)}::{${one.name}, make_${low(one)}};`),
        `pub struct ${name} { ${part === undefined ? "" : `part: ${part.name}`} }`,
        `impl ${name} {`,
        `    pub fn new() -> Self { ${name} {} }`,
        methods.flatMap((one) => [
          `    pub fn ${one.name}(&self) -> ${one.made?.name ?? "i32"} {`,
          ...one.steps.map((each) => `        ${step(each)}`),
          one.made === undefined ? "        1" : `        ${one.made.name}::new()`,
          "    }",
        ]),
        "}",
        `pub fn make_${low(module)}() -> ${name} { ${name}::new() }`,
      ),
    };
  },
  ruby: (module) => {
    const { name, folder, base, part, imported, methods } = module;
    const step = ({ kind, on, name: called }: Step) =>
      ({
        own: `${called}()`,
        part: `@part.${called}`,
        made: `value = ${on.name}.new\n    value.${called}`,
        static: `${on.name}.${called}`,
        function: `make_${low(on)}()`,
        base: "super",
        chain: `${on.name}.new.${called}`,
      })[kind];
    return {
      path: `lib/${folder}/${low(module)}.rb`,
      text: lines(
        imported.map((one) => `require "${one.folder}/${low(one)}"`),
        `class ${name}${base === undefined ? "" : ` < ${base.name}`}`,
        "  def initialize",
        when(part, `    @part = ${part?.name}.new`),
        "  end",
        methods.flatMap((one) => [
          `  def ${one.name}`,
          ...one.steps.map((each) => `    ${step(each)}`),
          one.made === undefined ? "    1" : `    ${one.made.name}.new`,
          "  end",
        ]),
        "end",
        `def make_${low(module)}`,
        `  ${name}.new`,
        "end",
      ),
    };
  },
};

/** The syntax around the code of a language. */
const MANIFESTS: Readonly<Record<string, (modules: readonly Module[]) => string>> = {
  go: () => "//- go.mod\nmodule example.com/app\n",
  rust: (modules) => {
    const inside = (folder: string) =>
      modules.filter((one) => one.folder === folder).map((one) => `pub mod ${low(one)};`);
    return [
      '//- Cargo.toml\n[package]\nname = "app"',
      "//- src/lib.rs\npub mod core;\npub mod shop;",
      `//- src/core/mod.rs\n${lines("pub mod deep;", inside("core"))}`,
      `//- src/core/deep/mod.rs\n${lines(inside("core/deep"))}`,
      `//- src/shop/mod.rs\n${lines(inside("shop"))}`,
    ].join("\n");
  },
};

export const CHANCE_LANGUAGES = Object.keys(WRITERS);

/** `//- path` begins a file. */
export function projectIn(language: string, random: Random): string {
  const write = WRITERS[language];
  if (write === undefined) throw new Error(`no project is written in ${language}`);
  const modules = projectBy(random);
  const files = modules.map(write).map(({ path, text }) => `//- ${path}\n${text}`);
  return [MANIFESTS[language]?.(modules) ?? "", ...files].join("");
}
