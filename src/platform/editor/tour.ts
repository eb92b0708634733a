import * as vscode from "vscode";
import { contexts, tourCommand } from "../../shared/names/ids.ts";

const keys = {
  connected: contexts.tourConnected,
  answered: contexts.tourAnswered,
  edited: contexts.tourEdited,
  found: contexts.tourFound,
  painted: contexts.tourPainted,
  ran: contexts.tourRan,
  shared: contexts.tourShared,
};
export type TourStep = keyof typeof keys;

/** Reports that a step of the walkthrough is done. */
export function tickTour(step: TourStep): void {
  void vscode.commands.executeCommand(tourCommand, step);
}

const doneKey = "tour.done";

/**
 * Completes steps of the walkthrough. VS Code evaluates completion events only after the walkthrough was opened, and
 * ignores context keys that were set before. So done steps are stored and reported again when a tab opens that may be
 * the walkthrough.
 */
export function registerTour(globalState: vscode.Memento): vscode.Disposable {
  const done = new Set(globalState.get<readonly TourStep[]>(doneKey, []));
  const report = async (step: TourStep) => {
    await vscode.commands.executeCommand("setContext", keys[step], true);
    await vscode.commands.executeCommand("setContext", keys[step], undefined);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand(tourCommand, async (step: TourStep) => {
      if (!done.has(step)) await globalState.update(doneKey, [...done.add(step)]);
      await report(step);
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      // The API has no type for the tab of a walkthrough.
      if ([...opened, ...changed].some(({ input }) => input === undefined))
        for (const step of done) void report(step);
    }),
  );
}
