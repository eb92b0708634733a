import * as vscode from "vscode";
import type { Explanation } from "../shared/errorActions.ts";
import { runErrorAction } from "./errorActions.ts";

/** Shows an explained error at the lower right with its buttons; `retry` is offered where there is something to call. */
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
