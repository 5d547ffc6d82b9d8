/** Scripts that complete commands and options in bash, zsh and fish, made from the commands themselves. */

import { basename } from "node:path";
import type { Command } from "commander";
import { SYMBOL_TYPES } from "../contracts/model.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

interface Described {
  readonly name: string;
  readonly about: string;
}

interface DescribedOption extends Described {
  /** What follows it: undefined for a switch. */
  readonly value: "folder" | "file" | "type" | "other" | undefined;
}

/** A command by its whole name: `search`, `deps show`. */
interface DescribedCommand extends Described {
  readonly options: readonly DescribedOption[];
  readonly below: readonly Described[];
}

export function completionScript(program: Command, shell: Shell): string {
  const commands = describeCommands(program);
  // A shell looks for the name without its folder.
  const name = basename(program.name());
  if (shell === "bash") return bash(name, commands);
  return shell === "zsh" ? zsh(name, commands) : fish(name, commands);
}

/** Those that `--help` lists, with what is below them; the program itself has the empty name. */
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
    .flatMap(({ long, flags, description, required }) =>
      long === undefined
        ? []
        : [{ name: long, about: description, value: required ? valueOf(flags) : undefined }],
    );
}

function valueOf(flags: string): DescribedOption["value"] {
  if (flags.includes("<dir>")) return "folder";
  if (/<(?:path|file)>/.test(flags)) return "file";
  return flags.includes("<type>") ? "type" : "other";
}

function wordsAfter({ options, below }: DescribedCommand): string {
  return [...below, ...options].map(({ name }) => name).join(" ");
}

function namesWith(commands: readonly DescribedCommand[], value: DescribedOption["value"]): string {
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
  case "$prev" in
    ${namesWith(commands, "folder")}) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    ${namesWith(commands, "file")}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${namesWith(commands, "type")}) COMPREPLY=($(compgen -W "${SYMBOL_TYPES.join(" ")}" -- "$cur")); return ;;
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

function zsh(program: string, commands: readonly DescribedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = ({ name, about }: Described) =>
    quote(`${name}:${about.replaceAll(":", "\\:")}`);
  const argument = ({ name, about, value }: DescribedOption) => {
    const actions = {
      folder: ":folder:_files -/",
      file: ":file:_files",
      type: `:type:(${SYMBOL_TYPES.join(" ")})`,
      other: ":value:",
    };
    const text = about.replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
    return quote(`*${name}[${text}]${value === undefined ? "" : actions[value]}`);
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
    ({ name, options }) =>
      `    ${quote(name)}) _arguments ${options.map(argument).join(" ")} '*:file:_files' ;;`,
  )
  .join("\n")}
  esac
fi
`;
}

function fish(program: string, commands: readonly DescribedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const seen = (name: string) =>
    name
      .split(" ")
      .filter(Boolean)
      .map((part) => `__fish_seen_subcommand_from ${part}`)
      .join("; and ");
  const lines = commands.flatMap(({ name, options, below }) => {
    const others = below.map((each) => each.name).join(" ");
    const isHere = name === "" ? "__fish_use_subcommand" : seen(name);
    const isBelow =
      name === "" ? isHere : `${isHere}; and not __fish_seen_subcommand_from ${others}`;
    return [
      ...below.map(
        (each) =>
          `complete -c ${program} -f -n ${quote(isBelow)} -a ${each.name} -d ${quote(each.about)}`,
      ),
      ...options.map((option) => {
        const values = {
          folder: " -x -a '(__fish_complete_directories)'",
          file: " -r",
          type: ` -x -a '${SYMBOL_TYPES.join(" ")}'`,
          other: " -x",
        };
        const value = option.value === undefined ? "" : values[option.value];
        return `complete -c ${program} -n ${quote(isHere)} -l ${option.name.slice(2)}${value} -d ${quote(option.about)}`;
      }),
    ];
  });
  return `# fish completion for ${program}\n${lines.join("\n")}\n`;
}
