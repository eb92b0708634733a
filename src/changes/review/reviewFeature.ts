import * as vscode from "vscode";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { commands } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { PendingHunk } from "../engine/hunkList.ts";
import type { ChangedFile, PendingChanges } from "../engine/pendingChanges.ts";
import { createHunkDecorations } from "./hunkDecorations.ts";
import { createHunkLenses } from "./hunkLenses.ts";
import { createOriginalFiles, type OriginalFiles } from "./originalFiles.ts";
import {
  describeAll,
  describeConnected,
  hunkAtLine,
  isWhole,
  placeBeside,
  type ReviewPlace,
  reviewPlaces,
} from "./places.ts";
import { createReviewMarks } from "./reviewMarks.ts";

type Decision = "accept" | "reject";

/**
 * The review of pending hunks. Arguments come from commands: the URI of a file, as an object or text, and the id of a
 * hunk. Without them, the active editor and its cursor count.
 */
export interface ReviewFeature extends vscode.Disposable {
  decideHunk(decision: Decision, uri?: unknown, hunkId?: unknown): Promise<void>;
  decideFile(decision: Decision, uri?: unknown): Promise<void>;
  decideAll(decision: Decision): Promise<void>;
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
  const drawn = drawHunks(changes, originals);
  const targetOf = (uri: unknown): ChangedFile | undefined => {
    const named = reviewedUri(uri);
    const file = named && changes.fileOf(originals.fileBehind(named));
    if (!file) say("The file has no hunks to review.");
    return file;
  };
  const decide = async (
    decision: Decision,
    asked: readonly ChangedFile[],
    hunkId?: string,
  ): Promise<void> => {
    const isOne = decision === "reject" && hunkId === undefined && asked.length === 1;
    const files = isOne ? await withConnected(changes, asked[0] as ChangedFile) : asked;
    if (files) await decideFiles(changes, files, { decision, hunkId, log });
  };
  const reveal = async (place: ReviewPlace): Promise<void> => {
    const places = reviewPlaces(changes.files);
    const index = places.findIndex(
      ({ file, hunk }) => file.path === place.file.path && hunk?.id === place.hunk?.id,
    );
    await open(place, () => originals.showDiff(place.file, undefined));
    say(`Hunk ${index + 1} of ${places.length}: ${place.file.path}`);
  };
  const review: Omit<ReviewFeature, "commands"> = {
    async decideHunk(decision, uri, hunkId) {
      const file = targetOf(uri);
      if (!file) return;
      if (isWhole(file)) return decide(decision, [file]);
      const isNamed = typeof hunkId === "string";
      const hunk = isNamed ? file.hunks.find(({ id }) => id === hunkId) : hunkAtCursor(file);
      if (!hunk) return say(isNamed ? "The hunk is decided." : "There is no hunk at the cursor.");
      await decide(decision, [file], hunk.id);
      // The keyboard goes on to the next hunk of the file; a click leaves the cursor alone.
      const following = isNamed ? undefined : nextIn(changes.fileOf(file.uri), hunk.startLine);
      if (following) await reveal(following);
    },
    async decideFile(decision, uri) {
      const file = targetOf(uri);
      if (file) await decide(decision, [file]);
    },
    async decideAll(decision) {
      const files = [...changes.files];
      if (files.length === 0) return say("There are no hunks to review.");
      const button = "Reject All";
      const question = `Reject the changes of the agent (${describeAll(files)})?`;
      const detail = "The files will be as they were before the agent. Your own edits stay.";
      if (decision === "reject" && (await warnModally(question, { detail }, button)) !== button) return;
      await decide(decision, files);
    },
    async go(direction) {
      const editor = vscode.window.activeTextEditor;
      const uri = editor?.document.uri ?? activeFile();
      const from = uri && { uri: originals.fileBehind(uri), line: editor?.selection.active.line ?? 0 };
      const place = placeBeside(reviewPlaces(changes.files), from, direction);
      if (place) await reveal(place);
      else say("There are no hunks to review.");
    },
    async showDiff(uri, hunkId) {
      const file = targetOf(uri);
      const hunk = file?.hunks.find(({ id }) => id === hunkId);
      if (file) await originals.showDiff(file, hunk?.startLine);
    },
    async showAll() {
      if (changes.files.length > 0) await originals.showAll();
      else say("There are no hunks to review.");
    },
    dispose: () => drawn.dispose(),
  };
  return { ...review, commands: commandsOf(review) };
}

function commandsOf(review: Omit<ReviewFeature, "commands">): DomainCommands<"changes"> {
  return {
    [commands.changesAcceptHunk]: (...place) => review.decideHunk("accept", ...place),
    [commands.changesRejectHunk]: (...place) => review.decideHunk("reject", ...place),
    [commands.changesAcceptFile]: (uri) => review.decideFile("accept", uri),
    [commands.changesRejectFile]: (uri) => review.decideFile("reject", uri),
    [commands.changesAcceptAll]: () => review.decideAll("accept"),
    [commands.changesRejectAll]: () => review.decideAll("reject"),
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
function drawHunks(changes: PendingChanges, originals: OriginalFiles): vscode.Disposable {
  const fileOf = (uri: vscode.Uri) => changes.fileOf(uri);
  const parts = [
    createHunkDecorations(fileOf),
    createHunkLenses(changes),
    createReviewMarks(changes),
    originals,
  ];
  let frame: NodeJS.Timeout | undefined;
  const refresh = () => {
    frame = undefined;
    for (const part of parts) part.refresh();
  };
  const changed = changes.onDidChange(() => {
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

interface Deciding {
  readonly decision: Decision;
  readonly hunkId: string | undefined;
  readonly log: vscode.LogOutputChannel;
}

/** Shows why it failed. */
async function decideFiles(
  changes: PendingChanges,
  files: readonly ChangedFile[],
  { decision, hunkId, log }: Deciding,
): Promise<void> {
  try {
    if (decision === "reject" && hunkId === undefined)
      await changes.rejectTogether(files.map(({ uri }) => uri));
    else for (const { uri } of files) await changes[decision](uri, hunkId);
  } catch (error) {
    log.error(`${decision} of changes`, error instanceof Error ? error : String(error));
    const reason = messageOf(error);
    const verb = decision === "accept" ? "accepted" : "rejected";
    void vscode.window.showErrorMessage(withoutLinks(`Not all changes were ${verb}: ${reason} Try again.`));
  }
}

/** A file, with those that have the place of another after moves if the user rejects them, too. Undefined if not. */
async function withConnected(
  changes: PendingChanges,
  file: ChangedFile,
): Promise<readonly ChangedFile[] | undefined> {
  const files = [file, ...changes.connectedWith(file.uri)];
  if (files.length === 1) return files;
  const button = "Reject Together";
  const question = `Reject the changes of ${files.length} files together?`;
  const detail = `${describeConnected(files)}. One has the former place of another, so it can't be rejected alone. The files will be as they were before the agent.`;
  return (await warnModally(question, { detail }, button)) === button ? files : undefined;
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

function hunkAtCursor({ uri, hunks }: ChangedFile): PendingHunk | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) return undefined;
  return hunkAtLine(hunks, editor.selection.active.line);
}

function nextIn(file: ChangedFile | undefined, line: number): ReviewPlace | undefined {
  const places = file ? reviewPlaces([file]) : [];
  return places.find(({ hunk }) => hunk && hunk.startLine >= line) ?? places[0];
}

/** Shows the lines of a place, in the active diff of its file or in an editor; a deleted file is shown as its diff. */
async function open({ file, hunk }: ReviewPlace, showDiff: () => Promise<void>): Promise<void> {
  if (file.kind === "deleted") return showDiff();
  const active = vscode.window.activeTextEditor;
  const editor =
    active?.document.uri.toString() === file.uri.toString()
      ? active
      : await vscode.window.showTextDocument(file.uri);
  const line = Math.min(hunk?.startLine ?? 0, editor.document.lineCount - 1);
  const at = new vscode.Range(line, 0, line, 0);
  editor.selection = new vscode.Selection(at.start, at.end);
  editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
