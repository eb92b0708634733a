import { fromAmountTexts } from "../../shared/money/amounts.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import { clientNames } from "../../shared/money/scopedBudget.ts";
import { plural } from "../../shared/text/plural.ts";
import type { Outcome, RequestQuery, RequestRow, RequestsState } from "../protocol/requestsProtocol.ts";
import type { RequestHead } from "./log/requestHead.ts";

/** The calls that match a query, in their order. */
export function searchRequests(
  heads: readonly RequestHead[],
  { text, outcome, source, connection }: RequestQuery,
): readonly RequestHead[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return heads.filter(
    (head) =>
      (outcome === undefined || hasOutcome(head, outcome)) &&
      (source === undefined || head.source === source) &&
      (connection === undefined || head.connectionId === connection) &&
      hasWords(head, words),
  );
}

function hasOutcome({ error, attempts }: RequestHead, outcome: Outcome): boolean {
  if (outcome === "retried") return attempts > 1;
  return (outcome === "failed") === (error !== undefined);
}

function hasWords(head: RequestHead, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { endpoint, method, path, model, client, connection, status, error, requestIds } = head;
  const names = [endpoint, method, path, model, client, connection, status, error, sourceName(head)];
  const searched = [...names, ...requestIds].join(" ").toLowerCase();
  return words.every((word) => searched.includes(word));
}

export function sourceName({ source, client }: Pick<RequestHead, "source" | "client">): string {
  const names: Readonly<Record<string, string>> = clientNames;
  const name = source === undefined ? "" : (names[source] ?? source);
  return client ? `${name} · ${client}` : name;
}

export function choicesOf(heads: readonly RequestHead[]): Pick<RequestsState, "sources" | "connections"> {
  const sources = new Map(
    heads.flatMap(({ source }) => (source === undefined ? [] : [[source, sourceName({ source })] as const])),
  );
  const connections = new Map(heads.map(({ connectionId, connection }) => [connectionId, connection]));
  const listed = (found: ReadonlyMap<string, string>) =>
    [...found].map(([value, name]) => ({ value, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { sources: listed(sources), connections: listed(connections) };
}

export function toRequestRow(head: RequestHead): RequestRow {
  const { id, queuedMs, method, path, endpoint, model = "" } = head;
  return {
    id,
    time: localTime(queuedMs),
    what: path === "" ? endpoint : `${method} ${path}`,
    model,
    source: sourceName(head),
    status: statusText(head),
    ms: durationText(head.ms),
    tokens: tokensText(head),
    price: priceText(head),
  };
}

/** `2026-11-26 20:14:05`, in the time zone of the user. */
export function localTime(atMs: number): string {
  const date = new Date(atMs);
  if (Number.isNaN(date.getTime())) return "";
  // Swedish is written as ISO 8601.
  return date.toLocaleString("sv-SE");
}

export function durationText(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms).toLocaleString("en-US")} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** `200`, `503 (unavailable)`, `not sent (payment-required)`, with the number of attempts if there were several. */
export function statusText({ status, error, attempts }: RequestHead): string {
  const code = status ?? (attempts === 0 ? "not sent" : "no answer");
  const why = error === undefined ? "" : ` (${error})`;
  return `${code}${why}${attempts > 1 ? `, ${plural(attempts, "attempt")}` : ""}`;
}

/** `1,204 + 310`: those of the prompt, and those of the answer. */
export function tokensText({ promptTokens, completionTokens }: RequestHead): string {
  if (promptTokens === undefined && completionTokens === undefined) return "";
  return [promptTokens, completionTokens].map((count) => (count ?? 0).toLocaleString("en-US")).join(" + ");
}

/** Empty for calls that cost nothing. */
export function priceText({ cost, isCostUnknown, isPlayMoney }: RequestHead, textOf = moneyText): string {
  if (isCostUnknown) return "unknown";
  const amounts = cost && fromAmountTexts(cost);
  return amounts ? `${spendText(amounts, textOf)}${isPlayMoney ? " play money" : ""}` : "";
}
