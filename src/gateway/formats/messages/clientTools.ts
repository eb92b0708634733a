import type { Members } from "../../../shared/members.ts";

/** The description and the inputs of a tool that a request names by its type alone. */
export interface ClientTool {
  readonly description: string;
  readonly parameters: Members;
}

const text = (description: string) => ({ type: "string", description });
const path = text("Absolute path of a file or a folder.");
const lineNumber = {
  type: "integer",
  description: "The line after which the text is inserted; 0 is the beginning.",
};
const lines = {
  type: "array",
  items: { type: "integer" },
  description:
    "For `view` of a file: the first and the last line, counted from 1; -1 is the end of the file.",
};
const replaced = {
  old_str: text("For `str_replace`: the text to replace, which must be in the file exactly once."),
  new_str: text("For `str_replace`: the new text. Without it the old text is removed."),
};
const created = text("For `create`: the content of the file.");

function commands(names: readonly string[], properties: Members, required: readonly string[]): Members {
  const command = { type: "string", enum: names, description: "What to do." };
  return { type: "object", properties: { command, ...properties }, required: ["command", ...required] };
}

const bash: ClientTool = {
  description:
    "Runs a command in a bash session that stays open between calls. Its output and its errors are the result.",
  parameters: {
    type: "object",
    properties: {
      command: text("The command to run. It is needed unless the session is restarted."),
      restart: { type: "boolean", description: "True to restart the session." },
    },
  },
};

const edits = ["view", "create", "str_replace", "insert"] as const;
const editorWords =
  "Views, creates and edits files. `view` shows a file with line numbers or lists a folder, `create` writes a new file, `str_replace` replaces a text, `insert` adds a text after a line.";

/** Older versions can take the last edit back, and name the inserted text as the replacing one. */
const olderEditor: ClientTool = {
  description: `${editorWords} \`undo_edit\` takes back the last edit of a file.`,
  parameters: commands(
    [...edits, "undo_edit"],
    {
      path,
      view_range: lines,
      file_text: created,
      old_str: replaced.old_str,
      new_str: text("For `str_replace`: the new text. For `insert`: the text to insert."),
      insert_line: lineNumber,
    },
    ["path"],
  ),
};

const inserted = text("For `insert`: the text to insert.");
const editor: ClientTool = {
  description: editorWords,
  parameters: commands(
    edits,
    {
      path,
      view_range: lines,
      file_text: created,
      ...replaced,
      insert_line: lineNumber,
      insert_text: inserted,
    },
    ["path"],
  ),
};

const memory: ClientTool = {
  description:
    "Keeps what is to be remembered as files below /memories. Look there with `view` before a task, and write down what later conversations need. `delete` removes a file or a folder, `rename` moves one.",
  parameters: commands(
    [...edits, "delete", "rename"],
    {
      path: text("The file or folder, which begins with /memories. Needed by all commands but `rename`."),
      view_range: lines,
      file_text: created,
      ...replaced,
      insert_line: lineNumber,
      insert_text: inserted,
      old_path: text("For `rename`: the file or folder to move."),
      new_path: text("For `rename`: its new path."),
    },
    [],
  ),
};

const tools: Readonly<Record<string, ClientTool>> = {
  bash_20241022: bash,
  bash_20250124: bash,
  text_editor_20241022: olderEditor,
  text_editor_20250124: olderEditor,
  text_editor_20250429: editor,
  text_editor_20250728: editor,
  memory_20250818: memory,
};

/**
 * A tool of Anthropic's that the client itself runs. Its models know the input of such a type; others are told it. The inputs
 * are those that Anthropic documents. Undefined for other types.
 */
export function clientTool(type: string): ClientTool | undefined {
  return Object.hasOwn(tools, type) ? tools[type] : undefined;
}

/** Begins the types of further tools that clients run, of which a model would have to be trained for. */
const trained = /^(?:bash|text_editor|memory|computer|browser)_/;

/** Why a tool of this type can't be offered, after its path. */
export function whyNoTool(type: string): string {
  const named = JSON.stringify(type.slice(0, 50));
  return trained.test(type)
    ? `can't be ${named}: the client runs it, but only models of Anthropic know its input. Offer it as a tool with an input_schema`
    : `can't be ${named}, which only Anthropic runs; leave it out`;
}
