import { randomUUID } from "node:crypto";
import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { changeDocument, type DocumentChange } from "../../../platform/editor/changeDocument.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { reviewScheme } from "../../../shared/names/ids.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { type Hunk, lineHunks, reversed, withHunk } from "../../../shared/text/lineHunks.ts";
import type { ChangedFile } from "../changedFile.ts";
import type { PendingHunk } from "../hunkList.ts";
import { shiftRange, type TextChange, type TrackedRange } from "../trackedRange.ts";

/** What a model proposes for a document, or for a file that does not exist. */
export interface Proposal {
  /** Who proposes it: `when` clauses find it in the URIs of the diff. */
  readonly kind: "edit" | "code";
  readonly uri: vscode.Uri;
  /** Undefined for a file that does not exist: accepting creates it. */
  readonly document: vscode.TextDocument | undefined;
  /** Offsets of the text that is replaced; without it, the whole document. */
  readonly range?: TrackedRange | undefined;
  /** Of the tab. */
  readonly title: string;
  readonly viewColumn?: vscode.ViewColumn | undefined;
  /** Asks the user, if necessary, before the range gets this text. `isAll`: with all hunks. False keeps the proposal, as a Refusal does. */
  mayWrite(text: string, isAll: boolean): Promise<boolean>;
  /** Something of it was written. */
  onAccepted?(): void;
  /** The user has decided, or has closed the diff. */
  onDropped?(): void;
  /** Asks the model again, if the document has changed. */
  askAgain?(): Promise<void>;
}

interface Sides {
  readonly before: string;
  readonly after: string;
}

const changedSince = "Nothing was replaced: the text changed after the answer was requested.";

/** A change whose text is not in its document yet. Its range follows the changes of the document. */
export class StagedChange {
  readonly id = randomUUID();
  readonly proposal: Proposal;
  /** False while the model writes it: it can't be accepted. */
  isReady = false;
  #document: vscode.TextDocument | undefined;
  #range: TrackedRange;
  /** The text of the range for which the proposal was made, with the hunks that were accepted since. */
  #original: string;
  /** Texts of the range before each accepted hunk, because undo restores one of them. */
  readonly #earlier = new Set<string>();
  /** The proposed text of the range, without rejected hunks, or what makes it. */
  #text: string | (() => string);
  #file: ChangedFile | undefined;
  #hunks: readonly Hunk[] | undefined;
  /** Ids of hunks of an earlier text name nothing. */
  #version = 0;

  constructor(proposal: Proposal) {
    this.proposal = proposal;
    this.#document = proposal.document;
    this.#range = proposal.range ?? { start: 0, end: proposal.document?.getText().length ?? 0 };
    this.#original = this.#current();
    this.#text = this.#original;
  }

  get range(): TrackedRange {
    return this.#range;
  }

  get original(): string {
    return this.#original;
  }

  /** True if no change is proposed, or none is left. */
  get isSame(): boolean {
    return this.text === this.#original;
  }

  /** The text that is proposed for the range, or for the new file. */
  get text(): string {
    if (typeof this.#text === "function") this.#text = this.#text();
    return this.#text;
  }

  /** A function is called when the text is read, which is less often than an answer grows. */
  propose(text: string | (() => string)): void {
    this.#text = text;
    this.#change();
  }

  get lines(): vscode.Range {
    const { start, end } = this.#range;
    const at = (offset: number) => this.#document?.positionAt(offset) ?? new vscode.Position(0, 0);
    return new vscode.Range(at(start), at(end));
  }

  /** The whole document, before and after the change. */
  get sides(): Sides {
    const before = this.#document?.getText() ?? "";
    const { start, end } = this.#range;
    return { before, after: before.slice(0, start) + this.text + before.slice(end) };
  }

  /** Begins anew with the present text of the range. */
  restart(): void {
    this.isReady = false;
    this.#original = this.#current();
    this.#earlier.clear();
    this.propose(this.#original);
  }

  /** A read-only document with a side. The editor shows its path above the diff, and `when` clauses compare it. */
  sideUri(side: keyof Sides): vscode.Uri {
    const { kind, uri } = this.proposal;
    const path = `/Proposal ${this.id.slice(0, 4)}/${side}/${basename(uri.path) || "text"}`;
    return vscode.Uri.from({ scheme: reviewScheme, authority: kind, path, query: this.id });
  }

  /** As the review lists it: the document is that of the new side. */
  get file(): ChangedFile {
    this.#file ??= this.#toFile();
    return this.#file;
  }

  /** Follows changes of its document. */
  follow(changes: readonly TextChange[]): void {
    for (const change of changes) this.#range = shiftRange(this.#range, change);
    this.#file = undefined;
    this.#followUndo();
  }

  /**
   * Writes it, or one hunk. False if the user has declined. Throws a Refusal, with nothing written, if the document has
   * another text by now or can't be edited.
   */
  async accept(hunkId?: string): Promise<boolean> {
    await this.#assertInPlace();
    const hunk = hunkId === undefined ? undefined : this.#hunkOf(hunkId);
    const original = this.#original;
    const text = hunk ? withHunk(original, this.text, hunk) : this.text;
    const isAll = text === this.text;
    if (!(await this.proposal.mayWrite(text, hunkId === undefined))) return false;
    // The user may have changed the document during the question.
    await this.#assertInPlace();
    if (this.#original !== original) throw new Refusal(changedSince);
    const { start } = this.#range;
    if (!this.#document) await this.#create();
    else if (!(await this.#write(this.#document, hunk ? undefined : this.proposal.range, text, isAll)))
      throw new Refusal(`Nothing was replaced: ${this.#name()} can't be edited.`);
    this.proposal.onAccepted?.();
    this.#earlier.add(this.#original);
    this.#original = text;
    this.#range = { start, end: start + text.length };
    this.#change();
    return true;
  }

  /** Takes a hunk back. Throws a Refusal if the document has another text by now. */
  async reject(hunkId: string): Promise<void> {
    await this.#assertInPlace();
    this.propose(withHunk(this.text, this.#original, reversed(this.#hunkOf(hunkId))));
  }

  #change(): void {
    this.#version += 1;
    this.#file = undefined;
    this.#hunks = undefined;
  }

  #current(): string {
    return this.#document?.getText().slice(this.#range.start, this.#range.end) ?? "";
  }

  /** The range has an earlier text if the acceptance of a hunk was undone: the hunk can be decided again. */
  #followUndo(): void {
    const current = this.#current();
    if (current === this.#original || !this.#earlier.has(current)) return;
    this.#original = current;
    this.#change();
  }

  async #assertInPlace(): Promise<void> {
    if (!this.#document) return;
    // It may have been closed meanwhile.
    this.#document = await vscode.workspace.openTextDocument(this.proposal.uri);
    this.#followUndo();
    if (this.#current() !== this.#original) throw new Refusal(changedSince);
  }

  #write(
    document: vscode.TextDocument,
    whole: TrackedRange | undefined,
    text: string,
    takesFocus: boolean,
  ): Promise<boolean> {
    const change = whole ? { range: this.lines, text } : this.#smallest(document, text);
    const viewColumn = this.proposal.viewColumn ?? vscode.ViewColumn.Active;
    return changeDocument(document, [change], { viewColumn, takesFocus });
  }

  /** The smallest replacement that gives the range this text. */
  #smallest(document: vscode.TextDocument, text: string): DocumentChange {
    const original = this.#original;
    const longest = Math.min(original.length, text.length);
    let start = 0;
    while (start < longest && original[start] === text[start]) start += 1;
    let suffix = 0;
    while (suffix < longest - start && original.at(-1 - suffix) === text.at(-1 - suffix)) suffix += 1;
    const at = (offset: number) => document.positionAt(this.#range.start + offset);
    return {
      range: new vscode.Range(at(start), at(original.length - suffix)),
      text: text.slice(start, text.length - suffix),
    };
  }

  async #create(): Promise<void> {
    const { uri } = this.proposal;
    const creation = new vscode.WorkspaceEdit();
    creation.createFile(uri, { contents: Buffer.from(this.text) });
    if (!(await vscode.workspace.applyEdit(creation)))
      throw new Refusal(`${this.#name()} was not created: it exists, or can't be written.`);
    await vscode.window.showTextDocument(uri);
  }

  #name(): string {
    return visibleLine(basename(this.proposal.uri.path));
  }

  #hunkOf(hunkId: string): Hunk {
    const hunk = this.#hunks?.[this.file.hunks.findIndex(({ id }) => id === hunkId)];
    if (!hunk) throw new Refusal("Nothing was replaced: the hunk has changed.");
    return hunk;
  }

  #toFile(): ChangedFile {
    this.#hunks ??= lineHunks(this.#original, this.text);
    const lines = this.#original.split("\n");
    const firstLine = this.lines.start.line;
    const hunks = this.#hunks.map(
      ({ beforeStart, beforeEnd, afterStart, afterEnd }, index): PendingHunk => ({
        id: `${this.#version}.${index}`,
        startLine: firstLine + afterStart,
        lineCount: afterEnd - afterStart,
        before: lines.slice(beforeStart, beforeEnd),
      }),
    );
    return {
      uri: this.sideUri("after"),
      path: vscode.workspace.asRelativePath(this.proposal.uri),
      kind: this.proposal.document ? "changed" : "created",
      hunks,
      added: hunks.reduce((sum, { lineCount }) => sum + lineCount, 0),
      removed: hunks.reduce((sum, { before }) => sum + before.length, 0),
    };
  }
}
