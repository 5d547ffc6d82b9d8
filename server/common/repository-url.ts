/** Names a repository by the URL of its remote, in one form for all the ways to write it: `host/path`. */

import { decodeEscapes } from "./text.ts";

/** `git@host:path`, `host:path`. One letter before the colon is a drive of Windows. */
const SCP_LIKE = /^(?:[^/:@]*@)?(\[[\da-f:.]+\]|[^/:@]{2,}):(?!\/\/)(.+)$/i;
const PROTOCOL = /^(?:https?|ssh|git|git\+ssh|ssh\+git):$/;
const HOST = /^(?:[a-z\d](?:[a-z\d._-]*[a-z\d])?|\[[\da-f:.]+\])$/;

/**
 * `host/path` in the form of every clone of the repository: without protocol, user, password, port, query and `.git`, and with
 * the host in lower case. Undefined for a local path, and for a URL without host or path.
 */
export function repositoryOfUrl(url: string): string | undefined {
  const scp = SCP_LIKE.exec(url.trim());
  if (scp !== null) return joined(scp[1] ?? "", scp[2] ?? "");
  if (!URL.canParse(url.trim())) return undefined;
  const { protocol, hostname, pathname } = new URL(url.trim());
  if (!PROTOCOL.test(protocol)) return undefined;
  return joined(hostname, decodeEscapes(pathname));
}

/** The same for what a person writes: a URL, or `host/path` itself. Undefined for anything else. */
export function repositoryNamed(name: string): string | undefined {
  const ofUrl = repositoryOfUrl(name);
  if (ofUrl !== undefined) return ofUrl;
  const [, host = "", path = ""] = /^([^/:@\s]+)\/(.+)$/.exec(name.trim()) ?? [];
  return joined(host, path);
}

function joined(host: string, path: string): string | undefined {
  const name = host.toLowerCase();
  const parts = path.split("/").filter((part) => part !== "");
  const last = parts.pop()?.replace(/\.git$/i, "") ?? "";
  const all = last === "" ? parts : [...parts, last];
  const isPath = all.length > 0 && all.every((part) => part !== "." && part !== "..");
  // A control character could change what a terminal shows.
  if (!isPath || !HOST.test(name) || /[\p{Cc}\s?#\\]/u.test(all.join("/"))) return undefined;
  return [name, ...all].join("/");
}
