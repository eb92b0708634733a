import * as vscode from "vscode";
import { readSettings } from "../../platform/settings.ts";
import { agreePrice, type PriceDeps, priceWords } from "../../session/confirmPrice.ts";
import { isConsentDue, toPrice } from "../../session/tools/toolConsent.ts";
import { visibleLine } from "../../shared/visibleText.ts";
import type { Approve, Consent } from "./callRunner.ts";

type Answer = "once" | "client" | "no";

/** Asks the user in this window, one question at a time. Approvals of one client do not count for another. */
export function createApprovals(deps: PriceDeps): Approve {
  let last: Promise<unknown> = Promise.resolve();
  return async (consent, signal, onAsk) => {
    const named = { ...consent.tool, name: `mcp.${consent.client}.${consent.tool.name}` };
    const isDue = () => isConsentDue(deps, named, consent.question);
    if (!isDue()) return true;
    onAsk();
    const mine = last.then(async () => {
      // The answer to an earlier question may have covered this one.
      if (signal.aborted || !isDue()) return !signal.aborted;
      const price = toPrice(named.name, consent.question);
      const answer = await showQuestion(consent, priceWords(deps, price), signal);
      if (answer === "client") await agreePrice(deps, price);
      return answer !== "no";
    });
    last = mine.catch(() => {});
    return mine;
  };
}

interface AnswerItem extends vscode.QuickPickItem {
  readonly answer?: Answer;
}

/** A quick pick, because it can be closed when the client cancels; a dialog can't. */
async function showQuestion(
  { client, tool, question }: Consent,
  words: ReturnType<typeof priceWords>,
  signal: AbortSignal,
): Promise<Answer> {
  const pick = vscode.window.createQuickPick<AnswerItem>();
  pick.title = plain(`MCP client ${client} asks: ${tool.title}`);
  pick.placeholder = plain(`${words.title}?`);
  pick.ignoreFocusOut = true;
  pick.items = questionItems(client, question, words);
  // Text that was meant for the editor must not choose an item.
  pick.onDidChangeValue(() => {
    pick.value = "";
  });
  try {
    return await new Promise<Answer>((resolve) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.answer) resolve(item.answer);
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
  client: string,
  { asks, button, summary, details }: Consent["question"],
  { paid }: ReturnType<typeof priceWords>,
): AnswerItem[] {
  const canRemember = asks === "price" && readSettings().askPrice === "firstUse";
  const always: AnswerItem[] = canRemember
    ? [
        {
          label: "$(check-all) Allow for This Client",
          description: plain(`${client} may repeat it for up to 10 cents, or this price, without a question`),
          answer: "client",
        },
      ]
    : [];
  const lines = [summary, paid, ...details].flatMap((text) => text.split("\n")).flatMap(wrap);
  const shown = lines.slice(0, maxLines);
  if (lines.length > shown.length) shown.push(`${lines.length - shown.length} more lines are not shown`);
  // The first one is the default, which a stray Enter chooses.
  return [
    { label: "$(close) Refuse", description: "Nothing is sent", answer: "no" },
    { label: "$(check) Allow", description: button, answer: "once" },
    ...always,
    { label: "Request", kind: vscode.QuickPickItemKind.Separator },
    ...shown.map((line) => ({ label: plain(line), alwaysShow: true })),
  ];
}

const maxLines = 200;
/** Characters that a line of a quick pick shows. */
const lineLength = 84;

/** Lines that end after a space if there is one in their second half. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && lines.length <= maxLines; ) {
    const space = text.lastIndexOf(" ", start + lineLength);
    const isWhole = text.length - start <= lineLength;
    const end = isWhole ? text.length : space > start + lineLength / 2 ? space + 1 : start + lineLength;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** Foreign text in a quick pick: hidden characters are shown, and `$(name)` is not an icon. */
function plain(text: string): string {
  return visibleLine(text).replaceAll("$(", "$ (");
}
