import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { hasService, maySend } from "../../session/sandbox/readiness.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { EditorParts } from "../deps.ts";
import { refuseEdit } from "../limits.ts";
import { type EditTarget, findTarget } from "../target/findTarget.ts";
import { type EditAction, editInstructions, proseInstructions, translationInto } from "../target/prompts.ts";
import { type ProposedEdit, rangeOf } from "./edit.ts";
import { askInstruction, askLanguage, type Marked, offerChat, refuseReadOnly } from "./editDialogs.ts";
import { markTarget, rangeText } from "./markTarget.ts";
import { OpenEdits } from "./openEdits.ts";
import { requestEdit } from "./requestEdit.ts";
import { createEditReview, type EditReview } from "./reviewEdit.ts";

/** Edits that are requested, or wait for the user's decision. */
export interface EditController extends EditReview, vscode.Disposable {
  /** Requests an edit of the selection. Resolves when the answer has ended. */
  start(action: EditAction, instruction?: unknown): Promise<void>;
  /** Sends the request again with the current text; the user may change the instruction. */
  again(instruction?: unknown): Promise<void>;
  /** Aborts running requests; received text can still be reviewed. */
  stop(): void;
}

export function createEditController(deps: EditorParts): EditController {
  const edits = new OpenEdits();
  const request = (edit: ProposedEdit) => requestEdit(deps, edits, edit);
  return {
    ...createEditReview(edits, request),
    async start(action, given) {
      const target = await findTarget();
      if (typeof target === "string") return void vscode.window.showInformationMessage(withoutLinks(target));
      const { document, range, name } = target;
      const text = document.getText(range);
      if (action !== "edit" && text.trim() === "")
        return void vscode.window.showInformationMessage("There is no text at the cursor.");
      const refused = refuseReadOnly(document, name) ?? refuseEdit(text.length);
      if (refused) return void offerChat(refused);
      const edit = toEdit(action, target);
      // From here on the range follows the document, also while the user types the instruction.
      edits.add(edit);
      const mark = markTarget(document, range);
      try {
        edit.instruction ||= (await askWhat(edit, given, "")) ?? "";
        if (edit.instruction !== "" && (await hasService(deps)) && (await maySend(name))) await request(edit);
        else edits.remove(edit);
      } finally {
        mark.dispose();
      }
    },
    async again(given) {
      const edit = edits.active;
      const instruction = edit && (await askInstruction(given, edit.instruction, markedIn(edit)));
      // The diff may have been closed while the user typed the instruction.
      if (!edit || instruction === undefined || !edits.has(edit)) return;
      edit.instruction = instruction;
      await request(edit);
    },
    stop: () => edits.stop(),
    dispose: () => edits.dispose(),
  };
}

/** Asks for the instruction of an action that has none of its own. */
async function askWhat(edit: ProposedEdit, given: unknown, earlier: string): Promise<string | undefined> {
  if (edit.action !== "translate") return askInstruction(given, earlier, markedIn(edit));
  const language = await askLanguage(given, markedIn(edit));
  return language && translationInto(language);
}

function markedIn(edit: ProposedEdit): Marked {
  return { where: rangeText(rangeOf(edit), edit.name), isProse: edit.isProse };
}

function instructionOf(action: EditAction, isProse: boolean): string {
  if (action === "edit") return "";
  if (action === "document") return editInstructions.document;
  return action === "fix" && !isProse ? editInstructions.fix : proseInstructions[action];
}

function toEdit(action: EditAction, { document, range, name, isProse }: EditTarget): ProposedEdit {
  return {
    id: randomUUID(),
    action,
    // Whoever shortens or translates a comment of code means its words.
    isProse: isProse || !["fix", "document", "edit"].includes(action),
    instruction: instructionOf(action, isProse),
    name,
    viewColumn: vscode.window.activeTextEditor?.viewColumn,
    document,
    range: { start: document.offsetAt(range.start), end: document.offsetAt(range.end) },
    original: document.getText(range),
    earlier: new Set(),
    answer: "",
    proposed: undefined,
    state: "partial",
    abort: new AbortController(),
  };
}
