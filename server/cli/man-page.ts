/** Generates the manual page (roff) from the commands. */

import { basename } from "node:path";
import type { Command } from "commander";

export function manPage(program: Command, epilogue: string): string {
  const name = basename(program.name());
  const commands = program.createHelp().visibleCommands(program);
  return `${[
    `.TH ${name.toUpperCase()} 1 "" "${name} ${program.version() ?? ""}" "User Commands"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(lower(program.description()))}`,
    ".SH SYNOPSIS",
    `.B ${escaped(name)}`,
    ".I command",
    "[options]",
    ".SH COMMANDS",
    ...commands.filter((each) => each.name() !== "help").flatMap((each) => sectionOf(each, name)),
    ".SH NOTES",
    ...escaped(epilogue.trim()).split("\n"),
  ].join("\n")}\n`;
}

function sectionOf(command: Command, parent: string): string[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((each) => each.name() !== "help");
  const name = `${parent} ${command.name()}`;
  return [
    ...(below.length > 0 ? [] : [".SS", escaped(`${name} ${command.usage()}`.trim())]),
    ...(below.length > 0 ? [] : [escaped(command.description())]),
    ...(below.length > 0
      ? []
      : help
          .visibleOptions(command)
          .flatMap(({ flags, description }) => [
            ".TP",
            `.B ${escaped(flags)}`,
            escaped(description),
          ])),
    ...below.flatMap((each) => sectionOf(each, name)),
  ];
}

/** Escapes text for roff, where a line that starts with a dot or a quote is a request. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=['.])/gm, "\\&");
}

function lower(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`.replace(/\.$/, "");
}
