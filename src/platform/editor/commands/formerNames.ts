import * as vscode from "vscode";
import { formerCommands, formerSettings } from "../../../shared/names/formerNames.ts";

/** Keeps former names of commands and settings working. */
export function registerFormerNames(log: vscode.LogOutputChannel): vscode.Disposable {
  void moveFormerSettings(log);
  return registerFormerCommands();
}

/** Runs each command by its former ids, too, which key bindings of users may name. */
export function registerFormerCommands(): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(formerCommands).flatMap(([id, former]) =>
      former
        .split(" ")
        .map((name) =>
          vscode.commands.registerCommand(name, (...args: unknown[]) =>
            vscode.commands.executeCommand(id, ...args),
          ),
        ),
    ),
  );
}

/**
 * Moves the user's values of renamed settings to the new names. A value that the new name has already is kept. Values of
 * a workspace stay where they are: these settings have application scope, so they count there under neither name.
 * A value that can't be moved, since VS Code can't write the file, counts under its former name; see platform/settings.ts.
 */
export async function moveFormerSettings(log: Pick<vscode.LogOutputChannel, "info" | "warn">): Promise<void> {
  const moved: string[] = [];
  try {
    for (const [id, former] of Object.entries(formerSettings)) {
      const configuration = vscode.workspace.getConfiguration();
      const value = configuration.inspect(former)?.globalValue;
      if (value === undefined || value === null) continue;
      const isSet = configuration.inspect(id)?.globalValue !== undefined;
      // First the new name, so that the value is never lost.
      if (!isSet) await configuration.update(id, value, vscode.ConfigurationTarget.Global);
      await configuration.update(former, undefined, vscode.ConfigurationTarget.Global);
      moved.push(isSet ? `${former} → ${id}, which was set and is unchanged` : `${former} → ${id}`);
    }
  } catch (error) {
    log.warn(`Settings keep their former names until the next start: ${String(error)}`);
  }
  if (moved.length > 0) log.info(`Settings have new names: ${moved.join("; ")}`);
}
