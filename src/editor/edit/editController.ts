import * as vscode from "vscode";
import { StagedChange } from "../../changes/engine/staged/stagedChange.ts";
import type { StagedDiffs } from "../../changes/review/stagedDiffs.ts";
import { tickTour } from "../../platform/editor/tour.ts";
import { hasService, maySend } from "../../session/sandbox/readiness.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { EditorParts } from "../deps.ts";
import { refuseEdit } from "../limits.ts";
import { type EditTarget, findTarget } from "../target/findTarget.ts";
import { type EditAction, editInstructions, proseInstructions, translationInto } from "../target/prompts.ts";
import { lossIn, type ProposedEdit } from "./edit.ts";
import {
  agreesToLoss,
  agreesToPartial,
  askInstruction,
  askLanguage,
  type Marked,
  offerChat,
  refuseReadOnly,
} from "./editDialogs.ts";
import { markTarget, rangeText } from "./markTarget.ts";
import { OpenEdits } from "./openEdits.ts";
import { editTitles, requestEdit } from "./requestEdit.ts";

/** Edits that are requested. The review decides them. */
export interface EditController extends vscode.Disposable {
  /** Requests an edit of the selection. Resolves when the answer has ended. */
  start(action: EditAction, instruction?: unknown): Promise<void>;
  /** Sends the request again with the current text; the user may change the instruction. */
  again(instruction?: unknown): Promise<void>;
  /** Aborts running requests; received text can still be reviewed. */
  stop(): void;
}

export function createEditController(deps: EditorParts, staged: StagedDiffs): EditController {
  const edits = new OpenEdits(staged);
  const request = (edit: ProposedEdit) => requestEdit(deps, edits, edit);
  return {
    async start(action, given) {
      const target = await findTarget();
      if (typeof target === "string") return void vscode.window.showInformationMessage(withoutLinks(target));
      const { document, range, name } = target;
      const text = document.getText(range);
      if (action !== "edit" && text.trim() === "")
        return void vscode.window.showInformationMessage("There is no text at the cursor.");
      const refused = refuseReadOnly(document, name) ?? refuseEdit(text.length);
      if (refused) return void offerChat(refused);
      const edit = toEdit(action, target, { edits, request });
      // From here on the range follows the document, also while the user types the instruction.
      edits.add(edit);
      const mark = markTarget(document, range);
      try {
        edit.instruction ||= (await askWhat(edit, given, "")) ?? "";
        if (edit.instruction !== "" && (await hasService(deps)) && (await maySend(name))) await request(edit);
        else edits.close(edit);
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
  return { where: rangeText(edit.staged.lines, edit.name), isProse: edit.isProse };
}

function instructionOf(action: EditAction, isProse: boolean): string {
  if (action === "edit") return "";
  if (action === "document") return editInstructions.document;
  return action === "fix" && !isProse ? editInstructions.fix : proseInstructions[action];
}

interface Requests {
  readonly edits: OpenEdits;
  readonly request: (edit: ProposedEdit) => Promise<void>;
}

function toEdit(
  action: EditAction,
  { document, range, name, isProse }: EditTarget,
  { edits, request }: Requests,
): ProposedEdit {
  const staged = new StagedChange({
    kind: "edit",
    uri: document.uri,
    document,
    range: { start: document.offsetAt(range.start), end: document.offsetAt(range.end) },
    title: `${name}: ${editTitles[action]}`,
    viewColumn: vscode.window.activeTextEditor?.viewColumn,
    mayWrite: (text, isAll) => mayWrite(edit, text, isAll),
    onAccepted: () => tickTour("edited"),
    onDropped: () => edits.forget(edit),
    askAgain: () => request(edit),
  });
  const edit: ProposedEdit = {
    action,
    // Whoever shortens or translates a comment of code means its words.
    isProse: isProse || !["fix", "document", "edit"].includes(action),
    instruction: instructionOf(action, isProse),
    name,
    document,
    staged,
    answer: "",
    state: "partial",
    abort: new AbortController(),
  };
  return edit;
}

/** Asks before an edit is written that is partial or leaves out code. */
async function mayWrite(edit: ProposedEdit, text: string, isAll: boolean): Promise<boolean> {
  if (isAll && edit.state === "partial") return agreesToPartial();
  const loss = lossIn(edit, text);
  return loss === undefined || agreesToLoss(loss);
}
