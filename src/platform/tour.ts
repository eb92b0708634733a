import * as vscode from "vscode";
import { contexts, tourCommand } from "../shared/ids.ts";

const keys = {
  connected: contexts.tourConnected,
  answered: contexts.tourAnswered,
  edited: contexts.tourEdited,
  found: contexts.tourFound,
  painted: contexts.tourPainted,
  ran: contexts.tourRan,
};
export type TourStep = keyof typeof keys;

/** Says that what a step of the first tour speaks of has happened. */
export function tickTour(step: TourStep): void {
  void vscode.commands.executeCommand(tourCommand, step);
}

const doneKey = "tour.done";

/**
 * Ticks the steps of the first tour. The editor listens only once the tour was opened, and never hears of a context key
 * that was set by then: what has happened is kept, and told again in a tab that may be the tour.
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
      // The tour is a tab of which the API tells nothing.
      if ([...opened, ...changed].some(({ input }) => input === undefined))
        for (const step of done) void report(step);
    }),
  );
}
