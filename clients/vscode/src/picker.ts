/** A list that searches while the user types. It opens immediately, shows what it waits for, and drops superseded answers. */

import * as vscode from "vscode";
import type { Server } from "./server.js";

/** Debounce after the last keystroke. */
const DEBOUNCE_MS = 120;

/** Typing rests: within a question, most pauses between keys are shorter. */
const REST_MS = 500;

/** An empty answer during indexing is retried after this time. */
const EMPTY_MS = 1_000;

const MAX_QUESTIONS = 50;
const QUESTIONS = "questions";

export interface Choice extends vscode.QuickPickItem {
  /** Previews the place while the list is open. */
  preview?(): Promise<void>;
  /** Opens the place. */
  accept?(): Promise<void>;
  /** An earlier question, which is searched again when chosen. */
  readonly question?: string;
  /** When chosen, the current text is searched again. */
  readonly isRetry?: boolean;
}

interface Answered {
  readonly choices: readonly Choice[];
  /** The number of results, and remarks. */
  readonly title: string;
  /** Whether more results may follow when indexing ends. */
  readonly isUnfinished: boolean;
  /** Whether a model of the settings may change the list. */
  readonly canImprove: boolean;
}

export interface PickerOptions {
  readonly server: Server;
  readonly memory: vscode.Memento;
  readonly title: string;
  readonly placeholder: string;
  readonly text: string;
  readonly buttons: readonly vscode.QuickInputButton[];
  /** With `isTyping` it does not wait for models. */
  ask(question: string, token: vscode.CancellationToken, isTyping: boolean): Promise<Answered>;
  /** Called when the list is closed without a choice. */
  left(): Promise<void>;
  /** Called for each answered question. */
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
  /** The number of ended passes, to detect a pass that ended while an answer was on its way. */
  #ended = 0;
  #isAccepted = false;
  /** The question of the shown answer. */
  #shown = "";
  /** Whether the models were asked for the shown answer. */
  #isImproved = false;

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
    pick.onDidTriggerButton(() => {
      this.#isImproved = false;
      this.#askSoon(0);
    });
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

  /** Cancelled by the next question. */
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
    // Shown only if the answer takes a moment.
    const starting = setTimeout(() => this.#say("the server is starting"), DEBOUNCE_MS);
    try {
      await this.#options.server.ready();
      clearTimeout(starting);
      const ended = this.#ended;
      const isImproved = this.#isImproved && this.#shown === question;
      const answered = await this.#options.ask(question, asking.token, !isImproved);
      if (asking.token.isCancellationRequested) return;
      this.#isImproved = isImproved;
      this.#show(question, answered.choices);
      this.#isUnfinished = answered.isUnfinished;
      this.#say(answered.title);
      this.#options.asked?.(question);
      if (answered.canImprove) this.#improveLater(question, asking.token);
      if (!answered.isUnfinished) return;
      if (this.#ended !== ended) this.#askSoon(0);
      // A list with rows is refreshed only when the pass ends, so that it does not move while the user reads.
      else if (!answered.choices.some(({ accept }) => accept)) this.#askSoon(EMPTY_MS);
    } catch (error) {
      if (!asking.token.isCancellationRequested) this.#fail(error);
    } finally {
      clearTimeout(starting);
      if (this.#asking === asking) this.#pick.busy = false;
    }
  }

  /** Asks with the models when typing rests. The list stays as it is if that fails, and once the user has left the first row. */
  #improveLater(question: string, token: vscode.CancellationToken): void {
    this.#waiting = setTimeout(() => void this.#improve(question, token), REST_MS);
  }

  async #improve(question: string, token: vscode.CancellationToken): Promise<void> {
    if (this.#hasMoved()) return;
    try {
      const { choices, title } = await this.#options.ask(question, token, false);
      if (token.isCancellationRequested || this.#hasMoved()) return;
      this.#isImproved = true;
      this.#show(question, choices);
      this.#say(title);
    } catch (error) {
      if (!token.isCancellationRequested) this.#say(messageOf(error));
    }
  }

  /** Whether a row below the first one is active. */
  #hasMoved(): boolean {
    const [active] = this.#pick.activeItems;
    return active !== undefined && active !== this.#pick.items[0];
  }

  /** Keeps the active row if the same question is answered again. */
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

  /** Shows the reason as a row; choosing it tries again. */
  #fail(error: unknown): void {
    const label = `$(error) ${messageOf(error)}`;
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
