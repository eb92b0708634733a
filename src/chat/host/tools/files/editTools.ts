import { questionAbout } from "../../../../changes/engine/files/fileRisk.ts";
import type { AgentWriter, FileChange, WriteOptions } from "../../../../changes/engine/pendingChanges.ts";
import type { KnownTexts } from "../../../../changes/engine/records/knownTexts.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import type { CallContext, ChatTool } from "../tool.ts";
import { builtIn } from "../tool.ts";
import { EditReport, type ProblemsBefore } from "./editReport.ts";

const path = { type: "string", minLength: 1, description: "Path relative to the workspace, with /." };
const pendingNote = "The user reviews the change and can reject it.";

const unsavedNote = "It is not saved, because the user has unsaved text in it.";

/**
 * Tools that change files. `knownTo` are the texts that the model of a call has read. `onRunChanged`: a file has
 * changed about which the user is asked. `problems` are those that a change makes.
 */
export function createEditTools(
  writer: () => Promise<AgentWriter>,
  knownTo: (context: CallContext) => KnownTexts,
  onRunChanged: () => void,
  problems: ProblemsBefore,
): readonly ChatTool[] {
  const edit = createEdit(writer, knownTo, onRunChanged, problems);
  return [
    editFile(edit),
    {
      ...builtIn("write_file", "Write a file", "edit"),
      ...asking("path"),
      description: "Creates a text file, or replaces all of it. To change parts of a file use edit_file.",
      parameters: toolSchema({ path, text: { type: "string", description: "The whole text of the file." } }),
      summary: (input) => `Write ${inputText(input, "path")}`,
      run: (input, signal, context) =>
        edit(
          {
            context,
            signal,
            isRun: questionOf(input, ["path"]) !== undefined,
            done: `Wrote ${inputText(input, "path")}.`,
          },
          async (files, options) => [
            await files.write(inputText(input, "path"), inputText(input, "text"), signal, options),
          ],
        ),
    },
    {
      ...builtIn("move_file", "Move a file", "edit"),
      ...asking("from", "to"),
      description: "Moves or renames a file. The target must not exist.",
      parameters: toolSchema({ from: path, to: path }),
      summary: (input) => `Move ${inputText(input, "from")} to ${inputText(input, "to")}`,
      run: (input, signal, context) =>
        edit(
          {
            context,
            signal,
            isRun: questionOf(input, ["from", "to"]) !== undefined,
            done: `Moved ${inputText(input, "from")} to ${inputText(input, "to")}.`,
          },
          (files) => files.move(inputText(input, "from"), inputText(input, "to"), signal),
        ),
    },
    {
      ...builtIn("delete_file", "Delete a file", "edit"),
      ...asking("path"),
      description: "Deletes a file. The user can restore it.",
      parameters: toolSchema({ path }),
      summary: (input) => `Delete ${inputText(input, "path")}`,
      run: (input, signal, context) =>
        edit(
          {
            context,
            signal,
            isRun: questionOf(input, ["path"]) !== undefined,
            done: `Deleted ${inputText(input, "path")}.`,
          },
          async (files) => [await files.remove(inputText(input, "path"), signal)],
        ),
    },
  ];
}

/** A call that changes files. */
interface EditCall {
  readonly context: CallContext;
  readonly signal: AbortSignal;
  /** It changes a file that says what programs run. */
  readonly isRun: boolean;
  /** What it has done, as a sentence. */
  readonly done: string;
}

type Edit = (
  call: EditCall,
  work: (writer: AgentWriter, options: WriteOptions) => Promise<readonly FileChange[]>,
) => Promise<string>;

/** Makes the changes of a call, and says what they are. */
function createEdit(...[writer, knownTo, onRunChanged, problems]: Parameters<typeof createEditTools>): Edit {
  return async ({ context, signal, isRun, done }, work) => {
    const report = new EditReport(problems.since(context));
    const changes = await work(await writer(), { known: knownTo(context), onWritten: report.noted });
    context.changed(changes);
    const isSame = changes.every(({ before, after }) => before === after);
    if (isRun && !isSame) onRunChanged();
    const isUnsaved = changes.some(({ savedAfter }) => savedAfter !== undefined);
    const said = isSame
      ? "Nothing was changed: the file has this content already."
      : [done, ...(isUnsaved ? [unsavedNote] : []), pendingNote].join(" ");
    context.written();
    const now = await report.text(signal);
    return now === "" ? said : `${said}\n${now}`;
  };
}

function editFile(edit: Edit): ChatTool {
  return {
    ...builtIn("edit_file", "Edit a file", "edit"),
    ...asking("path"),
    description:
      "Changes parts of a text file. Each edit replaces old_text, which must be exactly in the file, and once unless all is true. Read the file first. Edits are applied in order; if one can't be applied, none is.",
    parameters: toolSchema({
      path,
      edits: {
        type: "array",
        minItems: 1,
        maxItems: 200,
        items: toolSchema(
          {
            old_text: { type: "string", minLength: 1, description: "The exact text, with its white space." },
            new_text: { type: "string" },
            all: { type: "boolean", description: "Replaces every occurrence." },
          },
          ["all"],
        ),
      },
    }),
    summary(input) {
      const { length } = editsIn(input);
      return `Edit ${inputText(input, "path")}${length > 1 ? ` in ${length} places` : ""}`;
    },
    run: (input, signal, context) =>
      edit(
        {
          context,
          signal,
          isRun: questionOf(input, ["path"]) !== undefined,
          done: `Changed ${inputText(input, "path")}.`,
        },
        async (files, options) => [
          await files.edit(inputText(input, "path"), editsIn(input), signal, options),
        ],
      ),
  };
}

/** A file that makes programs run asks, and can be allowed for a task by its path. `names` are the parameters with paths. */
export function asking(...names: readonly string[]): Pick<ChatTool, "question" | "scopes"> {
  return {
    question: (input) => questionOf(input, names),
    scopes: (input) =>
      questionOf(input, names) === undefined ? undefined : names.map((name) => inputText(input, name)),
  };
}

export function questionOf(input: ToolInput, names: readonly string[]): string | undefined {
  return names.map((name) => questionAbout(inputText(input, name))).find((one) => one !== undefined);
}

function editsIn({ edits }: ToolInput) {
  return (Array.isArray(edits) ? (edits as readonly ToolInput[]) : []).map((one) => ({
    oldText: inputText(one, "old_text"),
    newText: inputText(one, "new_text"),
    all: one.all === true,
  }));
}
