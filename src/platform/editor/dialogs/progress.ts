import * as vscode from "vscode";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";

export interface Step {
  readonly message?: string;
  /** Share of the whole that this step completes, in percent. */
  readonly increment?: number;
}

/** Runs a task with a cancellable progress notification. */
export function withProgress<Value>(
  title: string,
  task: (signal: AbortSignal, report: (step: Step) => void) => Promise<Value>,
): Promise<Value> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: withoutLinks(title), cancellable: true };
  const run = async (progress: vscode.Progress<Step>, token: vscode.CancellationToken) => {
    const stopping = new AbortController();
    const listening = token.onCancellationRequested(() => stopping.abort());
    try {
      return await task(stopping.signal, ({ message, ...step }) =>
        progress.report(message === undefined ? step : { ...step, message: withoutLinks(message) }),
      );
    } finally {
      listening.dispose();
    }
  };
  return Promise.resolve(vscode.window.withProgress(options, run));
}
