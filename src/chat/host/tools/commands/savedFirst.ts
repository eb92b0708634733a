import * as vscode from "vscode";
import { unsavedPlaces } from "../../../../changes/engine/files/openEditors.ts";
import { untilAborted } from "../../../../shared/untilAborted.ts";
import type { ChatTool } from "../tool.ts";

/** A save may wait so long for a formatter. */
const longestSaveMs = 10_000;
/** Names in a result. */
const mostNames = 10;

/**
 * A tool that runs a program. A program reads the disk, so files with unsaved changes are saved first, as the editor does
 * before it runs a task; the result names them, and those that were not saved.
 */
export function withSavedFiles(tool: ChatTool): ChatTool {
  const { run } = tool;
  if (!run) return tool;
  return {
    ...tool,
    async run(input, signal, context) {
      const notes = await saveUnsaved(signal);
      const result = await run(input, signal, context);
      return [result, ...notes].join("\n");
    },
  };
}

/** Saves the files of the workspace, if the user has not turned it off for tasks. Returns sentences about them. */
export async function saveUnsaved(signal: AbortSignal): Promise<readonly string[]> {
  const files = vscode.workspace.isTrusted ? unsavedFiles() : [];
  if (files.length === 0) return [];
  const isWanted = vscode.workspace.getConfiguration("task").get("saveBeforeRun", "always") === "always";
  const until = AbortSignal.any([signal, AbortSignal.timeout(longestSaveMs)]);
  const isSaved = await Promise.all(files.map((uri) => isWanted && save(uri, until)));
  signal.throwIfAborted();
  return [
    ...named(
      "Saved before it ran",
      files.filter((_, index) => isSaved[index]),
    ),
    ...named(
      "Not saved, so it did not see the unsaved text of",
      files.filter((_, index) => !isSaved[index]),
    ),
  ];
}

/** The files of the workspace with unsaved changes in any editor. */
function unsavedFiles(): readonly vscode.Uri[] {
  const documents = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  const all = new Map([...documents, ...unsavedPlaces()].map((uri) => [uri.toString(), uri]));
  return [...all.values()].filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
}

/** False if it can't be saved, such as an older text than that of the file, and when the signal is aborted. */
async function save(uri: vscode.Uri, until: AbortSignal): Promise<boolean> {
  return untilAborted(saver(uri), until).catch(() => false);
}

/** Begins the save of a file by what shows it. */
function saver(uri: vscode.Uri): Thenable<boolean> {
  const key = uri.toString();
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const document = [...textDocuments, ...notebookDocuments].find(
    (one) => one.isDirty && one.uri.toString() === key,
  );
  // An editor of another extension has no document.
  return document?.save() ?? vscode.workspace.save(uri).then((place) => place !== undefined);
}

function named(words: string, files: readonly vscode.Uri[]): readonly string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, mostNames).map((uri) => vscode.workspace.asRelativePath(uri));
  const more = files.length - names.length;
  return [`${words}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}
