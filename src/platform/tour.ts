import * as vscode from "vscode";
import { contexts } from "../shared/ids.ts";

const keys = {
  answered: contexts.tourAnswered,
  edited: contexts.tourEdited,
  found: contexts.tourFound,
  painted: contexts.tourPainted,
  ran: contexts.tourRan,
};

/** Ticks the step of the first tour that speaks of this; the editor remembers it. */
export function tickTour(step: keyof typeof keys): void {
  void vscode.commands.executeCommand("setContext", keys[step], true);
}
