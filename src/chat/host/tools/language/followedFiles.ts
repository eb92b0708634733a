import * as vscode from "vscode";
import type { WrittenText } from "../../../../changes/engine/pendingChanges.ts";
import { statFile } from "../../../../platform/editor/fileReads.ts";
import { problemsText } from "../../../../shared/chat/promptTexts.ts";
import { lineHunks } from "../../../../shared/text/lineHunks.ts";
import { type BackgroundTabs, isInTab } from "./backgroundTabs.ts";
import {
  type FileLooks,
  isChangedSince,
  type Looked,
  type Problems,
  shownProblems,
  type Waits,
} from "./fileLooks.ts";
import { ended } from "./languageServices.ts";
import { newProblems } from "./newProblems.ts";
import { type FileNews, newsText } from "./problemNews.ts";

/** The problems that the edits of tasks have made, by the id of their conversation. */
export interface LaterProblems {
  /**
   * What is to be told in the next request; empty for nothing. `notes` are those of the requests before it: what is in none
   * of them was not told. The services then begin to look at the files that the editor has not open. Never rejects.
   */
  take(conversation: string, notes: readonly string[]): Promise<string>;
  /**
   * Resolves once the services have looked at the last text of each file, or after some seconds. True if they have found
   * errors that were not told. Never rejects.
   */
  haveErrors(conversation: string): Promise<boolean>;
}

/** A file as the model was told of it. */
export interface Since {
  readonly before: string;
  readonly problems: Problems;
  /** Its problems were known. */
  readonly isKnown: boolean;
}

/** Nothing waits for these looks while the model works, so a service that is starting has time. */
export const looksOfTasks: Waits = { firstReport: 2_000, quiet: 400, longest: 12_000 };
/** The end of a task waits so long for them, in milliseconds. */
const endMs = 3_000;
const maxConversations = 20;
const maxFiles = 50;
/** Files that are opened for the services after one reply. */
const maxOpened = 5;

/** The files that tasks have edited: an edit of a task does not wait for the language services. */
export class FollowedFiles implements LaterProblems {
  readonly #tabs: BackgroundTabs;
  readonly #looks: FileLooks;
  readonly #waits: Waits;
  /** By conversation, and by URI: those that were edited last stand last. */
  readonly #files = new Map<string, Map<string, FollowedFile>>();

  constructor(tabs: BackgroundTabs, looks: FileLooks, waits: Waits) {
    this.#tabs = tabs;
    this.#looks = looks;
    this.#waits = waits;
  }

  /** A file has been edited. `since` is the file before the edit. */
  follow(conversation: string, { uri, after }: WrittenText, since: Since): void {
    if (!this.#looks.mayBeWatched(uri)) return;
    const files = this.#files.get(conversation) ?? new Map<string, FollowedFile>();
    putLast(this.#files, conversation, files, maxConversations, (old) => {
      for (const file of old.values()) file.dispose();
    });
    const key = uri.toString();
    const file = files.get(key) ?? new FollowedFile(uri, { looks: this.#looks, waits: this.#waits, since });
    putLast(files, key, file, maxFiles, (old) => old.dispose());
    file.changed(after);
    if (this.#isShown(file)) void file.look();
  }

  async take(conversation: string, notes: readonly string[]): Promise<string> {
    const files = [...(this.#files.get(conversation)?.values() ?? [])];
    for (const file of files) file.untellUnless(notes);
    await Promise.all(files.map((file) => file.forgetStale(this.#isShown(file))));
    const text = newsOf(files.map((file) => file.news(this.#isShown(file))));
    for (const file of files) file.tell(text, this.#isShown(file));
    for (const file of files.filter(({ isLookedAt }) => !isLookedAt).slice(-maxOpened)) void file.look();
    return text;
  }

  async haveErrors(conversation: string): Promise<boolean> {
    const files = [...(this.#files.get(conversation)?.values() ?? [])];
    const looks = files.filter(({ isLookedAt }) => isLookedAt).map((file) => file.look());
    await Promise.race([Promise.all(looks), ended(AbortSignal.timeout(endMs))]);
    return files.some((file) => file.news(this.#isShown(file)).hasErrors);
  }

  /** The user has it in a tab, so the services report about it at any time. */
  #isShown({ uri }: FollowedFile): boolean {
    return isInTab(uri) && !this.#tabs.has(uri);
  }
}

interface News extends FileNews {
  /** Some of the problems may be older than the edits. */
  readonly isUnsure: boolean;
  /** Some are errors that the edits have made. */
  readonly hasErrors: boolean;
}

interface FollowedFileParts {
  readonly looks: FileLooks;
  readonly waits: Waits;
  readonly since: Since;
}

class FollowedFile {
  readonly uri: vscode.Uri;
  readonly #looks: FileLooks;
  readonly #waits: Waits;
  /** The problems that the model knows. */
  #since: Since;
  #after = "";
  /** The problems that it was told last, and those that it knew before. */
  #told: { readonly text: string; readonly since: Since } | undefined;
  #looking: Promise<void> | undefined;
  #looked: Looked | undefined;
  /** Of the file that was looked at. */
  #stamp = "";
  #ending = new AbortController();

  constructor(uri: vscode.Uri, { looks, waits, since }: FollowedFileParts) {
    this.uri = uri;
    this.#looks = looks;
    this.#waits = waits;
    this.#since = since;
  }

  /** A look at its last text has begun. */
  get isLookedAt(): boolean {
    return this.#looking !== undefined;
  }

  changed(after: string): void {
    this.dispose();
    this.#ending = new AbortController();
    this.#after = after;
    this.#looking = undefined;
    this.#looked = undefined;
  }

  /** Resolves once the services have looked at its last text. Never rejects. */
  look(): Promise<void> {
    const { signal } = this.#ending;
    this.#looking ??= this.#looks.look(this.uri, this.#after, this.#waits, signal).then(
      async (looked) => {
        const stamp = await stampOf(this.uri);
        if (!signal.aborted) [this.#looked, this.#stamp] = [looked, stamp];
      },
      () => {},
    );
    return this.#looking;
  }

  /** The problems that the model does not know. `isShown`: the services report about it also after the look. */
  news(isShown: boolean): News {
    const problems = this.#known(isShown) ?? [];
    const { isKnown, ...since } = this.#since;
    const found = newProblems(problems, since.problems, since.before, this.#after);
    const errors = found.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    const hasErrors = errors.length > 0 && (isKnown || errors.some((error) => this.#isInEdit(error)));
    return { uri: this.uri, found, isUnsure: !isKnown, hasErrors };
  }

  /** The model is told its news, as a part of `text`. */
  tell(text: string, isShown: boolean): void {
    const problems = this.#known(isShown);
    if (!problems) return;
    const { found } = this.news(isShown);
    if (found.length > 0) this.#told = { text, since: this.#since };
    const isKnown = this.#since.isKnown || this.#looked?.outcome === "reported";
    this.#since = { before: this.#after, problems, isKnown };
  }

  /** If the conversation has lost the request that told them, they have to be told again. */
  untellUnless(notes: readonly string[]): void {
    if (!this.#told || notes.some((note) => note.includes(this.#told?.text ?? ""))) return;
    this.#since = this.#told.since;
    this.#told = undefined;
  }

  /** Problems are not told if the file has been changed since they were found, such as by a command or by a review. */
  async forgetStale(isShown: boolean): Promise<void> {
    if (isShown || this.news(isShown).found.length === 0) return;
    if ((await stampOf(this.uri)) !== this.#stamp) this.#looked = undefined;
  }

  dispose(): void {
    this.#ending.abort();
  }

  /** The problems of its last text; undefined if they are not known, or the user has changed it. */
  #known(isShown: boolean): Problems | undefined {
    if (!this.#looked || isChangedSince(this.uri, this.#after)) return undefined;
    return isShown ? shownProblems(this.uri) : this.#looked.problems;
  }

  #isInEdit({ range }: vscode.Diagnostic): boolean {
    const hunks = lineHunks(this.#since.before, this.#after);
    const { line } = range.start;
    return hunks.some(({ afterStart, afterEnd }) => line >= afterStart && line < afterEnd);
  }
}

function newsOf(files: readonly News[]): string {
  const parts = [
    newsText(
      "",
      files.filter(({ isUnsure }) => !isUnsure),
    ).trimStart(),
    newsText(
      "Of files that were not open before, so some may be older:",
      files.filter(({ isUnsure }) => isUnsure),
    ),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : problemsText(parts);
}

/** Changes with the file; empty if there is none. */
async function stampOf(uri: vscode.Uri): Promise<string> {
  const found = await statFile(uri).then(undefined, () => undefined);
  return found ? `${found.mtime} ${found.size}` : "";
}

/** Puts an entry at the end of a map, which keeps its last `count` ones. */
function putLast<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  count: number,
  onDrop: (value: Value) => void,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= count || !oldest) return;
  map.delete(oldest[0]);
  onDrop(oldest[1]);
}
