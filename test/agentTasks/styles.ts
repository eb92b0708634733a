// How families of models write their calls. Each uses the names and members that it was trained on, among the tools of this
// extension.
import type { Action } from "./task.ts";

export interface ModelCall {
  readonly name: string;
  /** The arguments as the model writes them, which need not be JSON. */
  readonly arguments: string;
}

export interface Style {
  readonly name: string;
  /** The id of its model. */
  readonly model: string;
  /** False if it writes one call in each reply. */
  readonly isParallel: boolean;
  /** True if its tool takes several edits of a file in one call. */
  readonly joinsEdits: boolean;
  /** Text before its calls, such as reasoning between tags. */
  says(actions: readonly Action[]): string;
  call(action: Action, folder: string): ModelCall;
}

export function toolCall(name: string, input: object): ModelCall {
  return { name, arguments: JSON.stringify(input) };
}

/** Absolute paths, ranges, descriptions, milliseconds. */
export const claude: Style = {
  name: "Claude",
  model: "claude-frontier",
  isParallel: true,
  joinsEdits: true,
  says: () => "",
  call(action, folder) {
    const file_path = "path" in action ? `${folder}/${action.path}` : "";
    switch (action.do) {
      case "read":
        return toolCall("read_file", { file_path, ...rangeOf(action) });
      case "search":
        return toolCall("search_workspace", { pattern: action.text, path: folder, output_mode: "content" });
      case "edit": {
        const edits = action.edits.map(({ from, to }) => ({ old_string: from, new_string: to }));
        const [edit] = edits;
        return edits.length === 1
          ? toolCall("edit_file", { file_path, ...edit, replace_all: action.isEverywhere === true })
          : toolCall("edit_file", { file_path, edits });
      }
      case "write":
        return toolCall("write_file", { file_path, content: action.text });
      case "run":
        return toolCall("run_command", {
          command: action.command,
          description: "Runs it",
          ...(action.isInBackground ? { run_in_background: true } : { timeout: 60_000 }),
        });
      default:
        return own(action);
    }
  },
};

/** Patches, and one command line for all else. */
export const gpt: Style = {
  name: "GPT",
  model: "gpt-5-codex",
  isParallel: true,
  joinsEdits: false,
  says: () => "",
  call(action, folder) {
    switch (action.do) {
      case "read":
        return toolCall("read_file", { path: `./${action.path}`, ...rangeOf(action) });
      case "search":
        return toolCall("search_workspace", { query: action.text });
      case "edit":
        return toolCall("apply_patch", { input: patchOf(action.path, action.edits) });
      case "write":
        return toolCall("apply_patch", {
          input: [
            "*** Begin Patch",
            `*** Add File: ${action.path}`,
            ...action.text
              .replace(/\n$/, "")
              .split("\n")
              .map((line) => `+${line}`),
            "*** End Patch",
          ].join("\n"),
        });
      case "run":
        return toolCall("run_command", {
          command: action.command,
          workdir: folder,
          ...(action.isInBackground ? { background: true } : { timeout_ms: 60_000 }),
        });
      default:
        return own(action);
    }
  },
};

/** One call a reply after reasoning between tags, texts with raw line breaks, numbers as text. */
export const local: Style = {
  name: "small local model",
  model: "local/qwen-coder-7b",
  isParallel: false,
  joinsEdits: true,
  says: (actions) => (actions.length > 0 ? "<think>\nThe next step.\n</think>\n" : ""),
  call(action) {
    switch (action.do) {
      case "read":
        return toolCall("read_file", {
          path: action.path,
          ...Object.fromEntries(Object.entries(rangeOf(action)).map(([key, value]) => [key, String(value)])),
        });
      case "search":
        return toolCall("search_workspace", { query: action.text, regex: null });
      case "edit":
        return raw("edit_file", {
          path: action.path,
          edits: action.edits.map(({ from, to }) => ({
            old_text: from,
            new_text: to,
            ...(action.isEverywhere ? { all: "true" } : {}),
          })),
        });
      case "write":
        return raw("write_file", { path: action.path, text: action.text });
      case "run":
        return toolCall("run_command", {
          command: action.command,
          ...(action.isInBackground ? { background: "true" } : { timeout_seconds: "60" }),
        });
      default:
        return own(action);
    }
  },
};

/** Tools that no family was trained on: all write what their descriptions say. */
function own(action: Action): ModelCall {
  switch (action.do) {
    case "output":
      return toolCall("read_command_output", { id: action.id });
    case "stop":
      return toolCall("stop_command", { id: action.id });
    case "rest":
      return toolCall("read_result", { handle: action.handle, query: action.query });
    default:
      throw new Error(`${action.do} has a style`);
  }
}

/** Line breaks and tabs in texts are not escaped. */
function raw(name: string, input: object): ModelCall {
  const text = JSON.stringify(input);
  return { name, arguments: text.replaceAll("\\n", "\n").replaceAll("\\t", "\t") };
}

function rangeOf({ first, lines }: { readonly first?: number; readonly lines?: number }) {
  return {
    ...(first === undefined ? {} : { offset: first }),
    ...(lines === undefined ? {} : { limit: lines }),
  };
}

function patchOf(path: string, edits: readonly { readonly from: string; readonly to: string }[]): string {
  const signed = (sign: string, text: string) => text.split("\n").map((line) => `${sign}${line}`);
  return [
    "*** Begin Patch",
    `*** Update File: ${path}`,
    ...edits.flatMap(({ from, to }) => ["@@", ...signed("-", from), ...signed("+", to)]),
    "*** End Patch",
  ].join("\n");
}
