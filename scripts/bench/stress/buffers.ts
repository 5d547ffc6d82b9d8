/** One editor's open buffers, typed into and never saved. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ProtocolConnection } from "vscode-languageserver/node";
import type { Definition, Model } from "./model.ts";

const MAX_OPEN = 8;

export class Buffers {
  readonly #connection: ProtocolConnection;
  readonly #model: Model;
  readonly #open = new Map<string, Definition>();
  #version = 1;

  constructor(connection: ProtocolConnection, model: Model) {
    this.#connection = connection;
    this.#model = model;
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  isCurrent({ path, since }: Definition): boolean {
    return this.#open.get(path)?.since === since;
  }

  whenIdle(before: number): Definition[] {
    return [...this.#open.values()].filter(({ since }) => since < before);
  }

  /** Types a new function into a buffer, which it opens if needed, or closes a buffer without saving. */
  async typeOrClose(all: readonly Buffers[]): Promise<void> {
    const { random } = this.#model;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && (this.#open.size >= MAX_OPEN || random() < 0.2)) {
      await this.#close(oldest);
      return;
    }
    const again = random() < 0.3 ? oldest : undefined;
    const free = this.#model.paths().filter((path) => !all.some((each) => each.isOpen(path)));
    const path = again ?? this.#model.pick(free);
    if (path === undefined) return;
    const uri = this.#uriOf(path);
    if (!this.#open.has(path)) {
      const text = this.#model.textOf(this.#model.at(path)?.name ?? "");
      const textDocument = { uri, languageId: "python", version: ++this.#version, text };
      await this.#connection.sendNotification("textDocument/didOpen", { textDocument });
    }
    const name = this.#model.name();
    this.#open.set(path, { name, path, since: performance.now() });
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: ++this.#version },
      contentChanges: [{ text: this.#model.textOf(name) }],
    });
  }

  async closeAll(): Promise<void> {
    for (const path of this.#open.keys()) await this.#close(path);
  }

  async #close(path: string): Promise<void> {
    this.#open.delete(path);
    const textDocument = { uri: this.#uriOf(path) };
    await this.#connection.sendNotification("textDocument/didClose", { textDocument });
    this.#model.touched(path);
  }

  #uriOf(path: string): string {
    return pathToFileURL(join(this.#model.root, path)).href;
  }
}
