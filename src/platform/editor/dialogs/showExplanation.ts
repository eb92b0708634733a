import * as vscode from "vscode";
import type { Explanation } from "../../../shared/errorActions.ts";
import { runErrorAction } from "../../errors/errorActions.ts";

/** Shows an explained error as a notification with its buttons; `retry` only if a callback is given. */
export async function showExplanation(
  { sentence, actions }: Explanation,
  retry?: () => unknown,
): Promise<void> {
  const offered = actions.filter(({ id }) => id !== "retry" || retry);
  const chosen = await vscode.window.showErrorMessage(sentence, ...offered.map(({ label }) => label));
  const action = offered.find(({ label }) => label === chosen);
  if (action?.id === "retry") await retry?.();
  else if (action && (await runErrorAction(action.id))) await retry?.();
}
