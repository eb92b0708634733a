import * as vscode from "vscode";
import { augmentation } from "../../../api/price.ts";
import { ask } from "../../../platform/ask.ts";
import { formatUsd } from "../../../shared/formatUsd.ts";
import { findUrls, typedUrls } from "./findUrls.ts";

/** The addresses of a text, each once. */
function urlsIn(text: string): string[] {
  return [...new Set(findUrls(text).map(({ url }) => url))];
}

/** Asks which pages to read; what is selected, under the cursor or on the clipboard stands there already. */
export async function askUrls(isPlayMoney: boolean): Promise<readonly string[] | undefined> {
  const answer = await ask({
    title: "Scrape Web Pages",
    prompt: `One address or several, with spaces between. ${formatUsd(augmentation.usd, isPlayMoney)} for each page that is read.`,
    placeholder: "https://example.org/page",
    value: (await urlsAtHand()).join(" "),
    problem: (value) => typedUrls(value).problem,
  });
  return typeof answer === "object" ? typedUrls(answer.value).urls : undefined;
}

async function urlsAtHand(): Promise<readonly string[]> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor ? urlsIn(editor.document.getText(editor.selection)) : [];
  if (selected.length > 0) return selected;
  const at = editor?.selection.active;
  const line = editor && at ? findUrls(editor.document.lineAt(at.line).text) : [];
  const under = line.find(({ start, end }) => at && start <= at.character && at.character <= end);
  if (under) return [under.url];
  // A browser asks whether the clipboard may be read, and complains where it may not.
  if (vscode.env.uiKind === vscode.UIKind.Web) return [];
  const copied = (await vscode.env.clipboard.readText()).trim();
  return copied.length <= 8_000 ? urlsIn(copied).slice(0, 20) : [];
}
