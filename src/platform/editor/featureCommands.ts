import * as vscode from "vscode";
import type { Lazy } from "../lazy.ts";

/** Registers commands of a feature that is loaded when one of them runs. The table has their ids. */
export function registerFeatureCommands<Feature, Argument = unknown>(
  feature: Lazy<Feature>,
  table: Readonly<Record<string, (feature: Feature, ...args: NoInfer<Argument>[]) => unknown>>,
): vscode.Disposable {
  const registered = Object.entries(table).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (...args: Argument[]) => run(await feature.get(), ...args)),
  );
  return vscode.Disposable.from(...registered);
}

/** The files of a command in a menu of the explorer, which gives it the clicked one and all selected ones. */
export function chosenFiles(clicked: unknown, selected: unknown): readonly vscode.Uri[] {
  return (Array.isArray(selected) ? selected : [clicked]).filter((uri) => uri instanceof vscode.Uri);
}
