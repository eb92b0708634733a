import type { ChatChunk, Citation, ReplyMessage, Usage } from "../../../api/endpoints/chat/chatReply.ts";
import { citationsOf } from "../../../api/stream/chatAnswer.ts";
import { createTextSplitter, type TextPiece } from "../../../api/stream/chatText.ts";
import type { AnswerWriter, ReadContext, WireError, WireEvent } from "../agentFormat.ts";
import { answerEnd } from "../answerEnd.ts";
import { BlockWriter, blocks, wireEvent } from "./blockWriter.ts";
import { CallWriter } from "./callWriter.ts";
import { type Carried, type CarriedCall, writeCarried, writeToolId } from "./carriedReasoning.ts";
import { errorBody } from "./errorBody.ts";
import type { ReadBody } from "./readBody.ts";

type StopReason = "end_turn" | "max_tokens" | "stop_sequence" | "tool_use" | "refusal" | null;

/** Silence after which a ping tells the client that the answer goes on, in milliseconds. */
const pingAfterMs = 5000;

/** Writes an answer of the chat route as a message, or as the events of one. */
export class MessageWriter implements AnswerWriter {
  readonly #body: ReadBody;
  readonly #context: ReadContext;
  readonly #id: string;
  readonly #blocks: BlockWriter;
  readonly #calls: CallWriter;
  readonly #splitter = createTextSplitter();
  /** What came in the middle of a call, and is written after it. */
  #waiting: TextPiece[] = [];
  /** What is to be sent back, and is in no block. */
  #carried: Carried = {};
  #usage: Usage | undefined;
  #sources: Pick<ChatChunk, "service_parameters" | "search_results"> = {};
  #finish: string | undefined;
  #stopped: string | undefined;
  #stopReason: StopReason = null;
  #sentAtMs: number;
  #hasText = false;
  #searches = 0;

  constructor(body: ReadBody, context: ReadContext) {
    this.#body = body;
    this.#context = context;
    this.#id = context.newId("msg_");
    this.#sentAtMs = context.now();
    this.#blocks = new BlockWriter(!body.isStreamed);
    const sink = {
      begin: (id: string, name: string, others: CarriedCall | undefined) => this.#beginCall(id, name, others),
      input: (json: string) => this.#blocks.add({ type: "input_json_delta", partial_json: json }),
    };
    this.#calls = new CallWriter(sink, body.isStreamed, () => context.newId("toolu_"));
  }

  begin(): readonly WireEvent[] {
    const message = this.#message([], null, null);
    return [wireEvent({ type: "message_start", ...{ message } }), wireEvent({ type: "ping" })];
  }

  add(chunk: ChatChunk): readonly WireEvent[] {
    // No request of this format asks for more than one choice.
    const choices = chunk.choices.filter(({ index }) => index === 0);
    this.#usage = chunk.usage ?? this.#usage;
    this.#addSources(chunk);
    for (const choice of choices) {
      this.#finish = choice.finish_reason ?? this.#finish;
      if (typeof choice.stop_reason === "string") this.#stopped = choice.stop_reason;
      this.#carry(choice.delta);
    }
    for (const piece of this.#splitter.split([{ ...chunk, choices }])) this.#addPiece(piece);
    for (const call of choices.flatMap(({ delta }) => delta.tool_calls ?? [])) this.#calls.add(call);
    return this.#taken();
  }

  end(end: "done" | "truncated"): readonly WireEvent[] {
    const isCut = end === "truncated" && this.#finish === undefined;
    if (isCut && this.#body.isStreamed)
      return this.fail({
        status: 502,
        sentence: "The service ended its answer early. Send the request again.",
      });
    const hasCalls = this.#calls.hasCalls;
    this.#stopReason = isCut ? null : this.#reason(hasCalls);
    const made = this.#calls.end();
    this.#writeWaiting();
    this.#closeBlock();
    if (hasCalls || !this.#hasText) this.#flush();
    else this.#endWithText();
    const choices = [{ index: 0, message: { tool_calls: [...made] } }];
    this.#showSources(citationsOf({ ...this.#sources, choices }));
    const stopped = this.#stopReason === "stop_sequence" ? (this.#stopped ?? null) : null;
    const delta = {
      container: null,
      stop_details: stopDetails(this.#stopReason),
      stop_reason: this.#stopReason,
      stop_sequence: stopped,
    };
    const { inference_geo: _, service_tier: __, speed: ___, cache_creation: ____, ...usage } = this.#counts();
    this.#blocks.event({ type: "message_delta", ...{ delta, usage } });
    this.#blocks.event({ type: "message_stop" });
    return this.#blocks.take();
  }

  fail(error: WireError): readonly WireEvent[] {
    this.#blocks.close();
    this.#blocks.event(errorBody(error));
    return this.#blocks.take();
  }

  whole(): unknown {
    const stopped = this.#stopReason === "stop_sequence" ? (this.#stopped ?? null) : null;
    return this.#message(this.#blocks.content, this.#stopReason, stopped);
  }

  #message(content: readonly object[], reason: StopReason, stopped: string | null) {
    return {
      id: this.#id,
      type: "message",
      role: "assistant",
      model: this.#body.request.model,
      content,
      stop_reason: reason,
      stop_sequence: stopped,
      stop_details: stopDetails(reason),
      container: null,
      diagnostics: null,
      usage: this.#counts(),
    };
  }

  #taken(): readonly WireEvent[] {
    const events = this.#blocks.take();
    const nowMs = this.#context.now();
    const isSilent = events.length === 0 && nowMs - this.#sentAtMs >= pingAfterMs;
    if (events.length > 0 || isSilent) this.#sentAtMs = nowMs;
    return isSilent ? [wireEvent({ type: "ping" })] : events;
  }

  /** A call and the rest of an answer may alternate, but blocks can't. */
  #addPiece(piece: TextPiece): void {
    const isInCall = this.#blocks.open === "tool_use" && !this.#calls.endFront();
    if (isInCall || this.#waiting.length > 0) this.#waiting.push(piece);
    else this.#writePiece(piece);
  }

  #writeWaiting(): void {
    const pieces = this.#waiting;
    this.#waiting = [];
    for (const piece of pieces) this.#writePiece(piece);
  }

  #writePiece({ part, text, endsReasoning }: TextPiece): void {
    if (endsReasoning) this.#endReasoning();
    else if (part === "text") this.#text(text);
    else if (this.#body.hidesReasoning) this.#hide(text);
    else this.#think(text);
  }

  #addSources({ service_parameters: echoed, search_results: found }: ChatChunk): void {
    if (echoed?.web_search_citations?.length) this.#sources.service_parameters = echoed;
    if (found?.length) this.#sources.search_results = found;
  }

  /** Keeps what no block shows, until the next block begins. */
  #carry({
    reasoning_details,
    reasoning_content,
    reasoning_encrypted,
    thought_signature,
  }: ReplyMessage): void {
    const carried = this.#carried;
    if (typeof reasoning_encrypted === "boolean") carried.reasoning_encrypted = reasoning_encrypted;
    if (reasoning_encrypted && reasoning_content)
      carried.reasoning_content = (carried.reasoning_content ?? "") + reasoning_content;
    if (thought_signature !== undefined && thought_signature !== null)
      carried.thought_signature = thought_signature;
    if (reasoning_details?.length) {
      carried.reasoning_details ??= [];
      for (const detail of reasoning_details) carried.reasoning_details.push(detail);
    }
  }

  #think(text: string): void {
    if (this.#blocks.open !== "thinking") this.#begin(blocks.thinking());
    this.#blocks.add({ type: "thinking_delta", thinking: text });
  }

  /** The client asked for reasoning without its text. */
  #hide(text: string): void {
    if (this.#blocks.open !== "thinking") this.#begin(blocks.thinking());
    this.#carried.reasoning_content = (this.#carried.reasoning_content ?? "") + text;
  }

  #text(text: string): void {
    if (this.#blocks.open !== "text") this.#begin(blocks.text());
    this.#hasText = true;
    this.#blocks.add({ type: "text_delta", text });
  }

  /** The text before is sent. When it comes back, it is read as reasoning. */
  #endReasoning(): void {
    this.#closeBlock();
    this.#carried.ends_reasoning = true;
    this.#hasText = false;
  }

  #beginCall(id: string, name: string, others: CarriedCall | undefined): void {
    this.#writeWaiting();
    if (others) {
      this.#carried.calls ??= [];
      this.#carried.calls.push(others);
    }
    const tool = this.#body.names.toolOf(name)?.name ?? name;
    this.#begin(blocks.toolUse(writeToolId(id), tool));
  }

  #begin(block: Parameters<BlockWriter["begin"]>[0]): void {
    this.#closeBlock();
    this.#flush();
    this.#blocks.begin(block);
  }

  /** Each block of reasoning has a signature, because clients drop those without one. */
  #closeBlock(): void {
    if (this.#blocks.open === "thinking") {
      this.#blocks.add({ type: "signature_delta", signature: writeCarried(this.#carried) });
      this.#carried = {};
    }
    if (this.#blocks.open === "text") this.#cite(citationsOf({ ...this.#sources, choices: [] }));
    this.#blocks.close();
  }

  /** A block with what must be sent back and has come since the last one. */
  #flush(): void {
    if (Object.keys(this.#carried).length === 0) return;
    this.#blocks.begin(blocks.redacted(writeCarried(this.#carried)));
    this.#blocks.close();
    this.#carried = {};
  }

  /**
   * Agents take the last block of an answer without calls for its result, so nothing may follow its text. What came with
   * the end of a streamed text is left out: models need their reasoning back with calls.
   */
  #endWithText(): void {
    if (Object.keys(this.#carried).length > 0 && !this.#body.isStreamed)
      this.#blocks.content.unshift(blocks.redacted(writeCarried(this.#carried)));
  }

  #cite(found: readonly Citation[]): void {
    for (const { url, title, content } of found) {
      const cited_text = (content ?? "").slice(0, 150);
      const place = { url, title: title ?? url, cited_text, encrypted_index: "" };
      this.#blocks.add({
        type: "citations_delta",
        citation: { type: "web_search_result_location", ...place },
      });
    }
  }

  #showSources(found: readonly Citation[]): void {
    if (!this.#body.searches || found.length === 0) return;
    const id = this.#context.newId("srvtoolu_");
    this.#blocks.begin(blocks.search(id));
    this.#blocks.begin(blocks.found(id, found));
    this.#blocks.close();
    this.#searches = 1;
  }

  #reason(hasCalls: boolean): StopReason {
    const end = answerEnd(this.#finish, hasCalls);
    if (end === "content_filter" || this.#splitter.refused.has(0)) return "refusal";
    if (end === "length") return "max_tokens";
    if (end === "tool_calls") return "tool_use";
    const isSequence = this.#stopped !== undefined && this.#body.stops.includes(this.#stopped);
    return isSequence ? "stop_sequence" : "end_turn";
  }

  /** Anthropic counts what came from a cache, and what went into it, beside the other tokens of the prompt. */
  #counts() {
    const { prompt_tokens: prompt = 0, completion_tokens: output = 0 } = this.#usage ?? {};
    const { cached_tokens, cache_creation_input_tokens } = this.#usage?.prompt_tokens_details ?? {};
    const read = cached_tokens ?? 0;
    const stored = Math.max(0, Math.min(cache_creation_input_tokens ?? 0, prompt - read));
    const thinking = this.#usage?.completion_tokens_details?.reasoning_tokens;
    return {
      input_tokens: prompt - read - stored,
      output_tokens: output,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: stored,
      cache_creation: null,
      output_tokens_details: typeof thinking === "number" ? { thinking_tokens: thinking } : null,
      server_tool_use:
        this.#searches > 0 ? { web_search_requests: this.#searches, web_fetch_requests: 0 } : null,
      service_tier: null,
      inference_geo: null,
      speed: null,
    };
  }
}

function stopDetails(reason: StopReason) {
  return reason === "refusal" ? { type: "refusal", category: null, explanation: null } : null;
}
