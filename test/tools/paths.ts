import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The root of this clone. */
export const root = resolve(import.meta.dirname, "../..");

/** Profiles and other temporary state of editors; ignored by git. */
export const editorState = join(root, ".vscode-test");

/** Bundles, reports and screenshots of test runs; ignored by git. */
export const results = join(root, "test-results");

/** Files that outlive a clone (VS Code itself), so that another clone need not download them again. */
export function cacheDirectory(): string {
  const directory = join(userCache(), "inference-workbench");
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return editorState; // the home folder is read-only
  }
}

function userCache(): string {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  if (process.platform === "win32" && process.env.LOCALAPPDATA) return process.env.LOCALAPPDATA;
  return join(homedir(), ".cache");
}
