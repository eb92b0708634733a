import * as vscode from "vscode";
import { pickLines, plainLine } from "../../../../platform/editor/dialogs/pickLines.ts";
import { readSettings } from "../../../../platform/settings.ts";
import { agreePrice, type PriceDeps, priceWords } from "../../../../session/spend/confirmPrice.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import { isConsentDue, toPriceQuestion } from "../../../toolConsent.ts";
import type { Approve, CallConsent } from "./callRunner.ts";

type Answer = "once" | "client" | "no";

/** Asks the user in this window, one question at a time. Approvals of one client do not count for another. */
export function createApprovals(deps: PriceDeps): Approve {
  const questions = new SerialQueue();
  return async (consent, signal, onAsk) => {
    const isDue = () => isConsentDue(deps, consent, consent.question);
    if (!isDue()) return true;
    onAsk();
    return questions.run(async () => {
      // The answer to an earlier question may have covered this one.
      if (signal.aborted || !isDue()) return !signal.aborted;
      const asked = deps.session.active;
      const price = toPriceQuestion(consent, consent.question);
      const answer = await showQuestion(consent, priceWords(deps, price), signal);
      if (answer === "client") await agreePrice(deps, asked, price);
      return answer !== "no";
    });
  };
}

/** Time in which an Enter still belongs to typed text. */
const afterTypingMs = 1_000;

interface AnswerItem extends vscode.QuickPickItem {
  readonly answer?: Answer;
}

/** A quick pick, because it can be closed when the client cancels; a dialog can't. */
async function showQuestion(
  { client, tool, question }: CallConsent,
  words: ReturnType<typeof priceWords>,
  signal: AbortSignal,
): Promise<Answer> {
  const pick = vscode.window.createQuickPick<AnswerItem>();
  pick.title = plainLine(`MCP client ${client} asks: ${tool.title}`);
  pick.placeholder = plainLine(`${words.title}?`);
  pick.ignoreFocusOut = true;
  pick.items = questionItems(question, words);
  // Text that was meant for the editor must not choose an item. It moves the focus to an item with these letters until
  // the value is empty again, so an Enter soon after it counts for nothing.
  let typedAtMs = Number.NEGATIVE_INFINITY;
  pick.onDidChangeValue((value) => {
    if (value === "") return;
    typedAtMs = performance.now();
    pick.value = "";
  });
  try {
    return await new Promise<Answer>((resolve) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        const isTyped = performance.now() - typedAtMs < afterTypingMs;
        if (item?.answer && !isTyped) resolve(item.answer);
      });
      pick.onDidHide(() => resolve("no"));
      signal.addEventListener("abort", () => resolve("no"), { once: true });
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function questionItems(
  { asks, button, summary, details }: CallConsent["question"],
  { paid }: ReturnType<typeof priceWords>,
): AnswerItem[] {
  const canRemember = asks === "price" && readSettings().askPrice === "firstUse";
  const always: AnswerItem[] = canRemember
    ? [
        {
          label: "$(check-all) Allow for This Client",
          description: "No question again for up to 10 cents, or this price",
          answer: "client",
        },
      ]
    : [];
  // The first one is the default, which a stray Enter chooses.
  return [
    { label: "$(close) Refuse", description: "Nothing is sent", answer: "no" },
    { label: "$(check) Allow", description: button, answer: "once" },
    ...always,
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...pickLines([summary, paid, ...details]).map((line) => ({ label: line, alwaysShow: true })),
  ];
}
