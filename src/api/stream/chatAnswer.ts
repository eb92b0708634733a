import { membersOf } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import type {
  ChatChunk,
  ChatCompletion,
  Citation,
  ReplyMessage,
  ReplyToolCall,
} from "../endpoints/chat/chatReply.ts";
import type { EventStream } from "./eventStream.ts";
import { ToolCallMerger } from "./toolCallMerger.ts";

type LeftOut = "tool_calls" | "reasoning_details";

type Choice = ChatCompletion["choices"][number];

interface ChoiceDraft {
  readonly index: number;
  readonly message: ReplyMessage & { content: string | null };
  finish_reason: string | null;
  logprobs: unknown;
  /** The list inside `logprobs`. Each chunk appends to it. */
  chances: unknown[] | undefined;
  details: unknown[];
  /** Characters of `details` as JSON. */
  detailsLength: number;
  readonly calls: ToolCallMerger;
  readonly leftOut: Set<LeftOut>;
}

/** Limit for the reasoning details in characters of JSON. They are sent back with each following question. */
export const mostDetails = 8 * 1024 * 1024;

/** Joins the chunks of a stream into the object of a non-streamed answer. Each chunk is processed once. */
export class AnswerBuilder {
  readonly #head = { id: "", created: 0, model: "" };
  readonly #tail: Pick<ChatCompletion, "usage" | "cost" | "service_parameters" | "search_results"> = {};
  readonly #drafts = new Map<number, ChoiceDraft>();

  add(chunk: ChatChunk): void {
    this.#head.id ||= chunk.id ?? "";
    this.#head.created ||= chunk.created ?? 0;
    this.#head.model ||= chunk.model ?? "";
    const tail = this.#tail;
    if (chunk.usage) tail.usage = chunk.usage;
    if (chunk.cost) tail.cost = chunk.cost;
    if (chunk.service_parameters)
      tail.service_parameters = joinedParameters(tail.service_parameters, chunk.service_parameters);
    if (chunk.search_results?.length) tail.search_results = chunk.search_results;
    for (const { index, delta, finish_reason, logprobs } of chunk.choices) {
      const draft = this.#drafts.get(index) ?? newDraft(index);
      this.#drafts.set(index, draft);
      addDelta(draft, delta);
      draft.finish_reason = finish_reason ?? draft.finish_reason;
      addLogprobs(draft, logprobs);
    }
  }

  /** The answer so far, as a new object. */
  answer(): ChatCompletion {
    const choices = [...this.#drafts.values()].sort((a, b) => a.index - b.index).map(toChoice);
    return { ...this.#head, ...this.#tail, object: "chat.completion", choices };
  }

  /** The members of a choice that exceeded their limit and were dropped. */
  leftOut(index: number): ReadonlySet<LeftOut> {
    return this.#drafts.get(index)?.leftOut ?? new Set();
  }
}

/** Reads a stream to its end. Throws the errors of the stream. `truncated` means that `[DONE]` is missing. */
export async function collect(
  stream: EventStream<ChatChunk>,
): Promise<{ readonly answer: ChatCompletion; readonly truncated: boolean }> {
  const builder = new AnswerBuilder();
  for await (const batch of stream.batches()) for (const chunk of batch) builder.add(chunk);
  return { answer: builder.answer(), truncated: stream.end === "truncated" };
}

function newDraft(index: number): ChoiceDraft {
  return {
    index,
    message: { role: "assistant", content: null },
    finish_reason: null,
    logprobs: null,
    chances: undefined,
    details: [],
    detailsLength: 0,
    calls: new ToolCallMerger(),
    leftOut: new Set(),
  };
}

/** A later echo of the parameters may lack the citations that came first. */
function joinedParameters(
  before: ChatCompletion["service_parameters"],
  next: NonNullable<ChatCompletion["service_parameters"]>,
): NonNullable<ChatCompletion["service_parameters"]> {
  const citations = next.web_search_citations?.length
    ? next.web_search_citations
    : before?.web_search_citations;
  return { ...before, ...next, ...(citations ? { web_search_citations: citations } : {}) };
}

/** By name: a chunk that skipped the schema may have other members. */
function addDelta(draft: ChoiceDraft, delta: ReplyMessage): void {
  const { message } = draft;
  const { role, thought_signature, reasoning_encrypted } = delta;
  if (role) message.role = role;
  if (delta.ends_reasoning) {
    append(message, "reasoning_content", message.content ?? "");
    message.content = null;
  }
  append(message, "content", delta.content);
  append(message, "reasoning_content", delta.reasoning_content);
  append(message, "refusal", delta.refusal);
  if (thought_signature !== undefined && thought_signature !== null)
    message.thought_signature = thought_signature;
  if (typeof reasoning_encrypted === "boolean") message.reasoning_encrypted = reasoning_encrypted;
  for (const detail of delta.reasoning_details ?? []) addDetail(draft, detail);
  for (const fragment of delta.tool_calls ?? [])
    if (!draft.calls.add(fragment)) draft.leftOut.add("tool_calls");
}

function append(
  message: ChoiceDraft["message"],
  member: "content" | "reasoning_content" | "refusal",
  text: string | null | undefined,
): void {
  if (text) message[member] = (message[member] ?? "") + text;
}

/** The service refuses partial details, so all of them are dropped if they are too large. */
function addDetail(draft: ChoiceDraft, detail: unknown): void {
  if (draft.leftOut.has("reasoning_details")) return;
  draft.detailsLength += JSON.stringify(detail).length;
  if (draft.detailsLength <= mostDetails) draft.details.push(detail);
  else {
    draft.details = [];
    draft.leftOut.add("reasoning_details");
  }
}

function toChoice({ index, message, finish_reason, logprobs, chances, details, calls }: ChoiceDraft): Choice {
  const made = calls.calls;
  return {
    index,
    finish_reason,
    logprobs: chances ? { ...(logprobs as object), content: [...chances] } : logprobs,
    message: {
      ...message,
      ...(details.length > 0 ? { reasoning_details: [...details] } : {}),
      ...(made.length > 0 ? { tool_calls: made } : {}),
    },
  };
}

function addLogprobs(draft: ChoiceDraft, logprobs: unknown): void {
  if (!hasContent(logprobs)) {
    draft.logprobs ??= logprobs ?? null;
    return;
  }
  draft.logprobs = logprobs;
  draft.chances ??= [];
  for (const chance of logprobs.content) draft.chances.push(chance);
}

function hasContent(value: unknown): value is { readonly content: readonly unknown[] } {
  return typeof value === "object" && value !== null && "content" in value && Array.isArray(value.content);
}

const documentTools = new Set(["venice_web_search_documents", "web_search"]);

/** True for the synthetic call that only carries sources (wire.md section 5). It must never be run. */
export function carriesDocuments({ function: made }: ReplyToolCall): boolean {
  return documentTools.has(made?.name ?? "") && documentsIn(made?.arguments) !== undefined;
}

/** All sources of an answer, from each place that wire.md section 5 lists, without duplicates. */
export function citationsOf(
  answer: Pick<ChatCompletion, "service_parameters" | "search_results" | "choices">,
): Citation[] {
  const called = answer.choices.flatMap(({ message }) => message.tool_calls ?? []);
  const all = [
    ...(answer.service_parameters?.web_search_citations ?? []),
    ...(answer.search_results ?? []),
    ...called.filter(carriesDocuments).flatMap((call) => documentsIn(call.function?.arguments) ?? []),
  ];
  return [...new Map(all.map((citation) => [citation.url, citation])).values()];
}

function documentsIn(text: string | null | undefined): Citation[] | undefined {
  const { documents } = membersOf(parseJson(text ?? ""));
  return Array.isArray(documents) ? documents.flatMap(toCitation) : undefined;
}

function toCitation(document: unknown): Citation[] {
  if (typeof document !== "object" || document === null || !("url" in document)) return [];
  const { url, title, snippet } = document as Record<string, unknown>;
  if (typeof url !== "string") return [];
  return [
    {
      url,
      title: typeof title === "string" ? title : null,
      content: typeof snippet === "string" ? snippet : null,
    },
  ];
}
