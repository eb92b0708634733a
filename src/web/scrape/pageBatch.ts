import * as vscode from "vscode";
import { statusText } from "../../api/endpoint.ts";
import { augment } from "../../api/endpoints/augment.ts";
import { augmentation } from "../../api/money/price.ts";
import { ask } from "../../platform/editor/dialogs/ask.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { citableUrl, sentUrl } from "../../shared/web/sentUrl.ts";
import { type UrlProblem, urlProblemAt } from "../../shared/web/urlProblem.ts";
import type { Batch, BatchDeps } from "../bulk/batch.ts";
import { pageTitle } from "../writing.ts";
import { findUrls, typedUrls } from "./findUrls.ts";

/** Web pages to read as Markdown. */
export async function pageBatch(
  { session, store }: BatchDeps,
  all: readonly string[],
): Promise<Batch<string>> {
  const { root } = await session.client({ kind: "web" });
  const urls = [...new Set(all.map((url) => sentUrl(url) ?? url))];
  const problems = new Map(urls.map((url) => [url, urlProblemAt(root, url)]));
  const items = urls.filter((url) => !problems.get(url));
  return {
    items,
    nameOf: (url) => url,
    rejected: [...problems].flatMap(([url, problem]) =>
      problem ? [{ name: url, reason: `Not sent: ${problem.sentence}` }] : [],
    ),
    showRejected: ({ name: url }) => showRejected(url, problems.get(url)),
    price: priceOf(items),
    title: items.length === 1 ? `Reading ${items[0]}` : `Reading ${items.length} pages`,
    failedTitle: "Pages not read",
    call: async (url, client, signal) => {
      const { content, url: read } = await (await client()).api.augment.scrape({ url }, { signal });
      const address = citableUrl(read) ?? url;
      return store.add({ kind: "page", url: address, title: pageTitle(content, address) }, content);
    },
  };
}

function priceOf(urls: readonly string[]) {
  const { status } = augment.scrape;
  const common = {
    action: "scrape" as const,
    button: "Read",
    usd: augmentation.usd,
    count: urls.length,
    status,
  };
  if (urls.length === 1) return { ...common, title: "Read this page", detail: urls[0] ?? "" };
  return { ...common, title: `Read ${urls.length} pages` };
}

async function showRejected(url: string, problem: UrlProblem | undefined): Promise<void> {
  if (!problem) return;
  const open = "Open in Browser";
  const buttons = problem.kind === "invalid" ? [] : [open];
  const sentence = withoutLinks(`Nothing was sent. ${problem.sentence}`);
  const answer = await vscode.window.showWarningMessage(sentence, ...buttons);
  if (answer === open) await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** Asks which pages to read. URLs of the selection, under the cursor or on the clipboard are filled in. */
export async function askUrls(isPlayMoney: boolean): Promise<readonly string[] | undefined> {
  const answer = await ask({
    title: `Scrape Web Pages${statusText(augment.scrape)}`,
    prompt: `One address, or several separated by spaces. ${formatUsd(augmentation.usd, isPlayMoney)} for each page that is read.`,
    placeholder: "https://example.org/page",
    value: (await suggestedUrls()).join(" "),
    problem: (value) => typedUrls(value).problem,
  });
  return typeof answer === "object" ? typedUrls(answer.value).urls : undefined;
}

async function suggestedUrls(): Promise<readonly string[]> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor ? urlsIn(editor.document.getText(editor.selection)) : [];
  if (selected.length > 0) return selected;
  const at = editor?.selection.active;
  const line = editor && at ? findUrls(editor.document.lineAt(at.line).text) : [];
  const under = line.find(({ start, end }) => at && start <= at.character && at.character <= end);
  if (under) return [under.url];
  // A browser would ask for permission to read the clipboard, and fail without it.
  if (vscode.env.uiKind === vscode.UIKind.Web) return [];
  const copied = (await vscode.env.clipboard.readText()).trim();
  return copied.length <= 8_000 ? urlsIn(copied).slice(0, 20) : [];
}

/** The distinct URLs of a text. */
function urlsIn(text: string): string[] {
  return [...new Set(findUrls(text).map(({ url }) => url))];
}
