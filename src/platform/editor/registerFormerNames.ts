import type * as vscode from "vscode";

/** Keeps former names of commands and settings working, from the moment after the activation, which must not wait. */
export function registerFormerNames(log: vscode.LogOutputChannel): vscode.Disposable {
  let registered: vscode.Disposable | undefined;
  const start = async () => {
    const { moveFormerSettings, registerFormerCommands } = await import("./formerNames.ts");
    registered = registerFormerCommands();
    await moveFormerSettings(log);
  };
  const starting = setImmediate(() => void start());
  return {
    dispose() {
      clearImmediate(starting);
      registered?.dispose();
    },
  };
}
