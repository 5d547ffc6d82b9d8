/** The table of languages, one row each. A row with a grammar has its queries and sample in grammars/<id>/. */

import type { Category } from "../contracts/model.ts";

export interface Language {
  readonly id: string;
  /** Other names that users may write in a filter. */
  readonly aliases: readonly string[];
  /** Without the dot, in lower case; with several parts if the last part is ambiguous. */
  readonly extensions: readonly string[];
  /** Full file names, in lower case. `name.*` matches any suffix. */
  readonly fileNames: readonly string[];
  /** Interpreters in a `#!` line, without version numbers. */
  readonly interpreters: readonly string[];
  /** Whether a grammar is built in. */
  readonly hasGrammar: boolean;
  /** The default category of its files. */
  readonly category: Category;
  /** The separator of qualified names. */
  readonly separator: "." | "::" | " > ";
}

interface LanguageRow {
  readonly aliases?: string;
  readonly extensions?: string;
  readonly fileNames?: string;
  readonly interpreters?: string;
  readonly hasGrammar?: true;
  readonly category?: Category;
  readonly separator?: "::" | " > ";
}

/** The fallback language. */
export const TEXT = "text";

/** Lists are separated by spaces. */
const ROWS: Readonly<Record<string, LanguageRow>> = {
  // Programs.
  python: {
    aliases: "py ipython python3",
    // Notebooks name their language; Python is the default.
    extensions: "py pyi pyw bzl ipynb",
    fileNames: "wscript sconstruct sconscript build.bazel",
    interpreters: "python pypy",
    hasGrammar: true,
  },
  javascript: {
    aliases: "js jsx javascriptreact node",
    extensions: "js jsx mjs cjs es6",
    fileNames: "jakefile",
    interpreters: "node nodejs bun",
    hasGrammar: true,
  },
  typescript: {
    aliases: "ts",
    extensions: "ts mts cts",
    interpreters: "deno ts-node tsx",
    hasGrammar: true,
  },
  tsx: { aliases: "typescriptreact", extensions: "tsx", hasGrammar: true },
  go: { aliases: "golang", extensions: "go", hasGrammar: true },
  rust: { aliases: "rs", extensions: "rs", hasGrammar: true, separator: "::" },
  java: { extensions: "java", hasGrammar: true },
  c: { extensions: "c h", hasGrammar: true },
  cpp: {
    aliases: "c++ cxx",
    extensions: "cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp ixx cppm",
    hasGrammar: true,
    separator: "::",
  },
  ruby: {
    aliases: "rb",
    extensions: "rb rake gemspec ru podspec",
    fileNames: "rakefile gemfile guardfile vagrantfile brewfile podfile fastfile capfile",
    interpreters: "ruby jruby",
    hasGrammar: true,
  },
  php: { extensions: "php phtml php5 inc.php", interpreters: "php", hasGrammar: true },

  csharp: { aliases: "c# cs c-sharp", extensions: "cs csx", hasGrammar: true },
  swift: { extensions: "swift", interpreters: "swift", hasGrammar: true },
  kotlin: { aliases: "kt", extensions: "kt kts", interpreters: "kotlin", hasGrammar: true },
  scala: { extensions: "scala sc sbt", interpreters: "scala", hasGrammar: true },
  r: { extensions: "r", interpreters: "rscript", fileNames: ".rprofile", hasGrammar: true },
  solidity: { aliases: "sol", extensions: "sol", hasGrammar: true },
  fortran: { aliases: "f90", extensions: "f f77 f90 f95 f03 f08 for ftn fypp" },
  pascal: { aliases: "delphi", extensions: "pas pp dpr lpr" },
  sql: { aliases: "postgres mysql plsql", extensions: "sql ddl dml pgsql psql plsql" },
  bash: {
    aliases: "shell sh zsh ksh",
    extensions: "sh bash zsh ksh bats",
    fileNames: ".bashrc .zshrc .profile .bash_profile pkgbuild",
    interpreters: "sh bash zsh ksh dash ash bats",
    hasGrammar: true,
  },
  groovy: {
    aliases: "gradle",
    extensions: "groovy gradle gvy",
    fileNames: "jenkinsfile",
    interpreters: "groovy",
  },
  lua: { extensions: "lua rockspec", interpreters: "lua luajit", hasGrammar: true },
  elixir: { aliases: "ex", extensions: "ex exs", interpreters: "elixir", hasGrammar: true },
  haskell: {
    aliases: "hs",
    extensions: "hs lhs hsc",
    interpreters: "runhaskell stack",
    hasGrammar: true,
  },
  zig: { extensions: "zig zon", hasGrammar: true },
  dart: { extensions: "dart", interpreters: "dart", hasGrammar: true },
  ocaml: { aliases: "ml", extensions: "ml mli", interpreters: "ocaml" },
  julia: { aliases: "jl", extensions: "jl", interpreters: "julia" },
  perl: {
    aliases: "pl",
    extensions: "pl pm t",
    interpreters: "perl",
    hasGrammar: true,
    separator: "::",
  },
  nix: { extensions: "nix", hasGrammar: true },
  powershell: {
    aliases: "ps1 pwsh",
    extensions: "ps1 psm1 psd1",
    interpreters: "pwsh",
    hasGrammar: true,
  },
  erlang: {
    aliases: "erl",
    extensions: "erl hrl",
    fileNames: "rebar.config",
    interpreters: "escript",
  },
  clojure: { aliases: "clj", extensions: "clj cljs cljc edn bb", hasGrammar: true },
  gleam: { extensions: "gleam" },
  crystal: { aliases: "cr", extensions: "cr", interpreters: "crystal" },
  cobol: { extensions: "cbl cob cobol ccp cpy pco" },
  move: { extensions: "move", separator: "::" },
  verilog: { aliases: "systemverilog", extensions: "v vh sv svh" },
  vhdl: { extensions: "vhd vhdl" },
  elisp: { aliases: "emacs-lisp el", extensions: "el", fileNames: ".emacs" },
  objc: { aliases: "objective-c objectivec", extensions: "m mm" },
  fsharp: { aliases: "f# fs", extensions: "fs fsi fsx" },
  visualbasic: { aliases: "vb", extensions: "vb" },
  nim: { extensions: "nim" },
  d: { extensions: "d di" },
  tcl: { extensions: "tcl", interpreters: "tclsh" },
  vim: { aliases: "vimscript viml", extensions: "vim", fileNames: ".vimrc" },
  fish: { extensions: "fish", interpreters: "fish" },
  awk: { extensions: "awk", interpreters: "awk gawk" },
  assembly: { aliases: "asm", extensions: "asm s nasm" },
  cuda: { extensions: "cu cuh" },
  glsl: { extensions: "glsl vert frag comp hlsl wgsl metal" },
  racket: { extensions: "rkt" },
  scheme: { aliases: "lisp commonlisp", extensions: "scm ss lisp lsp cl" },
  batch: { aliases: "bat cmd", extensions: "bat cmd" },
  protobuf: { aliases: "proto", extensions: "proto" },
  graphql: { aliases: "gql", extensions: "graphql gql graphqls" },
  thrift: { extensions: "thrift" },

  // Markup and styles.
  html: { aliases: "htm", extensions: "html htm xhtml", hasGrammar: true },
  css: { extensions: "css", hasGrammar: true },
  scss: { aliases: "sass", extensions: "scss sass" },
  less: { extensions: "less" },
  vue: { extensions: "vue" },
  svelte: { extensions: "svelte" },
  astro: { extensions: "astro" },
  gotemplate: { aliases: "gotmpl go-template helm", extensions: "gotmpl tmpl tpl" },
  template: {
    aliases: "erb jinja handlebars twig ejs",
    extensions: "erb haml slim j2 jinja jinja2 hbs mustache twig ejs pug liquid",
  },

  // Prose.
  markdown: {
    aliases: "md",
    extensions: "md markdown mdown mkd",
    fileNames: "readme",
    category: "docs",
    separator: " > ",
  },
  mdx: { extensions: "mdx", category: "docs", separator: " > " },
  restructuredtext: { aliases: "rst", extensions: "rst", category: "docs", separator: " > " },
  asciidoc: { aliases: "adoc", extensions: "adoc asciidoc", category: "docs", separator: " > " },
  org: { extensions: "org", category: "docs", separator: " > " },
  latex: { aliases: "tex", extensions: "tex sty cls bib", category: "docs", separator: " > " },
  [TEXT]: {
    aliases: "txt plaintext",
    extensions: "txt text log",
    fileNames: "license copying authors notice changelog changes",
    category: "docs",
  },

  // Configuration and data.
  yaml: {
    aliases: "yml",
    extensions: "yaml yml",
    fileNames: ".clang-format .clang-tidy",
    category: "config",
  },
  json: {
    aliases: "jsonc json5",
    extensions: "json jsonc json5 jsonl webmanifest geojson",
    fileNames: ".babelrc .eslintrc .prettierrc",
    category: "config",
  },
  toml: { extensions: "toml", fileNames: "pipfile cargo.lock poetry.lock", category: "config" },
  ini: {
    aliases: "cfg properties dotenv editorconfig",
    extensions: "ini cfg conf properties editorconfig service desktop",
    fileNames: ".gitconfig .editorconfig .npmrc .flake8 .pylintrc .gitmodules",
    category: "config",
  },
  xml: {
    extensions:
      "xml xsd xsl xslt svg plist csproj fsproj vbproj props targets nuspec resx wsdl pom storyboard xib",
    category: "config",
  },
  dtd: { extensions: "dtd", category: "config" },
  hcl: {
    aliases: "terraform tf",
    extensions: "tf tfvars hcl nomad",
    category: "config",
    hasGrammar: true,
  },
  dockerfile: {
    aliases: "docker containerfile",
    extensions: "dockerfile containerfile",
    fileNames: "dockerfile dockerfile.* containerfile containerfile.*",
    category: "config",
  },
  make: {
    aliases: "makefile",
    extensions: "mk mak",
    fileNames: "makefile gnumakefile makefile.* justfile",
    interpreters: "make",
    category: "config",
  },
  cmake: { extensions: "cmake", fileNames: "cmakelists.txt", category: "config" },
  meson: { fileNames: "meson.build meson_options.txt meson.options", category: "config" },
  ignore: {
    extensions: "gitignore dockerignore npmignore",
    fileNames: ".gitignore .dockerignore .npmignore .gitattributes .ignore codeowners",
    category: "config",
  },
  gomod: { extensions: "mod", fileNames: "go.mod go.work", category: "config" },
  requirements: {
    fileNames: "requirements.txt constraints.txt requirements.in requirements-dev.txt",
    category: "config",
  },
  csv: { aliases: "tsv", extensions: "csv tsv", category: "config" },
};

const list = (words: string | undefined): readonly string[] => words?.split(" ") ?? [];

export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  Object.entries(ROWS).map(([id, row]) => [
    id,
    {
      id,
      aliases: list(row.aliases),
      extensions: list(row.extensions),
      fileNames: list(row.fileNames),
      interpreters: list(row.interpreters),
      hasGrammar: row.hasGrammar === true,
      category: row.category ?? "implementation",
      separator: row.separator ?? ".",
    },
  ]),
);

export const LANGUAGE_IDS: readonly string[] = [...LANGUAGES.keys()];

const BY_NAME: ReadonlyMap<string, string> = new Map(
  [...LANGUAGES.values()]
    .flatMap(({ id, aliases, extensions }) =>
      // Ids last, so that no extension or alias overrides one.
      [...extensions, ...aliases].map((name): [string, string] => [name, id]),
    )
    .concat(LANGUAGE_IDS.map((id) => [id, id])),
);

/** Resolves a language id, alias or extension (with or without the dot) to an id; undefined if unknown. */
export function resolveLanguage(name: string): string | undefined {
  return BY_NAME.get(name.trim().toLowerCase().replace(/^\./, ""));
}
