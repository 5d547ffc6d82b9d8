/** Prints the configuration that makes a client start the context server. */

import { BadRequest } from "../common/errors.ts";
import {
  AGENT_CLIENTS,
  type AgentClient,
  clientNamed,
  LAUNCH,
  type Launch,
  SERVER_NAME,
  tomlValue,
} from "../config/agent-clients.ts";

export const CLIENTS: readonly string[] = AGENT_CLIENTS.map(({ name }) => name);

/** The folder is written only if the user passed it: most clients send their own roots. */
export function configFor(name: string, folder: string, named: string | undefined): string {
  const client = clientNamed(name);
  if (client === undefined) {
    throw new BadRequest(
      `--config: unknown client "${name}"; expected one of ${CLIENTS.join(", ")}`,
    );
  }
  const args = named === undefined ? LAUNCH.args : [...LAUNCH.args, "--root", folder];
  return rendered(client, { ...LAUNCH, args });
}

function rendered({ name, config }: AgentClient, launch: Launch): string {
  if (name === "claude-code") {
    const words = [launch.command, ...launch.args].map(shellWord);
    return `claude mcp add ${SERVER_NAME} -- ${words.join(" ")}`;
  }
  const [path = ""] = config.paths;
  const [keys = []] = config.keys;
  const entry = config.entry(launch);
  const head = `${config.base === "home" ? "~/" : ""}${path}:`;
  if (config.format === "toml") {
    const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
    return [head, `[${[...keys, SERVER_NAME].join(".")}]`, ...lines].join("\n");
  }
  const whole = [...keys, SERVER_NAME].reduceRight<unknown>(
    (value, key) => ({ [key]: value }),
    entry,
  );
  return `${head}\n${JSON.stringify(whole, null, 2)}`;
}

function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
