import * as vscode from "vscode";
import { augmentation } from "../../../api/price.ts";
import { withProgress } from "../../../platform/progress.ts";
import { readSettings } from "../../../platform/settings.ts";
import { confirmPrice } from "../../../session/confirmPrice.ts";
import { hasService, sayFailure } from "../../../session/readiness.ts";
import { withoutLinks } from "../../../shared/withoutLinks.ts";
import type { AugmentDeps } from "../deps.ts";
import type { ResultController } from "../resultController.ts";
import type { ResultStore } from "../resultStore.ts";
import { askQuery } from "./askQuery.ts";
import { chooseProvider, providerInUse } from "./providers.ts";
import { queryProblem, toQuery } from "./searchQuery.ts";
import { toHits } from "./toHits.ts";

export interface SearchController {
  /** Searches for a text as it is; asks for the query where none is given. */
  search(query: unknown): Promise<void>;
  /** Asks for the query, starting from a text. */
  ask(start: string): Promise<void>;
}

export interface SearchControllerDeps extends AugmentDeps {
  readonly store: ResultStore;
  readonly results: ResultController;
}

export function createSearchController(deps: SearchControllerDeps): SearchController {
  const { session, store, results } = deps;
  const run = async (query: string): Promise<void> => {
    const { provider, limit } = readSettings().search;
    const card = providerInUse((await session.client()).dialect.id);
    const detail = `${card.label} searches. ${card.detail}`;
    const price = {
      action: "search",
      title: "Search the web",
      button: "Search",
      usd: augmentation.usd,
      detail,
    };
    if (!(await confirmPrice(deps, price))) return;
    const stored = await withProgress(`Searching the web for “${short(query)}”`, async (signal) => {
      const { api } = await session.client();
      const reply = await api.augment.search({ query, limit, search_provider: provider }, { signal });
      return store.add({ kind: "search", query, provider, hits: toHits(reply.results) });
    });
    await results.reveal(stored);
    if (stored.kind === "search" && stored.hits.length === 0)
      void vscode.window.showInformationMessage(withoutLinks(`Nothing was found for “${short(query)}”.`));
  };
  const search = async (query: string): Promise<void> => {
    const problem = queryProblem(query);
    if (problem) return void vscode.window.showWarningMessage(withoutLinks(problem));
    try {
      await run(query);
    } catch (error) {
      sayFailure(deps, error, () => search(query));
    }
  };
  const ask = async (start: string): Promise<void> => {
    const { id: dialect } = (await session.client()).dialect;
    const { label: name, detail: privacy } = providerInUse(dialect);
    const stored = await store.list();
    const answer = await askQuery({
      value: start,
      earlier: stored.filter((one) => one.kind === "search"),
      provider: { name, privacy },
      limit: readSettings().search.limit,
      usd: augmentation.usd,
      isPlayMoney: session.active?.kind === "sandbox",
      nowMs: Date.now(),
    });
    if (answer?.type === "search") await search(answer.query);
    if (answer?.type === "open") await results.reveal(answer.kept);
    if (answer?.type === "provider") {
      await chooseProvider(dialect);
      await ask(answer.typed);
    }
  };
  const askFromHere = async () => {
    try {
      await ask(selectedText());
    } catch (error) {
      sayFailure(deps, error, askFromHere);
    }
  };
  return {
    ask,
    async search(query) {
      if (!(await hasService(deps))) return;
      if (typeof query === "string") await search(toQuery(query));
      else await askFromHere();
    },
  };
}

function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : "";
}

const shortCharacters = 60;

function short(query: string): string {
  return query.length > shortCharacters ? `${query.slice(0, shortCharacters)}…` : query;
}
