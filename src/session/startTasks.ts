import * as vscode from "vscode";
import { registerFormerNames } from "../platform/editor/commands/formerNames.ts";
import { registerTour, tickTour } from "../platform/editor/tour.ts";
import { sweepTemporaryFiles } from "../platform/files/durable/temporaryFiles.ts";
import { tightenFolder } from "../platform/files/privateFiles.ts";
import { moveFormerConsents } from "./consent/formerConsents.ts";
import type { Session } from "./session.ts";

interface StartTasksDeps {
  readonly context: vscode.ExtensionContext;
  readonly session: Pick<Session, "active" | "onDidChangeActive">;
  readonly log: vscode.LogOutputChannel;
}

/** What each window does in the turn after its activation, for no domain alone. One failure stops no other task. */
export function runStartTasks({ context, session, log }: StartTasksDeps): vscode.Disposable {
  const later = (task: Promise<void>) => void task.catch((error: unknown) => log.error(String(error)));
  later(moveFormerConsents(context, process.env));
  later(tidyFolders(context, (error) => log.warn(String(error))));
  return vscode.Disposable.from(registerFormerNames(log), followTour(context.globalState, session));
}

/** Completes steps of the walkthrough, and its first one while a connection is active. */
function followTour(globalState: vscode.Memento, session: StartTasksDeps["session"]): vscode.Disposable {
  const tick = (active: unknown) => active !== undefined && tickTour("connected");
  const tour = registerTour(globalState);
  tick(session.active);
  return vscode.Disposable.from(tour, session.onDidChangeActive(tick));
}

/** Removes access of others to the folders of the extension, and what windows that were killed have left over. */
async function tidyFolders(
  { globalStorageUri, storageUri }: Pick<vscode.ExtensionContext, "globalStorageUri" | "storageUri">,
  report: (error: unknown) => void,
): Promise<void> {
  for (const uri of [globalStorageUri, storageUri]) {
    if (!uri) continue;
    await tightenFolder(uri.fsPath, report);
    await sweepTemporaryFiles(uri.fsPath);
  }
}
