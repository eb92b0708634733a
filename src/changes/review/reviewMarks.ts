import * as vscode from "vscode";
import { commands, reviewContexts } from "../../shared/names/ids.ts";
import { plural } from "../../shared/text/plural.ts";
import type { ChangedFile } from "../engine/changedFile.ts";
import { countPlaces, describeAll } from "./places.ts";
import type { ReviewedChanges } from "./reviewedChanges.ts";

/** Pending hunks in the status bar, in badges of files, and in the contexts of commands. */
export interface ReviewMarks extends vscode.Disposable {
  refresh(): void;
}

export function createReviewMarks(changes: ReviewedChanges): ReviewMarks {
  const item = vscode.window.createStatusBarItem("inference.review", vscode.StatusBarAlignment.Left, 20);
  item.name = "Hunks to Review";
  item.command = commands.changesNextHunk;
  const badges = new vscode.EventEmitter<vscode.Uri[]>();
  const provider = vscode.window.registerFileDecorationProvider({
    onDidChangeFileDecorations: badges.event,
    provideFileDecoration(uri) {
      const file = changes.fileOf(uri);
      return file && { badge: "±", tooltip: `${describeFile(file)} to review`, propagate: true };
    },
  });
  let marked = new Map<string, string>();
  let shown = "";
  const markFiles = (files: readonly ChangedFile[]) => {
    const now = new Map(files.map((file) => [file.uri.toString(), describeFile(file)]));
    const differing = [...new Set([...marked.keys(), ...now.keys()])].filter(
      (uri) => marked.get(uri) !== now.get(uri),
    );
    const isSameSet = marked.size === now.size && [...now.keys()].every((uri) => marked.has(uri));
    marked = now;
    if (differing.length > 0) badges.fire(differing.map((uri) => vscode.Uri.parse(uri, true)));
    if (!isSameSet) setContexts(files);
  };
  return {
    refresh() {
      const { files } = changes;
      markFiles(files);
      if (files.length === 0) {
        shown = "";
        return item.hide();
      }
      const text = describeAll(files);
      if (text === shown) return;
      shown = text;
      item.text = `$(diff-multiple) ${text} to review`;
      item.tooltip = `${text} wait for your review. Select to go to the next one.`;
      item.accessibilityInformation = { label: `${text} to review` };
      item.show();
    },
    dispose() {
      setContexts([]);
      item.dispose();
      provider.dispose();
      badges.dispose();
    },
  };
}

function describeFile(file: ChangedFile): string {
  return plural(countPlaces([file]), "hunk");
}

/**
 * `resourcePath in …` finds the file of an editor among the keys. In a remote window the editor's URIs have another
 * scheme than ours, so the paths are compared: of a local file with the separators of the system.
 */
function setContexts(files: readonly ChangedFile[]): void {
  const paths = files.flatMap(({ uri }) => [uri.fsPath, uri.path]);
  const byPath = Object.fromEntries(paths.map((path) => [path, true]));
  void vscode.commands.executeCommand("setContext", reviewContexts.reviewFiles, byPath);
  void vscode.commands.executeCommand("setContext", reviewContexts.reviewing, files.length > 0);
}
