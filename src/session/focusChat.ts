import * as vscode from "vscode";
import { views } from "../shared/names/ids.ts";

export async function focusChat(): Promise<void> {
  await vscode.commands.executeCommand(`${views.chat}.focus`);
}
