import * as vscode from "vscode";
import { readRequestSettings } from "../../platform/settings.ts";
import { maxLogBytes, pruneSegments } from "./log/segments.ts";

/** Deletes the recorded requests that are older than the setting allows. */
export async function deleteOldRequests(globalStorageUri: vscode.Uri): Promise<void> {
  const { keepDays } = readRequestSettings();
  const root = vscode.Uri.joinPath(globalStorageUri, "requests").fsPath;
  await pruneSegments(root, Date.now(), { keepDays, maxBytes: maxLogBytes });
}
