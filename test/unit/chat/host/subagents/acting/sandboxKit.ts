// Workspaces whose subagents have commands in the real sandbox of this machine.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { CommandSandbox } from "../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import { installBubblewrap } from "../../../../../tools/installBubblewrap.ts";
import { cacheDirectory } from "../../../../../tools/paths.ts";
import { editor } from "../../../../changes/editorModel.ts";
import { openWorkspace, type Workspace } from "./actingKit.ts";

await installBubblewrap();

// Not in the folder of temporary files, which the sandbox does not show.
mkdirSync(cacheDirectory(), { recursive: true });
/** All workspaces are in it. */
export const base = realpathSync(mkdtempSync(join(cacheDirectory(), "subagents-")));
export const sandboxDeps = {
  isWanted: () => true,
  workspaceFolders: () => [editor.root],
  writableFolders: () => [],
  hidden: [],
};
const sandbox = new CommandSandbox(sandboxDeps);
after(() => sandbox.dispose());
// Disposed objects may still write to it after their test.
process.once("exit", () => rmSync(base, { recursive: true, force: true }));
/** Whether the sandbox works here. */
export const { isOn } = await sandbox.ready();

export function openSandboxed(files: Readonly<Record<string, string | Uint8Array>>, at = ""): Workspace {
  return openWorkspace(files, at, { base: mkdtempSync(join(base, "w-")), sandbox });
}
