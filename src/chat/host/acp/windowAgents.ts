import type { LazyChanges } from "../../../changes/engine/lazyChanges.ts";
import { createKnownTexts } from "../../../changes/engine/records/knownTexts.ts";
import { editorFiles } from "../../../tools/files/editorFiles.ts";
import { readOpenText, unsavedElsewhere } from "../../../tools/files/workspaceFiles.ts";
import { workspaceRoots } from "../../../tools/files/workspaceRoots.ts";
import { toWorkspacePath } from "../../../tools/input/workspacePath.ts";
import { saveUnsaved } from "../tools/commands/savedFirst.ts";
import { sweepAgentFolders } from "./agentProcess.ts";
import type { AgentWindow } from "./agentWindow.ts";

export interface WindowAgentsDeps
  extends Pick<AgentWindow, "places" | "session" | "storage" | "version" | "env"> {
  readonly changes: Pick<LazyChanges, "load">;
}

/** The files of this window and their changes, for agents. */
export function createWindowAgents({ changes, ...others }: WindowAgentsDeps): AgentWindow {
  void sweepAgentFolders(others.storage);
  return {
    ...others,
    saveUnsaved,
    files: {
      nameOf: (path) => toWorkspacePath(path, workspaceRoots()),
      read: (path) => readText(toWorkspacePath(path, workspaceRoots())),
    },
    changes: () => changes.load(),
    known: createKnownTexts(),
  };
}

/** The text alone: an agent writes back what it has read. */
async function readText(path: string): Promise<string> {
  const text = await readOpenText(editorFiles, path);
  const note = unsavedElsewhere(path);
  return text.startsWith(note) ? text.slice(note.length) : text;
}
