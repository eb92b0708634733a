import * as vscode from "vscode";
import { statusText } from "../../api/endpoint.ts";
import { augment } from "../../api/endpoints/augment.ts";
import { augmentation } from "../../api/money/price.ts";
import { ask } from "../../platform/editor/dialogs/ask.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { shortened } from "../../shared/text/shortened.ts";
import { citableUrl, sentUrl } from "../../shared/web/sentUrl.ts";
import { type UrlProblem, urlProblemAt } from "../../shared/web/urlProblem.ts";
import { type Batch, type BatchDeps, mostOpened } from "../bulk/batch.ts";
import { withoutPassword } from "../bulk/failureTable.ts";
import type { StoredResult } from "../results/storedResult.ts";
import { pageTitle } from "../writing.ts";
import { badLines, findUrls, typedUrls } from "./findUrls.ts";

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
    nameOf: withoutPassword,
    rejected: [...problems].flatMap(([url, problem]) =>
      problem ? [{ name: withoutPassword(url), reason: `Not sent: ${problem.sentence}` }] : [],
    ),
    showRejected: () => showRejected(urls[0] ?? "", problems.get(urls[0] ?? "")),
    plural: "pages",
    price: priceOf(items),
    title: items.length === 1 ? `Reading ${items[0]}` : `Reading ${items.length} pages`,
    failedTitle: "Pages not read",
    call: async (url, client, signal, atMs) => {
      const { content, url: read } = await (await client()).api.augment.scrape({ url }, { signal });
      const address = citableUrl(read) ?? url;
      return store.add(
        { kind: "page", url: address, asked: url, title: pageTitle(content, address) },
        content,
        atMs,
      );
    },
  };
}

/** Opens pages that are stored, which costs nothing, and offers to read them again. */
export async function openStored(
  { results, session }: Pick<BatchDeps, "results" | "session">,
  pages: readonly StoredResult[],
  readAgain: () => unknown,
): Promise<void> {
  const [first] = pages;
  if (!first) return;
  if (pages.length > mostOpened) await results.reveal(first);
  else for (const result of pages) await results.open({ type: "result", result });
  const usd = formatUsd(augmentation.usd * pages.length, session.active?.kind === "sandbox");
  const again = `Read Again (${usd})`;
  const subject = pages.length === 1 ? "This page was" : `${pages.length} pages were`;
  const when = new Date(first.atMs).toLocaleString();
  const sentence = `${subject} read before (${when}). The stored text was opened, and nothing was charged.`;
  if ((await vscode.window.showInformationMessage(sentence, again)) === again) await readAgain();
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
  // A list is long to stop, also with play money.
  return { ...common, title: `Read ${urls.length} pages`, alwaysAsks: urls.length > mostOpened };
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
  const { urls, note } = await suggestedUrls();
  const answer = await ask({
    title: `Scrape Web Pages${statusText(augment.scrape)}`,
    prompt: `${note}One address, or several separated by spaces. ${formatUsd(augmentation.usd, isPlayMoney)} for each page that is read.`,
    placeholder: "https://example.org/page",
    value: urls.join(" "),
    problem: (value) => typedUrls(value).problem,
  });
  return typeof answer === "object" ? typedUrls(answer.value).urls : undefined;
}

interface Suggested {
  readonly urls: readonly string[];
  /** Names the lines of a list that are no addresses of pages. Empty without any. */
  readonly note: string;
}

async function suggestedUrls(): Promise<Suggested> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor ? suggested(editor.document.getText(editor.selection)) : none;
  if (selected.urls.length > 0) return selected;
  const at = editor?.selection.active;
  const line = editor && at ? findUrls(editor.document.lineAt(at.line).text) : [];
  const under = line.find(({ start, end }) => at && start <= at.character && at.character <= end);
  if (under) return { urls: [under.url], note: "" };
  // A browser would ask for permission to read the clipboard, and fail without it.
  if (vscode.env.uiKind === vscode.UIKind.Web) return none;
  const copied = (await vscode.env.clipboard.readText()).trim();
  return copied.length <= mostCopied ? suggested(copied) : none;
}

const none: Suggested = { urls: [], note: "" };
const mostCopied = 8_000;

/** The distinct URLs of a text. */
function suggested(text: string): Suggested {
  const bad = badLines(text).map((line) => `“${shortened(withoutPassword(line), 40)}”`);
  const isOne = bad.length === 1;
  const named = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const note =
    bad.length === 0 ? "" : `Left out: ${named} ${isOne ? "is no web address" : "are no web addresses"}. `;
  return { urls: [...new Set(findUrls(text).map(({ url }) => url))], note };
}
