import { statusText } from "../../api/endpoint.ts";
import { augment } from "../../api/endpoints/augment.ts";
import { ask } from "../../platform/editor/dialogs/ask.ts";
import { requestedModel } from "../../session/requestModel.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { oneLine } from "../../shared/text/lineFeeds.ts";
import type { BatchDeps } from "../bulk/batch.ts";
import { queryProblem } from "../search/searchQuery.ts";
import { askPrice } from "./askPrice.ts";

/** The upper price of an answer and the parts of it, before the question is known. */
export async function askPriceText({ session, chosenModels }: BatchDeps): Promise<string> {
  const client = await session.client({ kind: "web" });
  const model = await requestedModel(client, chosenModels, new AbortController().signal);
  const { usd, parts } = askPrice(model, false);
  const isPlayMoney = session.active?.kind === "sandbox";
  const sum = usd === undefined ? "Price" : `At most ${formatUsd(usd, isPlayMoney)}`;
  return `${sum}: ${parts}. Stored pages are free.`;
}

/** Asks for the question, with the price of its answer. Undefined if the user leaves. */
export async function askQuestion(deps: BatchDeps, start: string): Promise<string | undefined> {
  const answer = await ask({
    title: `Ask the Web${statusText(augment.search)}`,
    prompt: await askPriceText(deps),
    placeholder: "A question that web pages answer",
    value: queryProblem(start) ? "" : start,
    problem: (value) => queryProblem(oneLine(value)),
  });
  return typeof answer === "object" ? oneLine(answer.value) : undefined;
}
