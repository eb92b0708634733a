import type {
  ChatChunk,
  ChatCompletion,
  ReplyMessage,
  Usage,
} from "../../../api/endpoints/chat/chatReply.ts";
import { AnswerEcho } from "../../../api/endpoints/chat/chatRequest.ts";
import { AnswerBuilder, carriesDocuments, citationsOf } from "../../../api/stream/chatAnswer.ts";
import { cutCallProblem } from "../../../shared/chat/toolArguments.ts";
import type { Members } from "../../../shared/members.ts";
import type { AnswerWriter, WireError, WireEvent } from "../agentFormat.ts";
import { answerEnd } from "../answerEnd.ts";
import type { ToolNames } from "../toolNames.ts";
import { CallStream } from "./callStream.ts";
import { toAnnotations } from "./citationAnnotations.ts";
import { argumentsOf, type ItemStatus, MessageItem, type OutputItem, ReasoningItem } from "./outputItems.ts";
import type { CallExtras } from "./reasoningToken.ts";

type Item = OutputItem["item"];

export interface ResponsesWriterOptions {
  readonly id: string;
  /** The members of the request that a response repeats. */
  readonly repeated: Members & { readonly model: string };
  readonly isStreamed: boolean;
  readonly names: ToolNames;
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
  /** Receives the items of an answer that can be continued. */
  readonly store: (items: readonly Item[]) => void;
}

type Choice = Pick<ChatCompletion["choices"][number], "message" | "finish_reason">;
type Status = "in_progress" | "completed" | "incomplete" | "failed";

interface Outcome {
  readonly status: Status;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: string } | null;
}

const running: Outcome = { status: "in_progress", error: null, incomplete_details: null };
const cutOff = "The service ended the answer before it was complete. Ask again for a complete answer.";

/** Writes an answer as a Response object and its events. */
export class ResponsesWriter implements AnswerWriter {
  readonly #options: ResponsesWriterOptions;
  readonly #createdAt: number;
  readonly #builder = new AnswerBuilder();
  readonly #calls: CallStream;
  readonly #output: OutputItem[] = [];
  readonly #events: WireEvent[] = [];
  #count = 0;
  #model: string;
  #outcome = running;
  #usage: Usage | undefined;
  #reasoning: ReasoningItem | undefined;
  #message: MessageItem | undefined;
  /** Reasoning after other items. */
  #late: ReasoningItem | undefined;
  /** What the first reasoning item brought back. */
  #sent: Echo = {};
  #isEncrypted = false;

  constructor(options: ResponsesWriterOptions) {
    this.#options = options;
    this.#createdAt = seconds(options.now());
    this.#model = options.repeated.model;
    this.#calls = new CallStream({
      names: options.names,
      emit: this.#emit,
      newId: options.newId,
      place: (open) => {
        this.#closeReasoning(false);
        return this.#place(open);
      },
    });
  }

  begin(): readonly WireEvent[] {
    this.#emit("response.created", { response: this.#response() });
    this.#emit("response.in_progress", { response: this.#response() });
    return this.#flush();
  }

  add(chunk: ChatChunk): readonly WireEvent[] {
    this.#builder.add(chunk);
    if (chunk.model) this.#model = chunk.model;
    if (chunk.usage) this.#usage = chunk.usage;
    // An answer that is sent whole is written at its end, when all is joined.
    if (this.#options.isStreamed)
      for (const { index, delta } of chunk.choices) if (index === 0) this.#addDelta(delta);
    return this.#flush();
  }

  end(end: "done" | "truncated"): readonly WireEvent[] {
    const answer = this.#builder.answer();
    const choice: Choice = answer.choices.find(({ index }) => index === 0) ?? { message: {} };
    if (!this.#options.isStreamed) this.#addDelta({ ...choice.message, tool_calls: [] });
    const reason = choice.finish_reason ?? undefined;
    this.#outcome =
      end === "truncated" && reason === undefined ? failed("server_error", cutOff) : endedBy(reason);
    const { status } = this.#outcome;
    if (status !== "failed") {
      this.#closeAll(answer, choice, status === "incomplete" ? status : "completed");
      this.#options.store(this.#output.map(({ item }) => item));
    }
    this.#emit(`response.${status}`, { response: this.#response() });
    return this.#flush();
  }

  fail(error: WireError): readonly WireEvent[] {
    this.#outcome = failed(error.code ?? codeOf(error.status), error.sentence);
    this.#emit("response.failed", { response: this.#response() });
    return this.#flush();
  }

  whole(): unknown {
    return this.#response();
  }

  #addDelta(delta: ReplyMessage): void {
    if (delta.reasoning_encrypted) this.#isEncrypted = true;
    if (delta.reasoning_content || delta.reasoning_details?.length)
      this.#reason(delta.reasoning_content ?? "");
    if (delta.content) this.#say("output_text", delta.content);
    if (delta.refusal) this.#say("refusal", delta.refusal);
    for (const fragment of delta.tool_calls ?? []) this.#calls.add(fragment);
  }

  #reason(text: string): void {
    const { newId } = this.#options;
    const open = (output_index: number) =>
      new ReasoningItem({ item_id: newId("rs_"), output_index }, this.#emit);
    if (this.#output.length === 0) this.#reasoning = this.#place(open);
    const shown = this.#isEncrypted ? "" : text;
    if (this.#reasoning?.isOpen) {
      if (shown !== "") this.#reasoning.add(shown);
    } else if (shown !== "") {
      this.#late ??= this.#place(open);
      this.#late.add(shown);
    }
  }

  #say(kind: "output_text" | "refusal", text: string): void {
    this.#closeReasoning(false);
    this.#message ??= this.#place(
      (output_index) => new MessageItem({ item_id: this.#options.newId("msg_"), output_index }, this.#emit),
    );
    this.#message.add(kind, text);
  }

  /** All items but the first reasoning stay open to the end, and end in the order of the output. */
  #closeAll(
    answer: ChatCompletion,
    { message, finish_reason: finishReason }: Choice,
    status: ItemStatus,
  ): void {
    const calls = (message.tool_calls ?? []).filter((call) => !carriesDocuments(call));
    this.#closeReasoning(this.#output.length === 1 && calls.length === 0);
    const annotations = toAnnotations(this.#message?.text ?? "", citationsOf(answer));
    this.#message?.close(status, annotations);
    const extras = calls.flatMap((call, index): CallExtras[] => {
      const isLast = index === calls.length - 1;
      const isCut =
        cutCallProblem(argumentsOf(call), isLast, { finishReason, tokens: undefined }) !== undefined;
      const made = this.#calls.itemOf(call).close(call, isCut);
      return made ? [made] : [];
    });
    this.#closeLate(message, extras);
  }

  #closeReasoning(isWhole: boolean): void {
    if (!this.#reasoning?.isOpen) return;
    this.#sent = this.#echo();
    this.#reasoning.close({ echo: this.#sent, calls: [], ...(isWhole ? { isWhole } : {}) });
  }

  /** What the model needs back and came after the first reasoning item. */
  #closeLate(message: ReplyMessage, calls: readonly CallExtras[]): void {
    const echo = later(AnswerEcho.parse(message), this.#sent);
    if (Object.keys(echo).length === 0 && calls.length === 0 && !this.#late) return;
    this.#late ??= this.#place(
      (output_index) => new ReasoningItem({ item_id: this.#options.newId("rs_"), output_index }, this.#emit),
    );
    this.#late.close({ echo, calls, isMore: true });
  }

  #echo(): Echo {
    const message = this.#builder.answer().choices.find(({ index }) => index === 0)?.message;
    return AnswerEcho.parse(message ?? {});
  }

  #place<Opened extends OutputItem>(open: (index: number) => Opened): Opened {
    const index = this.#output.length;
    const item = open(index);
    this.#output.push(item);
    this.#emit("response.output_item.added", { output_index: index, item: item.item });
    return item;
  }

  readonly #emit = (type: string, members: object): void => {
    const data = JSON.stringify({ type, sequence_number: this.#count, ...members });
    this.#count += 1;
    this.#events.push({ name: type, data });
  };

  #flush(): readonly WireEvent[] {
    return this.#events.splice(0);
  }

  #response() {
    const { id, repeated, now } = this.#options;
    const { status } = this.#outcome;
    return {
      id,
      object: "response",
      created_at: this.#createdAt,
      ...this.#outcome,
      ...(status === "completed" ? { completed_at: seconds(now()) } : {}),
      ...repeated,
      model: this.#model,
      output: status === "in_progress" ? [] : this.#output.map(({ item }) => item),
      usage: this.#usage ? toUsage(this.#usage) : null,
    };
  }
}

type Echo = ReturnType<typeof AnswerEcho.parse>;

/** The members of an echo that were not sent before, and what is new in its text and its list. */
function later(all: Echo, sent: Echo): Echo {
  const thought = (all.reasoning_content ?? "").slice(sent.reasoning_content?.length ?? 0);
  const details = (all.reasoning_details ?? []).slice(sent.reasoning_details?.length ?? 0);
  const { thought_signature: signature, reasoning_encrypted: isEncrypted } = all;
  return {
    ...(thought === "" ? {} : { reasoning_content: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(signature === undefined || signature === sent.thought_signature
      ? {}
      : { thought_signature: signature }),
    ...(isEncrypted === undefined || isEncrypted === sent.reasoning_encrypted
      ? {}
      : { reasoning_encrypted: isEncrypted }),
  };
}

function endedBy(reason: string | undefined): Outcome {
  const incomplete = (words: string): Outcome => ({
    status: "incomplete",
    error: null,
    incomplete_details: { reason: words },
  });
  const end = answerEnd(reason, false);
  if (end === "content_filter") return incomplete(end);
  if (end === "length") return incomplete("max_output_tokens");
  return { status: "completed", error: null, incomplete_details: null };
}

function failed(code: string, message: string): Outcome {
  return { status: "failed", error: { code, message }, incomplete_details: null };
}

function codeOf(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status >= 500 ? "server_error" : "invalid_prompt";
}

function toUsage(usage: Usage) {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
      cache_write_tokens: usage.prompt_tokens_details?.cache_creation_input_tokens ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens: total ?? input + output,
  };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
