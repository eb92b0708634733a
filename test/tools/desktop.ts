import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { KnownFailure } from "./progress.ts";

/** The program of an installed desktop VS Code: `VSCODE_PATH`, else the one that `code` on PATH belongs to. */
export function desktopProgram(): string {
  const named = process.env.VSCODE_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new KnownFailure(`VSCODE_PATH names ${named}, and there is no such file.`);
  }
  const script = process.platform === "win32" ? "code.cmd" : "code";
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, script))
    .filter((path) => existsSync(path))
    .flatMap((path) => programsOf(dirname(realpathSync(path))))
    .find((path) => existsSync(path));
  if (found) return found;
  throw new KnownFailure(
    "No desktop VS Code found on PATH. Name its program: VSCODE_PATH=/path/to/code npm start -- --desktop",
  );
}

/** `code` is a script that exits and leaves its window open. The program itself can be ended. */
function programsOf(bin: string): string[] {
  if (process.platform === "win32") return [join(bin, "..", "Code.exe")];
  if (process.platform !== "darwin") return [join(bin, "..", "code")];
  return ["Code", "Electron"].map((name) => join(bin, "../../../MacOS", name));
}
