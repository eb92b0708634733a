import type { ChatChunk, Citation, Usage } from "../../../api/endpoints/chat/chatReply.ts";
import { AnswerBuilder, citationsOf } from "../../../api/stream/chatAnswer.ts";
import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { definedMembers } from "../../../shared/members.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { AnswerPatch, AnswerUsage, ReplyFacts } from "../../protocol/chatMessages.ts";

const longestText = 200;
const mostSwitches = 24;

/**
 * Collects from the chunks of an answer what is not text: facts, how it ended, usage, cost and sources. Each may come in
 * any chunk, or in several. `add` returns the patches of what has changed.
 */
export class ReplyCollector {
  #facts: ReplyFacts;
  #usage: ChatChunk["usage"];
  #cost: ChatChunk["cost"];
  readonly #sources = new Map<string, AnswerSource>();

  constructor(requestId: string | undefined) {
    this.#facts = definedMembers({ requestId: textOf(requestId) });
  }

  /** Patches by choice; without a choice, for all answers of the request. */
  add(chunk: ChatChunk): (readonly [choice: number | undefined, patch: AnswerPatch])[] {
    const patches: [number | undefined, AnswerPatch][] = [];
    const before = this.#facts;
    this.#learn(chunk);
    if (before !== this.#facts) patches.push([undefined, { reply: this.#facts }]);
    for (const { index, finish_reason, stop_reason } of chunk.choices) {
      const stopReason = stopReasonOf(stop_reason);
      if (finish_reason) patches.push([index, { finishReason: finish_reason }]);
      if (stopReason !== undefined) patches.push([index, { stopReason }]);
    }
    return [...patches, ...this.#money(chunk), ...this.#found(sourcesIn(chunk))];
  }

  /** All sources so far, these included: some services send them in several chunks, and in none of the later ones. */
  #found(sources: readonly AnswerSource[]): [undefined, AnswerPatch][] {
    const isNew = sources.some(({ url }) => !this.#sources.has(url));
    for (const source of sources) this.#sources.set(source.url, source);
    return isNew ? [[undefined, { sources: [...this.#sources.values()] }]] : [];
  }

  /** The sources of a complete answer, those of its calls included. */
  addSourcesOf(answer: Parameters<typeof citationsOf>[0]): [undefined, AnswerPatch][] {
    return this.#found(citationsOf(answer).map(toSource));
  }

  /** Usage and cost may come in separate chunks. They cover all choices, and are attached to the first. */
  #money({ usage, cost }: ChatChunk): [number, AnswerPatch][] {
    if (!usage && !cost) return [];
    this.#usage = usage ?? this.#usage;
    this.#cost = cost ?? this.#cost;
    return this.#usage ? [[0, { usage: toUsage(this.#usage, this.#cost) }]] : [];
  }

  /** The first model, id and time, and the last switches. */
  #learn({ model, id, created, service_parameters: parameters }: ChatChunk): void {
    const known = this.#facts;
    const isNew = (model && known.model === undefined) || (id && known.id === undefined);
    if (!isNew && !parameters) return;
    this.#facts = definedMembers({
      ...known,
      model: known.model ?? textOf(model),
      id: known.id ?? textOf(id),
      createdAtMs: known.createdAtMs ?? (isTime(created) ? created * 1000 : undefined),
      switches: switchesIn(parameters) ?? known.switches,
    });
  }
}

function textOf(text: string | null | undefined): string | undefined {
  // `visibleLine` replaces an invisible character by its code, which is longer.
  return text ? visibleLine(text.slice(0, longestText)).slice(0, longestText) : undefined;
}

/** Seconds, of this and the next centuries. */
function isTime(seconds: number | null | undefined): seconds is number {
  return typeof seconds === "number" && seconds > 0 && seconds < 1e11;
}

/** The text or the id of the token. */
function stopReasonOf(value: unknown): string | undefined {
  if (typeof value === "string") return textOf(JSON.stringify(value));
  return typeof value === "number" ? String(value) : undefined;
}

function switchesIn(parameters: ChatChunk["service_parameters"]): ReplyFacts["switches"] {
  const shown = Object.entries(parameters ?? {}).filter(([, value]) =>
    /^(string|number|boolean)$/.test(typeof value),
  );
  if (shown.length === 0) return undefined;
  return Object.fromEntries(
    shown.slice(0, mostSwitches).map(([name, value]) => [textOf(name) ?? "", textOf(String(value)) ?? ""]),
  );
}

function sourcesIn(chunk: ChatChunk): AnswerSource[] {
  // Fast path: most chunks have neither member.
  if (!chunk.service_parameters && !chunk.search_results) return [];
  const builder = new AnswerBuilder();
  builder.add(chunk);
  return citationsOf(builder.answer()).map(toSource);
}

function toSource({ url, title, date, content }: Citation): AnswerSource {
  return {
    url,
    ...(title ? { title } : {}),
    ...(date ? { date } : {}),
    ...(content ? { excerpt: content.slice(0, maxExcerpt) } : {}),
  };
}

/** Characters. */
const maxExcerpt = 2000;

export function toUsage(usage: Usage, cost: ChatChunk["cost"]): AnswerUsage {
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens;
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens;
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    ...(typeof cachedTokens === "number" ? { cachedTokens } : {}),
    ...(reasoningTokens ? { reasoningTokens } : {}),
    ...costsOf(cost),
  };
}

export function costsOf(cost: ChatChunk["cost"]): Pick<AnswerUsage, "costUsd" | "costDiem"> {
  return {
    ...(typeof cost?.usd === "number" ? { costUsd: cost.usd } : {}),
    ...(typeof cost?.diem === "number" ? { costDiem: cost.diem } : {}),
  };
}
