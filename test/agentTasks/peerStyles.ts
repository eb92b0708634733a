// The same tasks with the tools of other agents.
import { type Style, toolCall } from "./styles.ts";
import type { Action } from "./task.ts";

const common = { model: "m", isParallel: true, joinsEdits: false, says: () => "" } as const;

export const openCode: Style = {
  ...common,
  name: "OpenCode",
  call(action, folder) {
    const filePath = "path" in action ? `${folder}/${action.path}` : "";
    switch (action.do) {
      case "read":
        return toolCall("read", { filePath });
      case "search":
        return toolCall("grep", { pattern: action.text });
      case "edit":
        return toolCall("edit", { filePath, ...replacement(action, "oldString", "newString") });
      case "write":
        return toolCall("write", { filePath, content: action.text });
      case "run":
        return toolCall("bash", { command: action.command, description: "Runs it" });
      default:
        throw unknownAction(action);
    }
  },
};

export const cline: Style = {
  ...common,
  name: "Cline",
  call(action, folder) {
    const path = "path" in action ? `${folder}/${action.path}` : "";
    switch (action.do) {
      case "read":
        return toolCall("read_files", { files: [{ path }] });
      case "search":
        return toolCall("search_codebase", { queries: [action.text] });
      case "edit":
        return toolCall("editor", { path, ...replacement(action, "old_text", "new_text") });
      case "write":
        return toolCall("editor", { path, new_text: action.text });
      case "run":
        return toolCall("run_commands", { commands: [action.command] });
      default:
        throw unknownAction(action);
    }
  },
};

export const claudeCode: Style = {
  ...common,
  name: "Claude Code",
  call(action, folder) {
    const file_path = "path" in action ? `${folder}/${action.path}` : "";
    switch (action.do) {
      case "read":
        return toolCall("Read", { file_path });
      case "search":
        return toolCall("Bash", { command: `grep -rn -- ${action.text} .`, description: "Searches" });
      case "edit":
        return toolCall("Edit", { file_path, ...replacement(action, "old_string", "new_string") });
      case "write":
        return toolCall("Write", { file_path, content: action.text });
      case "run":
        return toolCall("Bash", { command: action.command, description: "Runs it" });
      default:
        throw unknownAction(action);
    }
  },
};

/** Codex does all by commands. */
export const codex: Style = {
  ...common,
  name: "Codex",
  call: (action) => toolCall("exec_command", { cmd: commandOf(action) }),
};

function commandOf(action: Action): string {
  switch (action.do) {
    case "read":
      return `cat ${action.path}`;
    case "search":
      return `rg -n ${action.text}`;
    case "edit": {
      const lines = action.edits.flatMap(({ from, to }) => ["@@", `-${from}`, `+${to}`]);
      return patchCommand([`*** Update File: ${action.path}`, ...lines]);
    }
    case "write":
      return patchCommand([
        `*** Add File: ${action.path}`,
        ...action.text
          .trimEnd()
          .split("\n")
          .map((line) => `+${line}`),
      ]);
    case "run":
      return action.command;
    default:
      throw unknownAction(action);
  }
}

function patchCommand(lines: readonly string[]): string {
  return ["apply_patch <<'PATCH'", "*** Begin Patch", ...lines, "*** End Patch", "PATCH"].join("\n");
}

/** An agent whose edits have one place each. */
function replacement(
  { path, edits }: Extract<Action, { readonly do: "edit" }>,
  oldName: string,
  newName: string,
): Readonly<Record<string, string>> {
  const [edit] = edits;
  if (!edit || edits.length > 1) throw new Error(`an edit of ${path} has one place`);
  return { [oldName]: edit.from, [newName]: edit.to };
}

function unknownAction(action: Action): Error {
  return new Error(`no peer does ${action.do}`);
}
