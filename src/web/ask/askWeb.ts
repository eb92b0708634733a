import * as vscode from "vscode";
import { augment } from "../../api/endpoints/augment.ts";
import { augmentation } from "../../api/money/price.ts";
import { type Step, withProgress } from "../../platform/editor/dialogs/progress.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { readSettings } from "../../platform/settings.ts";
import type { ChatAttachment } from "../../session/connection/handoff.ts";
import { focusChat } from "../../session/focusChat.ts";
import { type ChosenModel, requestedModel } from "../../session/requestModel.ts";
import type { Client } from "../../session/session.ts";
import { confirmPrice } from "../../session/spend/confirmPrice.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { resultScheme } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { shortened } from "../../shared/text/shortened.ts";
import { choosePages } from "../../shared/web/choosePages.ts";
import { excerptFor } from "../../shared/web/passages.ts";
import { citableUrl } from "../../shared/web/sentUrl.ts";
import type { BatchDeps } from "../bulk/batch.ts";
import { failureWords, withoutPassword } from "../bulk/failureTable.ts";
import { runMany } from "../bulk/runMany.ts";
import type { SearchHit, StoredResult, StoredSearch } from "../results/storedResult.ts";
import { providerInUse } from "../search/providers.ts";
import { queryProblem } from "../search/searchQuery.ts";
import { hitSite, toHits } from "../search/toHits.ts";
import { shortQuery } from "../search/webSearch.ts";
import { fileNameOfTitle, pageTitle } from "../writing.ts";
import { askPrice, excerptLength, mostPages } from "./askPrice.ts";

type StoredPage = Extract<StoredResult, { kind: "page" }>;

/** A search that is this old is asked for again. */
const freshMs = 3_600_000;
const mostConcurrent = 3;

/**
 * Searches, reads the best pages and has the chat answer from them, within a price that is agreed to before. What is stored
 * is not paid for again. Throws ApiError if the search fails.
 */
export async function askTheWeb(deps: BatchDeps, question: string): Promise<void> {
  const problem = queryProblem(question);
  if (problem) return void vscode.window.showWarningMessage(withoutLinks(problem));
  const client = await deps.session.client({ kind: "web" });
  const model = await requestedModel(client, deps.chosenModels, new AbortController().signal);
  const stored = await storedSearch(deps, question);
  const { usd, parts } = askPrice(model, stored !== undefined);
  const card = providerInUse(client.dialect.id);
  const isAgreed = await confirmPrice(deps, {
    action: "ask",
    title: "Ask the web",
    button: "Ask",
    usd,
    isUpper: true,
    status: augment.search.status,
    detail: `It is for: ${parts}. Pages that are stored cost nothing.\n${card.label} searches. ${card.detail}`,
  });
  if (!isAgreed) return;
  const reading = new Reading(deps, question);
  const title = `Asking the web: “${shortQuery(question)}”`;
  const isWhole = await withProgress(title, (signal, report) => reading.read(stored, signal, report));
  deps.results.refresh();
  if (!isWhole) return reading.sayStopped(() => askTheWeb(deps, question));
  if (reading.pages.length === 0) return reading.sayNothingRead();
  reading.sayFailed();
  await answerFrom(deps, { question, model, pages: reading.pages, hits: reading.hits });
}

async function storedSearch(
  { store, session }: BatchDeps,
  question: string,
): Promise<StoredSearch | undefined> {
  // Addresses of the sandbox change with each start.
  if (session.active?.kind === "sandbox") return undefined;
  const all = await store.list();
  return all.find(
    (result): result is StoredSearch =>
      result.kind === "search" && result.query === question && result.atMs > Date.now() - freshMs,
  );
}

/** What was read for a question, what was not, and what was paid. */
class Reading {
  readonly pages: StoredPage[] = [];
  hits: readonly SearchHit[] = [];
  readonly #deps: BatchDeps;
  readonly #question: string;
  readonly #failed: { readonly url: string; readonly error: unknown }[] = [];
  #searches = 0;
  #read = 0;

  constructor(deps: BatchDeps, question: string) {
    this.#deps = deps;
    this.#question = question;
  }

  /** False if the user stopped it. What was read until then is kept. */
  async read(
    stored: StoredSearch | undefined,
    signal: AbortSignal,
    report: (step: Step) => void,
  ): Promise<boolean> {
    const { session, store } = this.#deps;
    const client = await session.client({ kind: "web" });
    report({ message: "searching" });
    const search = stored ?? (await this.#search(client, signal));
    if (!search) return false;
    this.hits = choosePages(search.hits, client.root, mostPages);
    const urls = this.hits.map(({ url }) => url);
    const { earlier, unread } = await store.pagesOf(urls);
    const found = earlier.filter((page) => page.kind === "page");
    const { failed, left } = await runMany({
      items: unread,
      concurrency: mostConcurrent,
      signal,
      run: async (url) => void found.push(await this.#page(client, url, signal)),
      report: ({ ended }) =>
        report({ message: `reading pages, ${ended + earlier.length} of ${urls.length}` }),
    });
    this.#failed.push(...failed.map(({ item, error }) => ({ url: item, error })));
    const rank = ({ asked, url }: StoredPage) => urls.indexOf(asked ?? url);
    this.pages.push(...found.sort((one, two) => rank(one) - rank(two)));
    return left.length === 0 && !signal.aborted;
  }

  /** Undefined if it was stopped. */
  async #search({ api }: Client, signal: AbortSignal): Promise<StoredSearch | undefined> {
    const { provider, limit } = readSettings().search;
    const query = this.#question;
    try {
      const reply = await api.augment.search({ query, limit, search_provider: provider }, { signal });
      this.#searches += 1;
      return await this.#deps.store.add({ kind: "search", query, provider, hits: toHits(reply.results) });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  async #page({ api }: Client, url: string, signal: AbortSignal): Promise<StoredPage> {
    const { content, url: read } = await api.augment.scrape({ url }, { signal });
    this.#read += 1;
    const address = citableUrl(read) ?? url;
    const title = pageTitle(content, address);
    return this.#deps.store.add({ kind: "page", url: address, asked: url, title }, content);
  }

  /** Says what was paid until the user stopped it, and offers to go on: what is stored is free then. */
  async sayStopped(goOn: () => Promise<void>): Promise<void> {
    const again = "Ask Again";
    const pages = this.#read === 1 ? "1 page" : `${this.#read} pages`;
    const what = [this.#searches > 0 ? "the search" : "", this.#read > 0 ? pages : ""].filter(Boolean);
    const paid =
      what.length === 0
        ? "Nothing is known to be charged."
        : `${this.#paidText} was paid for ${what.join(" and ")}, which ${what.length + this.#read > 1 ? "are" : "is"} stored.`;
    const sentence = `Stopped before the answer. ${paid} A request that was on its way may be charged, too.`;
    if ((await vscode.window.showInformationMessage(sentence, again)) === again) await goOn();
  }

  get #paidText(): string {
    const usd = (this.#searches + this.#read) * augmentation.usd;
    return formatUsd(usd, this.#deps.session.active?.kind === "sandbox");
  }

  sayNothingRead(): void {
    const reason =
      this.hits.length === 0
        ? `Nothing was found for “${shortQuery(this.#question)}” that can be read.`
        : `None of the pages could be read: ${this.#failures}`;
    const paid = this.#searches + this.#read > 0 ? ` ${this.#paidText} was paid.` : "";
    void vscode.window.showWarningMessage(withoutLinks(`${reason}${paid} Ask in other words.`));
  }

  /** Names the pages that were skipped. */
  sayFailed(): void {
    const { length } = this.#failed;
    if (length === 0) return;
    for (const { url, error } of this.#failed) this.#deps.log.error(withoutPassword(url), String(error));
    const rest = this.pages.length === 1 ? "the other page" : `the other ${this.pages.length}`;
    const subject = length === 1 ? "1 page was" : `${length} pages were`;
    const sentence = `${subject} not read, and the answer is from ${rest}: ${this.#failures}`;
    void vscode.window.showWarningMessage(withoutLinks(sentence));
  }

  get #failures(): string {
    const service = this.#deps.session.active?.name ?? "The service";
    return this.#failed
      .map(
        ({ url, error }) =>
          failureWords(url, error) ?? `${hitSite(url)}: ${explain(error, { service }).sentence}`,
      )
      .join(" ");
  }
}

interface Answering {
  readonly question: string;
  readonly model: ChosenModel;
  readonly pages: readonly StoredPage[];
  readonly hits: readonly SearchHit[];
}

/** Has the chat answer in a new conversation, from what of the pages fits the question. */
async function answerFrom(
  { store, handoff }: BatchDeps,
  { question, model, pages, hits }: Answering,
): Promise<void> {
  const length = excerptLength(model);
  const attached = await Promise.all(
    pages.map(async (page): Promise<ChatAttachment> => {
      const text = excerptFor((await store.text(page.id)) ?? "", question, length);
      const hit = hits.find(({ url }) => url === (page.asked ?? page.url));
      return sourceOf(page, hit, text);
    }),
  );
  await focusChat();
  handoff.offer({ text: question, send: true, attachments: attached });
}

const longestTitle = 120;

function sourceOf(page: StoredPage, hit: SearchHit | undefined, text: string): ChatAttachment {
  const { id, url } = page;
  // A page without a heading has its address as its title.
  const title = shortened((page.title.startsWith(hitSite(url)) && hit?.title) || page.title, longestTitle);
  const path = `/${id}/all/${fileNameOfTitle(page.title, "md")}`;
  const stored = vscode.Uri.from({ scheme: resultScheme, path }).toString();
  const date = hit?.date ?? "";
  const lines = text.split("\n").length;
  return {
    kind: "selection",
    uri: stored,
    name: title,
    languageId: "markdown",
    range: { startLine: 0, startCharacter: 0, endLine: lines - 1, endCharacter: 0 },
    text,
    source: { url, title, stored, ...(date === "" ? {} : { date }) },
  };
}
