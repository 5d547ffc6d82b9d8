/** Generates completion scripts for bash, zsh and fish from the commands. */

import { basename } from "node:path";
import type { Command, Option } from "commander";
import { EDGE_TYPES } from "../contracts/graph.ts";
import { SYMBOL_TYPES } from "../contracts/model.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

interface Described {
  readonly name: string;
  readonly about: string;
}

interface DescribedOption extends Described {
  /** The value of the option: a list of choices or a kind; undefined for a flag. */
  readonly value: readonly string[] | "folder" | "file" | "other" | undefined;
}

/** A command by its full name: `search`, `deps show`. */
interface DescribedCommand extends Described {
  readonly options: readonly DescribedOption[];
  /** Subcommands. */
  readonly below: readonly Described[];
  /** The choices of its argument. */
  readonly words: readonly string[];
}

export function completionScript(program: Command, shell: Shell): string {
  const commands = describeCommands(program);
  // Shells complete by the base name of the program.
  const name = basename(program.name());
  if (shell === "bash") return bash(name, commands);
  return shell === "zsh" ? zsh(name, commands) : fish(name, commands);
}

/** The visible commands and subcommands; the program itself has an empty name. */
function describeCommands(program: Command): DescribedCommand[] {
  const visit = (command: Command, name: string): DescribedCommand[] => {
    const below = command
      .createHelp()
      .visibleCommands(command)
      .filter((each) => each.name() !== "help");
    return [
      {
        name,
        about: command.description(),
        options: optionsOf(command),
        words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
        below: below.map((each) => ({ name: each.name(), about: each.description() })),
      },
      ...below.flatMap((each) => visit(each, `${name} ${each.name()}`.trim())),
    ];
  };
  return visit(program, "");
}

function optionsOf(command: Command): DescribedOption[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) =>
      option.long === undefined
        ? []
        : [{ name: option.long, about: option.description, value: valueOf(option) }],
    );
}

function valueOf({ flags, required, argChoices }: Option): DescribedOption["value"] {
  if (!required) return undefined;
  if (argChoices !== undefined) return argChoices;
  if (flags.includes("<dir>")) return "folder";
  if (/<(?:path|file)>/.test(flags)) return "file";
  // The request checks comma-separated lists.
  if (flags.includes("<type>")) return SYMBOL_TYPES;
  return flags.includes("<types>") ? EDGE_TYPES : "other";
}

function wordsAfter({ options, below, words }: DescribedCommand): string {
  return [...words, ...[...below, ...options].map(({ name }) => name)].join(" ");
}

function namesWith(
  commands: readonly DescribedCommand[],
  value: "folder" | "file" | "other",
): string {
  const names = commands.flatMap(({ options }) =>
    options.flatMap((option) => (option.value === value ? option.name : [])),
  );
  return [...new Set(names)].join("|") || "-";
}

function bash(program: string, commands: readonly DescribedCommand[]): string {
  const nested = commands.filter(({ name, below }) => name !== "" && below.length > 0);
  const fn = `_${program.replaceAll(/\W/g, "_")}`;
  return `# bash completion for ${program}
${fn}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words
  local command="\${COMP_WORDS[1]}"
  case "$command" in ${nested.map(({ name }) => name).join("|") || "-"}) command="$command \${COMP_WORDS[2]}" ;; esac
  case "$command $prev" in
${commands.flatMap(bashChoices).join("\n")}
  esac
  case "$prev" in
    ${namesWith(commands, "folder")}) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    ${namesWith(commands, "file")}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${namesWith(commands, "other")}) COMPREPLY=(); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then command=""; fi
  case "$command" in
${commands.map((each) => `    "${each.name}") words="${wordsAfter(each)}" ;;`).join("\n")}
${nested.map((each) => `    "${each.name} "*) words="${wordsAfter(each)}" ;;`).join("\n")}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F ${fn} ${program}
`;
}

/** The same option may have different choices in another command. */
function bashChoices({ name, options }: DescribedCommand): string[] {
  return options.flatMap(({ name: option, value }) =>
    typeof value === "object"
      ? `    "${name} ${option}") COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$cur")); return ;;`
      : [],
  );
}

function zsh(program: string, commands: readonly DescribedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = ({ name, about }: Described) =>
    quote(`${name}:${about.replaceAll(":", "\\:")}`);
  const argument = ({ name, about, value }: DescribedOption) => {
    const text = about.replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
    return quote(`*${name}[${text}]${zshAction(value)}`);
  };
  const nested = commands.filter(({ name, below }) => name !== "" && below.length > 0);
  return `#compdef ${program}
local command="$words[2]" first=2
case "$command" in
  ${nested.map(({ name }) => name).join("|") || "-"}) command="$command $words[3]"; first=3 ;;
esac
local -a below
if (( CURRENT == 2 )); then
  below=(${(commands[0]?.below ?? []).map(described).join(" ")})
  _describe command below
elif (( CURRENT == 3 && first == 3 )); then
  case "$words[2]" in
${nested.map(({ name, below }) => `    ${name}) below=(${below.map(described).join(" ")}) ;;`).join("\n")}
  esac
  _describe command below
else
  case "$command" in
${commands
  .filter(({ name }) => name !== "")
  .map(
    ({ name, options, words }) =>
      `    ${quote(name)}) _arguments ${options.map(argument).join(" ")} '*${words.length > 0 ? zshAction(words) : zshAction("file")}' ;;`,
  )
  .join("\n")}
  esac
fi
`;
}

function zshAction(value: DescribedOption["value"]): string {
  if (value === undefined) return "";
  if (typeof value === "object") return `:value:(${value.join(" ")})`;
  return { folder: ":folder:_files -/", file: ":file:_files", other: ":value:" }[value];
}

function fish(program: string, commands: readonly DescribedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const seen = (name: string) =>
    name
      .split(" ")
      .filter(Boolean)
      .map((part) => `__fish_seen_subcommand_from ${part}`)
      .join("; and ");
  const lines = commands.flatMap(({ name, options, below, words }) => {
    const others = below.map((each) => each.name).join(" ");
    const isHere = name === "" ? "__fish_use_subcommand" : seen(name);
    const isBelow =
      name === "" ? isHere : `${isHere}; and not __fish_seen_subcommand_from ${others}`;
    return [
      ...below.map(
        (each) =>
          `complete -c ${program} -f -n ${quote(isBelow)} -a ${each.name} -d ${quote(each.about)}`,
      ),
      ...(words.length > 0
        ? [`complete -c ${program} -f -n ${quote(isHere)} -a '${words.join(" ")}'`]
        : []),
      ...options.map(
        ({ name: option, about, value }) =>
          `complete -c ${program} -n ${quote(isHere)} -l ${option.slice(2)}${fishValue(value)} -d ${quote(about)}`,
      ),
    ];
  });
  return `# fish completion for ${program}\n${lines.join("\n")}\n`;
}

function fishValue(value: DescribedOption["value"]): string {
  if (value === undefined) return "";
  if (typeof value === "object") return ` -x -a '${value.join(" ")}'`;
  return { folder: " -x -a '(__fish_complete_directories)'", file: " -r", other: " -x" }[value];
}
