import * as vscode from "vscode";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { commands, reviewScheme } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingHunk } from "../engine/hunkList.ts";
import type { PendingChanges } from "../engine/pendingChanges.ts";
import { Decisions } from "./decisions.ts";
import { createHunkDecorations } from "./hunkDecorations.ts";
import { createHunkLenses } from "./hunkLenses.ts";
import { createOriginalFiles, type OriginalFiles } from "./originalFiles.ts";
import { describeAll, hunkAtLine, isWhole, placeBeside, type ReviewPlace, reviewPlaces } from "./places.ts";
import { ReviewedChanges } from "./reviewedChanges.ts";
import { createReviewMarks } from "./reviewMarks.ts";
import { type Decision, StagedDiffs } from "./stagedDiffs.ts";

/**
 * The review of pending hunks and staged changes. Arguments come from commands: the URI of a file or of a side of a diff,
 * as an object or text, and the id of a hunk. Without them, the active editor and its cursor count.
 */
export interface ReviewFeature extends vscode.Disposable {
  /** Shows changes that are in no file yet. */
  readonly staged: StagedDiffs;
  decideHunk(decision: Decision, uri?: unknown, hunkId?: unknown): Promise<void>;
  decideFile(decision: Decision, uri?: unknown): Promise<void>;
  /** `agent`: the pending hunks alone. */
  decideAll(decision: Decision, of?: unknown): Promise<void>;
  go(direction: "next" | "previous"): Promise<void>;
  showDiff(uri?: unknown, hunkId?: unknown): Promise<void>;
  showAll(): Promise<void>;
  readonly commands: DomainCommands<"changes">;
}

/** Changes that arrive within this time are drawn together. */
const frameMs = 40;
const statusMs = 5_000;

export function createReviewFeature(changes: PendingChanges, log: vscode.LogOutputChannel): ReviewFeature {
  const originals = createOriginalFiles(changes);
  const staged = new StagedDiffs(changes.staged, originals.readAgain);
  const reviewed = new ReviewedChanges(changes);
  const decisions = new Decisions({ changes, staged, log });
  const drawn = drawHunks(changes, reviewed, originals);
  const fileAt = (uri: vscode.Uri) => reviewed.fileOf(originals.fileBehind(uri));
  const targetOf = (uri: unknown): ChangedFile | undefined => {
    const named = reviewedUri(uri);
    const file = named && fileAt(named);
    if (!file) say("The file has no hunks to review.");
    return file;
  };
  const showDiffAt = (file: ChangedFile, line: number | undefined): Promise<void> => {
    const change = changes.staged.of(file.uri);
    return change ? staged.show(change, line) : originals.showDiff(file, line);
  };
  const reveal = async (place: ReviewPlace): Promise<void> => {
    const places = reviewPlaces(reviewed.files);
    const index = places.findIndex(
      ({ file, hunk }) => file.uri.toString() === place.file.uri.toString() && hunk?.id === place.hunk?.id,
    );
    await open(place, () => showDiffAt(place.file, place.hunk?.startLine));
    say(`Hunk ${index + 1} of ${places.length}: ${place.file.path}`);
  };
  const review: Omit<ReviewFeature, "commands"> = {
    staged,
    async decideHunk(decision, uri, hunkId) {
      const file = targetOf(uri);
      if (!file) return;
      if (isWhole(file)) return decisions.decide(decision, [file]);
      const isNamed = typeof hunkId === "string";
      const hunk = isNamed ? file.hunks.find(({ id }) => id === hunkId) : hunkAtCursor(file);
      if (!hunk) return isNamed ? say("The hunk is decided.") : showNext(file, reveal);
      await decisions.decide(decision, [file], hunk.id);
      // The keyboard goes on to the next hunk of the file; a click leaves the cursor alone.
      const following = isNamed ? undefined : nextIn(reviewed.fileOf(file.uri), hunk.startLine);
      if (following) await reveal(following);
    },
    async decideFile(decision, uri) {
      const named = reviewedUri(uri);
      const change = named && changes.staged.of(named);
      // It may be rejected while it is written.
      if (change && decision === "reject") return staged.decide(decision, change);
      const file = targetOf(uri);
      if (file) await decisions.decide(decision, [file]);
    },
    async decideAll(decision, of) {
      const files = of === "agent" ? [...changes.files] : reviewed.files;
      if (files.length === 0) return say("There are no hunks to review.");
      const button = "Reject All";
      const question = `Reject all changes (${describeAll(files)})?`;
      const detail = rejectDetail(files);
      if (decision === "reject" && (await warnModally(question, { detail }, button)) !== button) return;
      await decisions.decide(decision, files);
    },
    async go(direction) {
      const editor = vscode.window.activeTextEditor;
      const uri = editor?.document.uri ?? activeFile();
      const line = editor?.selection.active.line ?? 0;
      const from = uri && { uri: fileAt(uri)?.uri ?? originals.fileBehind(uri), line };
      const place = placeBeside(reviewPlaces(reviewed.files), from, direction);
      if (place) await reveal(place);
      else say("There are no hunks to review.");
    },
    async showDiff(uri, hunkId) {
      const file = targetOf(uri);
      const hunk = file?.hunks.find(({ id }) => id === hunkId);
      if (file) await showDiffAt(file, hunk?.startLine);
    },
    async showAll() {
      if (changes.files.length > 0) await originals.showAll();
      else say("There are no hunks to review.");
    },
    dispose: () => vscode.Disposable.from(drawn, staged, reviewed).dispose(),
  };
  return { ...review, commands: commandsOf(review) };
}

function commandsOf(review: Omit<ReviewFeature, "commands">): DomainCommands<"changes"> {
  return {
    [commands.changesAcceptHunk]: (...place) => review.decideHunk("accept", ...place),
    [commands.changesRejectHunk]: (...place) => review.decideHunk("reject", ...place),
    [commands.changesAcceptFile]: (uri) => review.decideFile("accept", uri),
    [commands.changesRejectFile]: (uri) => review.decideFile("reject", uri),
    [commands.changesAcceptAll]: (of) => review.decideAll("accept", of),
    [commands.changesRejectAll]: (of) => review.decideAll("reject", of),
    [commands.changesNextHunk]: () => review.go("next"),
    [commands.changesPreviousHunk]: () => review.go("previous"),
    [commands.changesShowDiff]: (...place) => review.showDiff(...place),
    [commands.changesShowAll]: () => review.showAll(),
    async [commands.changesWriteCommitMessage]() {
      await vscode.commands.executeCommand("workbench.view.scm");
      await vscode.commands.executeCommand(commands.editorWriteCommitMessage);
    },
  };
}

/** Draws the hunks now, and after changes. */
function drawHunks(
  changes: PendingChanges,
  reviewed: ReviewedChanges,
  originals: OriginalFiles,
): vscode.Disposable {
  const parts = [
    createHunkDecorations((uri) => changes.fileOf(uri)),
    createHunkLenses(reviewed),
    createReviewMarks(reviewed),
    originals,
  ];
  let frame: NodeJS.Timeout | undefined;
  const refresh = () => {
    frame = undefined;
    for (const part of parts) part.refresh();
  };
  const changed = reviewed.onDidChange(() => {
    frame ??= setTimeout(refresh, frameMs);
  });
  refresh();
  return {
    dispose() {
      clearTimeout(frame);
      vscode.Disposable.from(changed, ...parts).dispose();
    },
  };
}

function say(text: string): void {
  vscode.window.setStatusBarMessage(withoutLinks(text), statusMs);
}

/** The file of the active tab, also if it is a picture. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** The file that a command names; without one, the active file. What is named and is no file is not replaced by it. */
export function reviewedUri(uri: unknown): vscode.Uri | undefined {
  if (uri !== undefined && uri !== null) return toUri(uri);
  return vscode.window.activeTextEditor?.document.uri ?? activeFile();
}

function toUri(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  return typeof value === "string" ? vscode.Uri.parse(value, true) : undefined;
}

function hunkAtCursor(file: ChangedFile): PendingHunk | undefined {
  const line = cursorIn(file);
  return line === undefined ? undefined : hunkAtLine(file.hunks, line);
}

function cursorIn({ uri }: ChangedFile): number | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === uri.toString() ? editor.selection.active.line : undefined;
}

/** A decision needs a hunk at the cursor. The next one is shown, so that the same key decides it. */
async function showNext(file: ChangedFile, reveal: (place: ReviewPlace) => Promise<void>): Promise<void> {
  const next = nextIn(file, cursorIn(file) ?? 0);
  if (next) await reveal(next);
  say("There is no hunk at the cursor. The next one is shown.");
}

/** Says what a rejection does to files and to proposals. A proposal is in no file. */
function rejectDetail(files: readonly ChangedFile[]): string {
  const proposed = files.filter(({ uri }) => uri.scheme === reviewScheme).length;
  const back = "The files will be as they were before these changes. Your own edits stay.";
  if (proposed === 0) return back;
  const dropped = `${proposed === 1 ? "A proposal that is" : `${proposed} proposals that are`} in no file yet will be dropped.`;
  return proposed === files.length ? dropped : `${back} ${dropped}`;
}

function nextIn(file: ChangedFile | undefined, line: number): ReviewPlace | undefined {
  const places = file ? reviewPlaces([file]) : [];
  return places.find(({ hunk }) => hunk && hunk.startLine >= line) ?? places[0];
}

/**
 * Shows the lines of a place, in the active diff of its file or in an editor; a deleted file, a link, and what is in no file
 * yet, is shown as its diff.
 */
async function open({ file, hunk }: ReviewPlace, showDiff: () => Promise<void>): Promise<void> {
  const active = vscode.window.activeTextEditor;
  const isActive = active?.document.uri.toString() === file.uri.toString();
  const isStaged = file.uri.scheme === reviewScheme;
  if (/^(deleted|linked)$/.test(file.kind) || (isStaged && !isActive)) return showDiff();
  const editor = isActive && active ? active : await vscode.window.showTextDocument(file.uri);
  const line = Math.min(hunk?.startLine ?? 0, editor.document.lineCount - 1);
  const at = new vscode.Range(line, 0, line, 0);
  editor.selection = new vscode.Selection(at.start, at.end);
  editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
