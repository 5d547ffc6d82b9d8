/** The services that the features of one connection share. */

import type { Connection } from "vscode-languageserver";
import type { Log } from "../common/log.ts";
import type { Session } from "../contracts/session.ts";
import type { CallHierarchyOffer } from "./call-hierarchy-offer.ts";
import type { Client } from "./client-quirks.ts";
import type { Documents } from "./documents.ts";
import type { Folders } from "./folders.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Notices } from "./notices.ts";
import type { Progress } from "./progress.ts";
import type { WorkspaceSession } from "./workspace-session.ts";

export interface ServeOptions {
  readonly version: string;
  /** Called after `initialize` is answered, and again after a failure. */
  readonly makeSession: (log: Log) => Promise<Session>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ServerContext extends ServeOptions {
  readonly connection: Connection;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly notices: Notices;
  readonly folders: Folders;
  readonly workspace: WorkspaceSession;
  readonly documents: Documents;
  readonly progress: Progress;
  readonly callHierarchyOffer: CallHierarchyOffer;
  /** The client of `initialize`; before, a client without capabilities. */
  client(): Client;
}
