/** The permissions of a chat's model: `ask` answers, `plan` reads and writes a plan, `agent` changes files and runs commands. */
export const chatModes = ["ask", "plan", "agent"] as const;
export type ChatMode = (typeof chatModes)[number];

/**
 * The effect of a call. `read` reads the workspace, `plan` changes the plan of the chat, `edit` changes files of the workspace
 * as pending hunks, `command` runs programs, `network` sends a billed request.
 */
export const toolKinds = ["read", "plan", "edit", "command", "network"] as const;
export type ToolKind = (typeof toolKinds)[number];

/** Limits of one task, from its question to the answer without calls. */
export interface TaskLimits {
  readonly capUsd: number;
  readonly rounds: number;
  readonly minutes: number;
  /** Prompt and answers of all rounds. */
  readonly tokens: number;
}

export const defaultTaskLimits: TaskLimits = { capUsd: 1, rounds: 50, minutes: 60, tokens: 5_000_000 };

/** The kinds of calls that run without asking in a mode. */
export function unaskedKinds(mode: ChatMode, asksBeforeEdits: boolean): readonly ToolKind[] {
  if (mode === "ask") return [];
  return mode === "plan" || asksBeforeEdits ? ["read", "plan"] : ["read", "plan", "edit"];
}

/** Who defines a tool: this extension, a file of the workspace, a server of the user's files, the editor. */
export type ToolOrigin = "built-in" | "workspace" | "server" | "editor";

interface ModalTool {
  readonly name: string;
  readonly kind: ToolKind;
  readonly origin: ToolOrigin;
}

/** The tool that reads on in results that were cut. It gives nothing that was not sent before, so it goes with any other tool. */
export const readResultName = "read_result";

/** The tool that gives a part of a task to a subagent. It belongs to the modes that act. */
export const delegateName = "delegate";

/** The tools of a mode. `chosen` are the names that the user selected; selecting is needed for what costs money. */
export function toolsOfMode<Tool extends ModalTool>(
  tools: readonly Tool[],
  mode: ChatMode,
  chosen: readonly string[],
): readonly Tool[] {
  const offered = tools.filter((tool) => {
    if (tool.name === readResultName) return false;
    if (isSelectable(tool) && chosen.includes(tool.name)) return mode !== "plan" || tool.kind !== "command";
    if (tool.origin !== "built-in" || tool.kind === "network" || mode === "ask") return false;
    return mode === "agent" || tool.kind === "read" || tool.kind === "plan";
  });
  return tools.filter(
    (tool) => offered.includes(tool) || (tool.name === readResultName && offered.length > 0),
  );
}

/** True for a tool that can be selected in any mode; the others belong to the modes that act. */
export function isSelectable({ name, kind, origin }: ModalTool): boolean {
  if (name === readResultName) return false;
  return origin !== "built-in" || kind === "read" || kind === "network";
}
