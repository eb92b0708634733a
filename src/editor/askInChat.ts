import * as vscode from "vscode";
import { focusChat } from "../session/focusChat.ts";
import { hasService, maySend } from "../session/sandbox/readiness.ts";
import { withoutLinks } from "../shared/text/html/withoutLinks.ts";
import type { EditorDeps } from "./deps.ts";
import { refuseAsk } from "./limits.ts";
import { findTarget } from "./target/findTarget.ts";
import { actingQuestions, type ChatAction, chatQuestions, proseQuestion } from "./target/prompts.ts";

/** Opens the chat with the selection. The question is sent at once, or left in the prompt for editing. */
export async function askInChat(deps: EditorDeps, action: ChatAction): Promise<void> {
  const target = await findTarget();
  if (typeof target === "string") return void vscode.window.showInformationMessage(withoutLinks(target));
  const { document, range, name, isProse } = target;
  const text = document.getText(range);
  if (text.trim() === "") return void vscode.window.showInformationMessage("There is no text at the cursor.");
  const refused = refuseAsk(text.length);
  if (refused) return void vscode.window.showWarningMessage(withoutLinks(refused));
  // Checked first, because an offer waits for a service and would be sent much later.
  if (!(await hasService(deps)) || !(await maySend(name))) return;
  // The view first, so that the prompt has the focus when the question arrives.
  await focusChat();
  const { start, end } = range;
  const isText = isProse && action === "explain";
  const byMode = isText ? undefined : actingQuestions[action];
  deps.handoff.offer({
    text: isText ? proseQuestion : chatQuestions[action],
    ...(byMode ? { byMode } : {}),
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
