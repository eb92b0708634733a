import * as vscode from "vscode";
import { commands } from "../../shared/names/ids.ts";
import { plural } from "../../shared/text/plural.ts";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingHunk } from "../engine/hunkList.ts";
import { isWhole, lineCounts } from "./places.ts";
import type { ReviewedChanges } from "./reviewedChanges.ts";

/** Lenses above the pending hunks. */
export interface HunkLenses extends vscode.Disposable {
  refresh(): void;
}

/** Lines around the visible ones that have lenses, too: the editor lays out all lenses after each pause in typing. */
const margin = 150;
/** They are asked for again after a scroll by more than this number of lines. */
const scrolled = 75;
const scrollMs = 100;

const hunkActions = ["accept", "reject", "diff"] as const;

interface HunkLens {
  readonly uri: vscode.Uri;
  readonly hunk: PendingHunk;
  readonly action: (typeof hunkActions)[number];
}

export function createHunkLenses(changes: ReviewedChanges): HunkLenses {
  const changed = new vscode.EventEmitter<void>();
  let shown = "";
  /** The visible lines when the lenses of a document were given. */
  const shownLines = new WeakMap<vscode.TextDocument, readonly Lines[]>();
  let scrolling: NodeJS.Timeout | undefined;
  const follow = () => {
    scrolling = undefined;
    const isFar = ({ document }: vscode.TextEditor) => {
      const given = shownLines.get(document);
      return given && changes.fileOf(document.uri) && !visibleLines(document).every(isAmong(given));
    };
    if (vscode.window.visibleTextEditors.some(isFar)) changed.fire();
  };
  const scrolls = vscode.window.onDidChangeTextEditorVisibleRanges(() => {
    scrolling ??= setTimeout(follow, scrollMs);
  });
  /** The command of a lens is added once the lens is visible. */
  const unresolved = new WeakMap<vscode.CodeLens, HunkLens>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      const file = changes.fileOf(document.uri);
      if (!file) return [];
      const near = visibleLines(document);
      shownLines.set(document, near);
      const ofHunks = hunkLenses(file, document.lineCount, near).map(([lens, of]) => {
        unresolved.set(lens, of);
        return lens;
      });
      return [...fileLenses(file), ...ofHunks];
    },
    resolveCodeLens(lens) {
      const of = unresolved.get(lens);
      if (of) lens.command = commandOf(of);
      return lens;
    },
  };
  const registered = vscode.languages.registerCodeLensProvider("*", provider);
  return {
    refresh() {
      // The editor asks again after each typed text; lenses that only moved need no event.
      const now = changes.files
        .map(({ path, hunks }) => [path, ...hunks.map(({ id }) => id)].join())
        .join("\n");
      if (now !== shown) changed.fire();
      shown = now;
    },
    dispose() {
      clearTimeout(scrolling);
      scrolls.dispose();
      registered.dispose();
      changed.dispose();
    },
  };
}

function fileLenses(file: ChangedFile): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return fileCommands(file).map((command) => new vscode.CodeLens(top, command));
}

interface Lines {
  readonly start: number;
  readonly end: number;
}

/** The lines that editors show of a document; none if it is not visible. */
function visibleLines(document: vscode.TextDocument): readonly Lines[] {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => ({ start: start.line, end: end.line }));
}

const isAmong =
  (given: readonly Lines[]) =>
  ({ start, end }: Lines): boolean =>
    given.some((one) => start >= one.start - scrolled && end <= one.end + scrolled);

function hunkLenses(
  file: ChangedFile,
  lineTotal: number,
  near: readonly Lines[],
): (readonly [vscode.CodeLens, HunkLens])[] {
  if (isWhole(file)) return [];
  const { uri } = file;
  const isNear = ({ startLine }: PendingHunk) =>
    near.length === 0 ||
    near.some(({ start, end }) => startLine >= start - margin && startLine <= end + margin);
  return file.hunks.filter(isNear).flatMap((hunk) => {
    const line = Math.max(0, Math.min(hunk.startLine, lineTotal - 1));
    return hunkActions.map((action) => {
      const lens = new vscode.CodeLens(new vscode.Range(line, 0, line, 0));
      return [lens, { uri, hunk, action }] as const;
    });
  });
}

const nouns = { created: "New File", deleted: "Deletion", moved: "Move", linked: "Link" };

function fileCommands({ uri, kind, hunks }: ChangedFile): vscode.Command[] {
  const [accept, reject] =
    kind === "changed"
      ? [`Accept All ${plural(hunks.length, "Hunk")}`, "Reject All"]
      : [`Accept ${nouns[kind]}`, `Reject ${nouns[kind]}`];
  return [
    {
      title: accept,
      command: commands.changesAcceptFile,
      arguments: [uri],
      tooltip: "Keeps all changes of this file",
    },
    {
      title: reject,
      command: commands.changesRejectFile,
      arguments: [uri],
      tooltip: "Restores the file as it was before",
    },
    { title: "Next", command: commands.changesNextHunk, tooltip: "Goes to the next hunk" },
  ];
}

function commandOf({ uri, hunk, action }: HunkLens): vscode.Command {
  const arguments_ = [uri, hunk.id];
  switch (action) {
    case "accept":
      return {
        title: "Accept",
        command: commands.changesAcceptHunk,
        arguments: arguments_,
        tooltip: "Keeps these lines",
      };
    case "reject":
      return {
        title: "Reject",
        command: commands.changesRejectHunk,
        arguments: arguments_,
        tooltip: "Restores the lines as they were before",
      };
    case "diff":
      return {
        title: `Show Diff ${lineCounts(hunk)}`,
        command: commands.changesShowDiff,
        arguments: arguments_,
        tooltip: `Compares the file with its text before (${hunk.lineCount} added, ${hunk.before.length} removed)`,
      };
  }
}
