import type { ChatChunk, ChatCompletion, Citation, Delta } from "./endpoints/chatReply.ts";
import type { EventStream } from "./eventStream.ts";

type StreamedCall = NonNullable<Delta["tool_calls"]>[number];
type ToolCallDraft = { id: string; type: string; function: { name: string; arguments: string } };
type Message = ChatCompletion["choices"][number]["message"];

/** Joins the chunks of a stream into the object that the same answer would have been, whole. */
export interface AnswerBuilder {
  add(chunk: ChatChunk): void;
  /** The answer so far; a new object each time. */
  answer(): ChatCompletion;
}

interface ChoiceDraft {
  readonly index: number;
  readonly message: Message & { content: string | null };
  finish_reason: string | null;
  logprobs: unknown;
  /** By their index: a service may name any number, and a list would be as long as that. */
  readonly calls: Map<number, ToolCallDraft>;
}

export function createAnswerBuilder(): AnswerBuilder {
  const head: { id: string; created: number; model: string } = { id: "", created: 0, model: "" };
  const tail: Pick<ChatCompletion, "usage" | "cost" | "service_parameters" | "search_results"> = {};
  const drafts = new Map<number, ChoiceDraft>();
  return {
    add(chunk) {
      head.id ||= chunk.id ?? "";
      head.created ||= chunk.created ?? 0;
      head.model ||= chunk.model ?? "";
      if (chunk.usage) tail.usage = chunk.usage;
      if (chunk.cost) tail.cost = chunk.cost;
      if (chunk.service_parameters) tail.service_parameters = chunk.service_parameters;
      if (chunk.search_results) tail.search_results = chunk.search_results;
      for (const { index, delta, finish_reason, logprobs } of chunk.choices) {
        const draft = drafts.get(index) ?? newDraft(index);
        drafts.set(index, draft);
        addDelta(draft, delta);
        draft.finish_reason = finish_reason ?? draft.finish_reason;
        draft.logprobs = joinLogprobs(draft.logprobs, logprobs);
      }
    },
    answer() {
      const choices = [...drafts.values()].sort((a, b) => a.index - b.index).map(toChoice);
      return { ...head, ...tail, object: "chat.completion", choices };
    },
  };
}

/** Reads a stream to its end. Throws what the stream throws; `truncated` tells of a missing `[DONE]`. */
export async function collect(
  stream: EventStream<ChatChunk>,
): Promise<{ readonly answer: ChatCompletion; readonly truncated: boolean }> {
  const builder = createAnswerBuilder();
  for await (const batch of stream.batches()) for (const chunk of batch) builder.add(chunk);
  return { answer: builder.answer(), truncated: stream.end === "truncated" };
}

function newDraft(index: number): ChoiceDraft {
  return {
    index,
    message: { role: "assistant", content: null },
    finish_reason: null,
    logprobs: null,
    calls: new Map(),
  };
}

function addDelta({ message, calls }: ChoiceDraft, delta: Delta): void {
  const { role, content, reasoning_content, reasoning_details, tool_calls, ...echoed } = delta;
  if (role) message.role = role;
  if (content) message.content = (message.content ?? "") + content;
  if (reasoning_content) message.reasoning_content = (message.reasoning_content ?? "") + reasoning_content;
  if (reasoning_details)
    message.reasoning_details = [...(message.reasoning_details ?? []), ...reasoning_details];
  for (const [name, value] of Object.entries(echoed)) {
    if (value !== undefined && value !== null) message[name] = value;
  }
  for (const fragment of tool_calls ?? []) addFragment(calls, fragment);
}

/** A model asks for a handful at once; a service that names more is not followed. */
const mostCalls = 128;

/** Fragments of one call share an index; a fragment without one goes on with the last call, or opens one by its id. */
function addFragment(calls: Map<number, ToolCallDraft>, fragment: StreamedCall): void {
  const index = fragment.index ?? indexOf(calls, fragment);
  const call = calls.get(index) ?? { id: "", type: "function", function: { name: "", arguments: "" } };
  if (!calls.has(index) && calls.size === mostCalls) return;
  calls.set(index, call);
  if (fragment.id) call.id = fragment.id;
  if (fragment.type) call.type = fragment.type;
  call.function.name += fragment.function?.name ?? "";
  call.function.arguments += fragment.function?.arguments ?? "";
}

function indexOf(calls: ReadonlyMap<number, ToolCallDraft>, { id: opens }: StreamedCall): number {
  const last = Math.max(-1, ...calls.keys());
  const opensCall = opens && ![...calls.values()].some(({ id }) => id === opens);
  return opensCall || calls.size === 0 ? last + 1 : last;
}

function toChoice({ calls, message, ...choice }: ChoiceDraft): ChatCompletion["choices"][number] {
  const made = [...calls].sort(([one], [other]) => one - other).map(([, call]) => call);
  return { ...choice, message: made.length === 0 ? { ...message } : { ...message, tool_calls: made } };
}

function joinLogprobs(before: unknown, more: unknown): unknown {
  if (!hasContent(more)) return before ?? more ?? null;
  return hasContent(before) ? { ...more, content: [...before.content, ...more.content] } : more;
}

function hasContent(value: unknown): value is { readonly content: readonly unknown[] } {
  return typeof value === "object" && value !== null && "content" in value && Array.isArray(value.content);
}

const documentTools = new Set(["venice_web_search_documents", "web_search"]);

/** True for the made-up call that only carries sources (wire.md section 5): never to be run. */
export function carriesDocuments(call: {
  readonly function: { readonly name: string; readonly arguments?: string | null | undefined };
}): boolean {
  return documentTools.has(call.function.name) && documentsIn(call.function.arguments) !== undefined;
}

/** Every source that an answer names, in whichever of the places that wire.md section 5 lists, without doubles. */
export function citationsOf(
  answer: Pick<ChatCompletion, "service_parameters" | "search_results" | "choices">,
): Citation[] {
  const called = answer.choices.flatMap(({ message }) => message.tool_calls ?? []);
  const all = [
    ...(answer.service_parameters?.web_search_citations ?? []),
    ...(answer.search_results ?? []),
    ...called.filter(carriesDocuments).flatMap((call) => documentsIn(call.function.arguments) ?? []),
  ];
  return [...new Map(all.map((citation) => [citation.url, citation])).values()];
}

function documentsIn(text: string | null | undefined): Citation[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null || !("documents" in value)) return undefined;
    return Array.isArray(value.documents) ? value.documents.flatMap(toCitation) : undefined;
  } catch {
    return undefined;
  }
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
