import {
  addKnownCells,
  type CellAction,
  type CellEdit,
  type CellKind,
  type NotebookCell,
} from "../../../../changes/engine/notebooks/cellPlan.ts";
import { isNotebookPath, shownCell, shownCells } from "../../../../changes/engine/notebooks/notebookText.ts";
import type { AgentWriter, CellsChange } from "../../../../changes/engine/pendingChanges.ts";
import type { KnownTexts } from "../../../../changes/engine/records/knownTexts.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";
import { asking, questionOf } from "./editTools.ts";

const actions: readonly CellAction[] = ["replace", "insert_before", "insert_after", "delete"];
const kinds: readonly CellKind[] = ["code", "markdown", "raw"];
/** Lines of each changed cell that the result shows. */
const maxShownLines = 40;
const maxShownLength = 4_000;

/** The tool that changes cells of notebooks. `knownTo` are the texts that the model of a call has read. */
export function createNotebookTool(
  writer: () => Promise<AgentWriter>,
  knownTo: (context: CallContext) => KnownTexts,
  onRunChanged: () => void,
): ChatTool {
  return {
    ...builtIn("edit_notebook", "Edit a notebook", "edit"),
    ...asking("path"),
    description:
      "Changes cells of a notebook (.ipynb, or any open one). Read it first. All edits name the cells as they were before the call.",
    parameters: toolSchema({
      path: { type: "string", minLength: 1 },
      edits: {
        type: "array",
        minItems: 1,
        maxItems: 200,
        items: toolSchema(
          {
            action: { type: "string", enum: actions },
            cell: { type: "string", description: "Its number or id; 0 with insert_after: the start." },
            old_text: { type: "string", description: "Exactly and once in the cell; all of it if absent." },
            new_text: { type: "string" },
            kind: { type: "string", enum: kinds },
          },
          ["old_text", "new_text", "kind"],
        ),
      },
    }),
    summary(input) {
      const { length } = editsIn(input);
      return `Edit ${length > 1 ? `${length} cells` : "a cell"} of ${inputText(input, "path")}`;
    },
    async run(input, signal, context) {
      const path = inputText(input, "path");
      const known = knownTo(context);
      const done = await (await writer()).editCells(path, editsIn(input), signal, { known });
      context.changed([done.change]);
      if (done.change.before === done.change.after) return `${path} has these cells already.`;
      if (questionOf(input, ["path"]) !== undefined) onRunChanged();
      return resultText(path, done);
    },
  };
}

function editsIn({ edits }: ToolInput): readonly CellEdit[] {
  return (Array.isArray(edits) ? (edits as readonly ToolInput[]) : []).map((one) => ({
    action: actions.find((action) => action === one.action) ?? "replace",
    cell: inputText(one, "cell"),
    oldText: typeof one.old_text === "string" ? one.old_text : undefined,
    newText: typeof one.new_text === "string" ? one.new_text : undefined,
    kind: kinds.find((kind) => kind === one.kind),
  }));
}

function resultText(path: string, { edited, count, hasSavedTyped }: CellsChange): string {
  const saved = hasSavedTyped ? " Cells that the user had typed and not saved were saved before." : "";
  const shown = edited.map(({ index, cell }) => shortened(shownCell(cell, index)));
  return [
    `Changed ${path}, which has ${count} cell${count === 1 ? "" : "s"} now.${saved} The user reviews the change and can reject it.`,
    ...shown,
  ].join("\n\n");
}

function shortened(cell: string): string {
  const lines = cell.split("\n");
  const kept = lines.slice(0, maxShownLines).join("\n").slice(0, maxShownLength);
  return kept.length < cell.length ? `${kept}\n… (the rest of the cell is as it was written)` : kept;
}

/** A tool that changes files as texts, and says for a notebook by what its cells are changed. */
export function withNotebookHint(tool: ChatTool): ChatTool {
  const { run } = tool;
  if (!run) return tool;
  return {
    ...tool,
    async run(input, signal, context) {
      try {
        return await run(input, signal, context);
      } catch (error) {
        if (!(error instanceof Refusal) || !isNotebookPath(inputText(input, "path"))) throw error;
        throw new Refusal(`${error.message} It is a notebook: change its cells with edit_notebook.`);
      }
    },
  };
}

/** A model that has read this text of a notebook knows its cells, unless they have changed since. */
export async function addReadCells(
  path: string,
  text: string,
  cellsOf: (path: string) => Promise<readonly NotebookCell[] | undefined>,
  known: KnownTexts,
): Promise<void> {
  const cells = await cellsOf(path).catch(() => undefined);
  if (cells && shownCells(path, cells) === text) addKnownCells(known, path, cells.entries());
}
