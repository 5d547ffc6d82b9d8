/** The languages that we know: one row each. A row with a grammar has its queries and sample in grammars/<id>/. */

import type { Category } from "../contracts/model.ts";

export interface Language {
  readonly id: string;
  /** Other names that a user may write in a filter. */
  readonly aliases: readonly string[];
  /** Without the dot, in lower case; with several dots where a plain extension would say too little. */
  readonly extensions: readonly string[];
  /** Whole file names, in lower case. `name.*` stands for every suffix. */
  readonly names: readonly string[];
  /** Interpreters in a `#!` line, without version numbers. */
  readonly interpreters: readonly string[];
  /** Whether grammars/ has a grammar for it. */
  readonly hasGrammar: boolean;
  /** What its files are for where the path does not say otherwise. */
  readonly category: Category;
  /** Between the parts of a qualified name. */
  readonly separator: "." | "::" | " > ";
}

interface Row {
  readonly also?: string;
  readonly ext?: string;
  readonly names?: string;
  readonly run?: string;
  readonly grammar?: true;
  readonly is?: Category;
  readonly separator?: "::" | " > ";
}

/** Everything that is not known by name, extension or `#!` line. */
export const TEXT = "text";

/** Lists are separated by spaces. */
const ROWS: Readonly<Record<string, Row>> = {
  // Programs.
  python: {
    also: "py",
    ext: "py pyi pyw bzl",
    names: "wscript sconstruct sconscript build.bazel",
    run: "python pypy",
    grammar: true,
  },
  javascript: {
    also: "js jsx javascriptreact node",
    ext: "js jsx mjs cjs es6",
    names: "jakefile",
    run: "node nodejs bun",
    grammar: true,
  },
  typescript: { also: "ts", ext: "ts mts cts", run: "deno ts-node tsx", grammar: true },
  tsx: { also: "typescriptreact", ext: "tsx", grammar: true },
  go: { also: "golang", ext: "go", grammar: true },
  rust: { also: "rs", ext: "rs", grammar: true, separator: "::" },
  java: { ext: "java", grammar: true },
  c: { ext: "c h", grammar: true },
  cpp: {
    also: "c++ cxx",
    ext: "cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp ixx cppm",
    grammar: true,
    separator: "::",
  },
  ruby: {
    also: "rb",
    ext: "rb rake gemspec ru podspec",
    names: "rakefile gemfile guardfile vagrantfile brewfile podfile fastfile capfile",
    run: "ruby jruby",
    grammar: true,
  },
  php: { ext: "php phtml php5 inc.php", run: "php", grammar: true },

  csharp: { also: "c# cs c-sharp", ext: "cs csx", grammar: true },
  swift: { ext: "swift", run: "swift", grammar: true },
  kotlin: { also: "kt", ext: "kt kts", run: "kotlin", grammar: true },
  scala: { ext: "scala sc sbt", run: "scala", grammar: true },
  r: { ext: "r", run: "rscript", names: ".rprofile", grammar: true },
  solidity: { also: "sol", ext: "sol", grammar: true },
  fortran: { also: "f90", ext: "f f77 f90 f95 f03 f08 for" },
  pascal: { also: "delphi", ext: "pas pp dpr lpr" },
  sql: { also: "postgres mysql plsql", ext: "sql ddl dml pgsql psql plsql" },
  bash: {
    also: "shell sh zsh ksh",
    ext: "sh bash zsh ksh bats",
    names: ".bashrc .zshrc .profile .bash_profile pkgbuild",
    run: "sh bash zsh ksh dash ash bats",
    grammar: true,
  },
  groovy: { also: "gradle", ext: "groovy gradle gvy", names: "jenkinsfile", run: "groovy" },
  lua: { ext: "lua rockspec", run: "lua luajit", grammar: true },
  elixir: { also: "ex", ext: "ex exs", run: "elixir", grammar: true },
  haskell: { also: "hs", ext: "hs lhs hsc", run: "runhaskell stack", grammar: true },
  zig: { ext: "zig zon", grammar: true },
  dart: { ext: "dart", run: "dart", grammar: true },
  ocaml: { also: "ml", ext: "ml mli", run: "ocaml" },
  julia: { also: "jl", ext: "jl", run: "julia" },
  perl: { also: "pl", ext: "pl pm t", run: "perl", grammar: true, separator: "::" },
  nix: { ext: "nix", grammar: true },
  powershell: { also: "ps1 pwsh", ext: "ps1 psm1 psd1", run: "pwsh", grammar: true },
  erlang: { also: "erl", ext: "erl hrl", names: "rebar.config", run: "escript" },
  clojure: { also: "clj", ext: "clj cljs cljc edn bb", grammar: true },
  elisp: { also: "emacs-lisp el", ext: "el", names: ".emacs" },
  objc: { also: "objective-c objectivec", ext: "m mm" },
  fsharp: { also: "f# fs", ext: "fs fsi fsx" },
  visualbasic: { also: "vb", ext: "vb" },
  nim: { ext: "nim" },
  d: { ext: "d di" },
  tcl: { ext: "tcl", run: "tclsh" },
  vim: { also: "vimscript viml", ext: "vim", names: ".vimrc" },
  fish: { ext: "fish", run: "fish" },
  awk: { ext: "awk", run: "awk gawk" },
  assembly: { also: "asm", ext: "asm s nasm" },
  cuda: { ext: "cu cuh" },
  glsl: { ext: "glsl vert frag comp hlsl wgsl metal" },
  racket: { ext: "rkt" },
  scheme: { also: "lisp commonlisp", ext: "scm ss lisp lsp cl" },
  batch: { also: "bat cmd", ext: "bat cmd" },
  protobuf: { also: "proto", ext: "proto" },
  graphql: { also: "gql", ext: "graphql gql graphqls" },
  thrift: { ext: "thrift" },

  // Markup and styles.
  html: { also: "htm", ext: "html htm xhtml", grammar: true },
  css: { ext: "css", grammar: true },
  scss: { also: "sass", ext: "scss sass" },
  less: { ext: "less" },
  vue: { ext: "vue" },
  svelte: { ext: "svelte" },
  astro: { ext: "astro" },
  gotemplate: { also: "gotmpl go-template helm", ext: "gotmpl tmpl tpl" },
  template: {
    also: "erb jinja handlebars twig ejs",
    ext: "erb haml slim j2 jinja jinja2 hbs mustache twig ejs pug liquid",
  },

  // Prose.
  markdown: {
    also: "md",
    ext: "md markdown mdown mkd",
    names: "readme",
    is: "docs",
    separator: " > ",
  },
  mdx: { ext: "mdx", is: "docs", separator: " > " },
  restructuredtext: { also: "rst", ext: "rst", is: "docs", separator: " > " },
  asciidoc: { also: "adoc", ext: "adoc asciidoc", is: "docs", separator: " > " },
  org: { ext: "org", is: "docs", separator: " > " },
  latex: { also: "tex", ext: "tex sty cls bib", is: "docs", separator: " > " },
  [TEXT]: {
    also: "txt plaintext",
    ext: "txt text log",
    names: "license copying authors notice changelog changes",
    is: "docs",
  },

  // Configuration and data.
  yaml: { also: "yml", ext: "yaml yml", names: ".clang-format .clang-tidy", is: "config" },
  json: {
    also: "jsonc json5",
    ext: "json jsonc json5 jsonl webmanifest geojson ipynb",
    names: ".babelrc .eslintrc .prettierrc",
    is: "config",
  },
  toml: { ext: "toml", names: "pipfile cargo.lock poetry.lock", is: "config" },
  ini: {
    also: "cfg properties dotenv editorconfig",
    ext: "ini cfg conf properties editorconfig service desktop",
    names: ".gitconfig .editorconfig .npmrc .flake8 .pylintrc .gitmodules",
    is: "config",
  },
  xml: {
    ext: "xml xsd xsl xslt svg plist csproj fsproj vbproj props targets nuspec resx wsdl pom storyboard xib",
    is: "config",
  },
  dtd: { ext: "dtd", is: "config" },
  hcl: { also: "terraform tf", ext: "tf tfvars hcl nomad", is: "config", grammar: true },
  dockerfile: {
    also: "docker containerfile",
    ext: "dockerfile containerfile",
    names: "dockerfile dockerfile.* containerfile containerfile.*",
    is: "config",
  },
  make: {
    also: "makefile",
    ext: "mk mak",
    names: "makefile gnumakefile makefile.* justfile",
    run: "make",
    is: "config",
  },
  cmake: { ext: "cmake", names: "cmakelists.txt", is: "config" },
  meson: { names: "meson.build meson_options.txt meson.options", is: "config" },
  ignore: {
    ext: "gitignore dockerignore npmignore",
    names: ".gitignore .dockerignore .npmignore .gitattributes .ignore codeowners",
    is: "config",
  },
  gomod: { ext: "mod", names: "go.mod go.work", is: "config" },
  requirements: {
    names: "requirements.txt constraints.txt requirements.in requirements-dev.txt",
    is: "config",
  },
  csv: { also: "tsv", ext: "csv tsv", is: "config" },
};

const list = (words: string | undefined): readonly string[] => words?.split(" ") ?? [];

export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  Object.entries(ROWS).map(([id, row]) => [
    id,
    {
      id,
      aliases: list(row.also),
      extensions: list(row.ext),
      names: list(row.names),
      interpreters: list(row.run),
      hasGrammar: row.grammar === true,
      category: row.is ?? "implementation",
      separator: row.separator ?? ".",
    },
  ]),
);

export const LANGUAGE_IDS: readonly string[] = [...LANGUAGES.keys()];

const BY_NAME: ReadonlyMap<string, string> = new Map(
  [...LANGUAGES.values()]
    .flatMap(({ id, aliases, extensions }) =>
      // Ids last, so that no extension or alias hides one.
      [...extensions, ...aliases].map((name): [string, string] => [name, id]),
    )
    .concat(LANGUAGE_IDS.map((id) => [id, id])),
);

/** The id of a language by its id, another name, or an extension with or without the dot; undefined when nothing is called so. */
export function resolveLanguage(name: string): string | undefined {
  return BY_NAME.get(name.trim().toLowerCase().replace(/^\./, ""));
}
