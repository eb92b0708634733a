import { augment } from "../../api/endpoints/augment.ts";
import { augmentation } from "../../api/money/price.ts";
import { withProgress } from "../../platform/editor/dialogs/progress.ts";
import { readSettings } from "../../platform/settings.ts";
import { confirmPrice, type PriceQuestion } from "../../session/spend/confirmPrice.ts";
import { shortened } from "../../shared/text/shortened.ts";
import { askPriceText } from "../ask/askQuestion.ts";
import type { BatchDeps } from "../bulk/batch.ts";
import type { StoredSearch } from "../results/storedResult.ts";
import { askQuery } from "./askQuery.ts";
import { chooseProvider, providerInUse } from "./providers.ts";
import { toHits } from "./toHits.ts";

/** Asks for a query, starting from a text. Resolves with a stored search if the user picked one, or with a question to answer. */
export async function chooseQuery(
  deps: BatchDeps,
  start: string,
): Promise<string | StoredSearch | { readonly question: string } | undefined> {
  const { session, store } = deps;
  const { id: dialect } = (await session.client({ kind: "web" })).dialect;
  const answerPrice = askPriceText(deps).catch(() => "");
  for (let value = start; ; ) {
    const { label: name, detail: privacy } = providerInUse(dialect);
    const answer = await askQuery({
      value,
      earlier: (await store.list()).filter((result) => result.kind === "search"),
      provider: { name, privacy },
      limit: readSettings().search.limit,
      usd: augmentation.usd,
      answerPrice,
      isPlayMoney: session.active?.kind === "sandbox",
      nowMs: Date.now(),
    });
    if (answer?.type === "search") return answer.query;
    if (answer?.type === "open") return answer.result;
    if (answer?.type === "ask") return { question: answer.question };
    if (!answer) return undefined;
    await chooseProvider(dialect);
    value = answer.typed;
  }
}

/** Runs and stores a search. Resolves with undefined if the user declines the price. */
export async function searchTheWeb(deps: BatchDeps, query: string): Promise<StoredSearch | undefined> {
  const { session, store } = deps;
  const { provider, limit } = readSettings().search;
  const card = providerInUse((await session.client({ kind: "web" })).dialect.id);
  const price: PriceQuestion = {
    action: "search",
    title: "Search the web",
    button: "Search",
    usd: augmentation.usd,
    status: augment.search.status,
    detail: `${card.label} searches. ${card.detail}`,
  };
  if (!(await confirmPrice(deps, price))) return undefined;
  return withProgress(`Searching the web for “${shortQuery(query)}”`, async (signal) => {
    const { api } = await session.client({ kind: "web" });
    const reply = await api.augment.search({ query, limit, search_provider: provider }, { signal });
    return store.add({ kind: "search", query, provider, hits: toHits(reply.results) });
  });
}

const shortCharacters = 60;

export function shortQuery(query: string): string {
  return shortened(query, shortCharacters);
}
