import * as vscode from "vscode";
import type { MissingSandbox } from "./commandSandbox.ts";

const toldKey = "chat.sandboxMissing";

/** Tells once on this machine why commands run without a sandbox, unless nothing can be done about it. */
export async function tellMissingSandbox(
  state: vscode.Memento,
  { reason, nextStep }: MissingSandbox,
): Promise<void> {
  if (nextStep === undefined || state.get(toldKey) === reason) return;
  await state.update(toldKey, reason);
  await vscode.window.showInformationMessage(
    `Commands of the agent run without a sandbox, because ${reason}. ${nextStep}`,
  );
}
