import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The root of this clone. */
export const root = resolve(import.meta.dirname, "../..");

/** Where profiles and other throw-away state of editors live, ignored by git. */
export const editorState = join(root, ".vscode-test");

/** Where test runs leave bundles, reports and screenshots, ignored by git. */
export const results = join(root, "test-results");

/** Files that outlive a clone (VS Code itself), so that the next clone need not fetch them again. */
export function cacheDirectory(): string {
  const directory = join(userCache(), "inference-workbench");
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return editorState; // a read-only home: keep it beside what @vscode/test-electron would cache
  }
}

function userCache(): string {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  if (process.platform === "win32" && process.env.LOCALAPPDATA) return process.env.LOCALAPPDATA;
  return join(homedir(), ".cache");
}
