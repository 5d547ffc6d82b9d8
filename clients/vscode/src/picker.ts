/** A list that asks while somebody types: it opens at once, says what it waits for, and the newest question wins. */

import * as vscode from "vscode";
import type { Server } from "./server.js";

/** A question is asked when the keys have rested for this long. */
const DEBOUNCE_MS = 120;

/** Nothing was found while files are still being indexed: asked again after this long. */
const EMPTY_MS = 1_000;

const MAX_QUESTIONS = 50;
const QUESTIONS = "questions";

export interface Choice extends vscode.QuickPickItem {
  /** Shows it while the list stays open. */
  preview?(): Promise<void>;
  /** Goes there. */
  accept?(): Promise<void>;
  /** Asked again when it is chosen: an earlier question. */
  readonly question?: string;
  /** What is typed by then is asked again when it is chosen. */
  readonly isRetry?: boolean;
}

interface Answered {
  readonly choices: readonly Choice[];
  /** How many answers there are, and what is to be known of them. */
  readonly title: string;
  /** Whether more can be found once the pass over the files has ended. */
  readonly isUnfinished: boolean;
}

export interface PickerOptions {
  readonly server: Server;
  readonly memory: vscode.Memento;
  readonly title: string;
  readonly placeholder: string;
  readonly text: string;
  readonly buttons: readonly vscode.QuickInputButton[];
  ask(question: string, token: vscode.CancellationToken): Promise<Answered>;
  /** Called when the list is left without a choice. */
  left(): Promise<void>;
  /** Sees each question that was answered. */
  asked?(question: string): void;
}

/** Opens the list. */
export function openPicker(options: PickerOptions): void {
  new Picker(options).open();
}

class Picker {
  readonly #options: PickerOptions;
  readonly #pick = vscode.window.createQuickPick<Choice>();
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #asking: vscode.CancellationTokenSource | undefined;
  #isUnfinished = false;
  /** How many passes have ended; one of them may have ended before an answer was read that came before its end. */
  #ended = 0;
  #isAccepted = false;
  /** The question whose answer is shown. */
  #shown = "";

  constructor(options: PickerOptions) {
    this.#options = options;
  }

  open(): void {
    const pick = this.#pick;
    const { buttons, placeholder, server, text } = this.#options;
    pick.placeholder = placeholder;
    pick.value = text;
    pick.buttons = buttons;
    pick.matchOnDescription = false;
    this.#say("");
    const renewing = server.onStatus(({ state }) => {
      if (state === "indexing") return;
      this.#ended++;
      if (this.#isUnfinished) this.#askSoon(0);
    });
    pick.onDidChangeValue(() => this.#askSoon(DEBOUNCE_MS));
    pick.onDidTriggerButton(() => this.#askSoon(0));
    pick.onDidChangeActive(([choice]) => void choice?.preview?.());
    pick.onDidAccept(() => this.#accept());
    pick.onDidHide(() => {
      renewing.dispose();
      clearTimeout(this.#waiting);
      this.#asking?.cancel();
      pick.dispose();
      if (!this.#isAccepted) void this.#options.left();
    });
    pick.show();
    this.#askSoon(0);
  }

  #accept(): void {
    const [choice] = this.#pick.selectedItems;
    if (choice?.isRetry) return this.#askSoon(0);
    if (choice?.question !== undefined) {
      this.#pick.value = choice.question;
      return this.#askSoon(0);
    }
    if (choice?.accept === undefined) return;
    this.#isAccepted = true;
    void this.#remember(this.#pick.value);
    this.#pick.hide();
    void choice.accept();
  }

  /** A newer question takes back the one before. */
  #askSoon(ms: number): void {
    clearTimeout(this.#waiting);
    this.#asking?.cancel();
    this.#waiting = setTimeout(() => void this.#ask(), ms);
  }

  async #ask(): Promise<void> {
    const question = this.#pick.value;
    if (question.trim() === "") return this.#showQuestions();
    const asking = new vscode.CancellationTokenSource();
    this.#asking = asking;
    this.#pick.busy = true;
    // Said only where it takes a moment.
    const starting = setTimeout(() => this.#say("the server is starting"), DEBOUNCE_MS);
    try {
      await this.#options.server.ready();
      clearTimeout(starting);
      const ended = this.#ended;
      const answered = await this.#options.ask(question, asking.token);
      if (asking.token.isCancellationRequested) return;
      this.#show(question, answered.choices);
      this.#isUnfinished = answered.isUnfinished;
      this.#say(answered.title);
      this.#options.asked?.(question);
      if (!answered.isUnfinished) return;
      if (this.#ended !== ended) this.#askSoon(0);
      // A list with rows in it waits for the end of the pass: it does not move under the reader's eyes.
      else if (!answered.choices.some(({ accept }) => accept)) this.#askSoon(EMPTY_MS);
    } catch (error) {
      if (!asking.token.isCancellationRequested) this.#fail(error);
    } finally {
      clearTimeout(starting);
      if (this.#asking === asking) this.#pick.busy = false;
    }
  }

  /** A row that somebody has gone to stays the active one where the same question is answered again. */
  #show(question: string, choices: readonly Choice[]): void {
    const pick = this.#pick;
    const [active] = this.#shown === question ? pick.activeItems : [];
    const isChosen = active !== undefined && active !== pick.items[0];
    const same = choices.find(
      ({ label, detail }) => isChosen && label === active.label && detail === active.detail,
    );
    pick.items = choices;
    if (same !== undefined) pick.activeItems = [same];
    this.#shown = question;
  }

  /** The reason is in the list; choosing it tries again. */
  #fail(error: unknown): void {
    const label = `$(error) ${error instanceof Error ? error.message : String(error)}`;
    const again: Choice = {
      label,
      detail: "Press Enter to try again",
      alwaysShow: true,
      isRetry: true,
    };
    this.#say("no answer");
    this.#show("", [again]);
  }

  #say(sentence: string): void {
    const { title } = this.#options;
    this.#pick.title = sentence === "" ? title : `${title} · ${sentence}`;
  }

  #showQuestions(): void {
    this.#say("");
    this.#pick.busy = false;
    const questions = this.#options.memory.get<readonly string[]>(QUESTIONS, []);
    const choices = questions.map((question) => ({
      label: `$(history) ${question.split("\n", 1)[0] ?? ""}`,
      alwaysShow: true,
      question,
    }));
    this.#show("", choices);
  }

  async #remember(question: string): Promise<void> {
    const { memory } = this.#options;
    const before = memory.get<readonly string[]>(QUESTIONS, []);
    const questions = [question, ...before.filter((each) => each !== question)];
    await memory.update(QUESTIONS, questions.slice(0, MAX_QUESTIONS));
  }
}
