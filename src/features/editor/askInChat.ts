import * as vscode from "vscode";
import { focusChat, hasService, maySend } from "../../session/readiness.ts";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import type { EditorDeps } from "./deps.ts";
import { findTarget } from "./findTarget.ts";
import { refuseAsk } from "./limits.ts";
import { type ChatAction, chatQuestions } from "./prompts.ts";

/** Opens the chat with the selection, its question sent at once unless it is still to be typed. */
export async function askInChat(deps: EditorDeps, action: ChatAction): Promise<void> {
  const target = await findTarget();
  if (typeof target === "string") return void vscode.window.showInformationMessage(withoutLinks(target));
  const { document, range, name } = target;
  const text = document.getText(range);
  if (text.trim() === "") return void vscode.window.showInformationMessage("There is no text at the cursor.");
  const refused = refuseAsk(text.length);
  if (refused) return void vscode.window.showWarningMessage(withoutLinks(refused));
  // Before anything is handed over: an offer that waits for a service would be sent when nobody thinks of it any more.
  if (!(await hasService(deps)) || !(await maySend(name))) return;
  // The view first: a question that waits in its box then finds the box in focus.
  await focusChat();
  const { start, end } = range;
  deps.handoff.offer({
    text: chatQuestions[action],
    send: action !== "ask",
    attachments: [
      {
        kind: "selection",
        uri: document.uri.toString(),
        name,
        languageId: document.languageId,
        range: {
          startLine: start.line,
          startCharacter: start.character,
          endLine: end.line,
          endCharacter: end.character,
        },
        text,
      },
    ],
  });
}
