import * as vscode from "vscode";
import { augmentation } from "../../../api/price.ts";
import { ask } from "../../../platform/ask.ts";
import { hasService, sayFailure } from "../../../session/readiness.ts";
import type { Client } from "../../../session/session.ts";
import { formatUsd } from "../../../shared/formatUsd.ts";
import { type UrlProblem, urlProblemAt } from "../../../shared/urlProblem.ts";
import { withoutLinks } from "../../../shared/withoutLinks.ts";
import { type BatchDeps, runBatch } from "../batch.ts";
import { pageTitle } from "../writing.ts";
import { findUrls, typedUrls } from "./findUrls.ts";

export interface ScrapeController {
  /** Reads these pages; asks which where none are named. */
  scrape(urls: readonly string[]): Promise<void>;
}

interface Refused {
  readonly url: string;
  readonly problem: UrlProblem;
}

const failedTitle = "Pages not read";

export function createScrapeController(deps: BatchDeps): ScrapeController {
  const { session, store, failures } = deps;
  const call = async (url: string, client: Client, signal: AbortSignal) => {
    const { content } = await client.api.augment.scrape({ url }, { signal });
    return store.add({ kind: "page", url, title: pageTitle(content, url) }, content);
  };
  const judge = async (urls: readonly string[]) => {
    const { root } = await session.client();
    const problems = urls.map((url) => ({ url, problem: urlProblemAt(root, url) }));
    return {
      good: problems.flatMap(({ url, problem }) => (problem ? [] : [url])),
      refused: problems.flatMap(({ url, problem }) => (problem ? [{ url, problem }] : [])),
    };
  };
  const run = async (urls: readonly string[]): Promise<void> => {
    const { good, refused } = await judge(urls);
    const [only] = refused;
    if (only && urls.length === 1) return sayRefused(only);
    const rows = refused.map(({ url, problem }) => ({ name: url, reason: `Not sent: ${problem.sentence}` }));
    if (good.length === 0) return failures.show({ title: failedTitle, rows });
    await runBatch(deps, {
      items: good,
      nameOf: (url) => url,
      refused: rows,
      price: priceOf(good),
      title: good.length === 1 ? `Reading ${good[0]}` : `Reading ${good.length} pages`,
      failedTitle,
      call,
      retry: scrape,
    });
  };
  const scrape = async (urls: readonly string[]): Promise<void> => {
    try {
      await run([...new Set(urls)]);
    } catch (error) {
      sayFailure(deps, error, () => scrape(urls));
    }
  };
  return {
    async scrape(urls) {
      if (!(await hasService(deps))) return;
      const asked = urls.length > 0 ? urls : await askUrls(deps.session.active?.kind === "sandbox");
      if (asked) await scrape(asked);
    },
  };
}

function priceOf(urls: readonly string[]) {
  const common = { action: "scrape", button: "Read", usd: augmentation.usd, count: urls.length };
  if (urls.length === 1) return { ...common, title: "Read this page", detail: urls[0] ?? "" };
  return { ...common, title: `Read ${urls.length} pages` };
}

async function sayRefused({ url, problem }: Refused): Promise<void> {
  const open = "Open in Browser";
  const buttons = problem.kind === "invalid" ? [] : [open];
  const sentence = withoutLinks(`Nothing was sent. ${problem.sentence}`);
  const answer = await vscode.window.showWarningMessage(sentence, ...buttons);
  if (answer === open) await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** The distinct URLs of a text. */
function urlsIn(text: string): string[] {
  return [...new Set(findUrls(text).map(({ url }) => url))];
}

/** Asks which pages to read. URLs of the selection, under the cursor or on the clipboard are filled in. */
async function askUrls(isPlayMoney: boolean): Promise<readonly string[] | undefined> {
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
  // A browser would ask for permission to read the clipboard, and fail without it.
  if (vscode.env.uiKind === vscode.UIKind.Web) return [];
  const copied = (await vscode.env.clipboard.readText()).trim();
  return copied.length <= 8_000 ? urlsIn(copied).slice(0, 20) : [];
}
