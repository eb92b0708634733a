import * as vscode from "vscode";
import { isCancelled } from "../../api/errors/errors.ts";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { showExplanation } from "../../platform/editor/dialogs/showExplanation.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { commands } from "../../shared/names/ids.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import type { Session } from "../session.ts";

/** True if a service is available; otherwise offers ways to set one up. */
export async function hasService({ session }: { readonly session: Session }): Promise<boolean> {
  if (session.active) return true;
  const [sandbox, key] = ["Use the Sandbox", "Set API Key"];
  const message = "No service is set up. The sandbox needs no key and costs nothing.";
  const chosen = await vscode.window.showInformationMessage(message, sandbox, key);
  if (chosen === sandbox) await vscode.commands.executeCommand(commands.connectionUseSandbox);
  if (chosen === key) await vscode.commands.executeCommand(commands.connectionSignIn);
  return session.active !== undefined;
}

/** True if this text may be sent. Asks if the file looks like a secret. */
export async function maySend(name: string, what = "The selected text"): Promise<boolean> {
  if (!looksSecret(name)) return true;
  const send = "Send It";
  const detail = `Its name suggests that it contains keys or passwords. ${what} would be sent to the service.`;
  return (await warnModally(`Send ${name}?`, { detail }, send)) === send;
}

/** Shows an error message; a cancellation by the user shows none. */
export function sayFailure(
  { session, log }: { readonly session: Session; readonly log: vscode.LogOutputChannel },
  error: unknown,
  retry: () => unknown,
): void {
  if (isCancelled(error)) return;
  log.error("no answer", error instanceof Error ? error : String(error));
  const { active } = session;
  const context = active ? { service: active.name, kind: active.kind } : { service: "The service" };
  void showExplanation(explain(error, context), retry);
}
