import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readTextIfThere, writeDurably } from "../../../../platform/files/durable/durableFile.ts";
import {
  type LinkTool,
  linkEnvironment,
  linkFolder,
  type OpenedWindow,
  readOpenedWindow,
} from "../../../../shared/mcpLink.ts";

/** The folder in which server processes find the open windows, the tools and their own code. */
export interface LinkFolder {
  readonly path: string;
  /** Path of the script that clients outside of the editor start; the same in each version. */
  readonly launcher: string;
  writeLauncher(): Promise<void>;
  writeTools(tools: readonly LinkTool[]): Promise<void>;
  writeWindow(name: string, window: OpenedWindow): Promise<void>;
  /** Synchronous, because a window that closes waits for nothing. */
  removeWindow(name: string): void;
  /** Removes the files of windows whose process has ended without removing them. */
  sweep(): Promise<void>;
}

/** `script`: absolute path of the bundle of the server process. */
export function createLinkFolder(path: string, script: string): LinkFolder {
  const windows = join(path, linkFolder.windows);
  const launcher = join(path, linkFolder.launcher);
  const fileOf = (name: string) => join(windows, `${name}.json`);
  return {
    path,
    launcher,
    writeLauncher: () => writeDurably(launcher, launcherCode(script)),
    writeTools: (tools) => writeDurably(join(path, linkFolder.tools), JSON.stringify(tools)),
    writeWindow: (name, window) => writeDurably(fileOf(name), JSON.stringify(window)),
    removeWindow: (name) => rmSync(fileOf(name), { force: true }),
    async sweep() {
      for (const name of await readdir(windows).catch(() => [])) {
        if (!name.endsWith(".json")) continue;
        const window = readOpenedWindow((await readTextIfThere(join(windows, name))) ?? "");
        if (!window || !isRunning(window.pid)) await rm(join(windows, name), { force: true });
      }
    },
  };
}

/** Clients keep the path of this file, while that of the bundle changes with each version. */
function launcherCode(script: string): string {
  const path = JSON.stringify(script);
  return `// Written by Inference Workbench, again at each start.
process.env.${linkEnvironment.folder} = __dirname;
try {
  require(${path});
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  console.error("Inference Workbench was updated or removed. Open VS Code with it once.");
  process.exit(1);
}
`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Without the right to signal it, it exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
