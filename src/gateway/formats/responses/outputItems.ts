import type { ReplyToolCall } from "../../../api/endpoints/chat/chatReply.ts";
import type { ToolName } from "../toolNames.ts";
import {
  CustomInputReader,
  customInput,
  hasMoreThanInput,
  searchArguments,
  searchInput,
} from "./customInput.ts";
import { type CallExtras, extrasOf, type ReasoningToken, writeToken } from "./reasoningToken.ts";

/** Writes an event of an item; its `sequence_number` is added. */
export type Emit = (type: string, members: object) => void;

export type ItemStatus = "completed" | "incomplete";

/** An item of an answer that is being written. */
export interface OutputItem {
  /** The item as it is now, in its wire form. */
  readonly item: Readonly<Record<string, unknown>>;
}

/** The members that say of which item an event is. */
interface ItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}

class PlacedItem {
  protected readonly place: ItemPlace;
  protected readonly emit: Emit;

  constructor(place: ItemPlace, emit: Emit) {
    this.place = place;
    this.emit = emit;
  }
}

/** The readable reasoning of an answer, as its summary, with what the model needs back. */
export class ReasoningItem extends PlacedItem implements OutputItem {
  #text = "";
  #token: string | undefined;
  #status: ItemStatus | "in_progress" = "in_progress";

  get item() {
    return {
      id: this.place.item_id,
      type: "reasoning",
      summary: this.#text === "" ? [] : [this.#part(this.#text)],
      ...(this.#token === undefined ? {} : { encrypted_content: this.#token }),
      status: this.#status,
    };
  }

  get isOpen(): boolean {
    return this.#status === "in_progress";
  }

  add(text: string): void {
    if (this.#text === "")
      this.#say("response.reasoning_summary_part.added", { summary_index: 0, part: this.#part("") });
    this.#text += text;
    this.#say("response.reasoning_summary_text.delta", { summary_index: 0, delta: text });
  }

  close(token: ReasoningToken): void {
    if (this.#text !== "") {
      this.#say("response.reasoning_summary_text.done", { summary_index: 0, text: this.#text });
      this.#say("response.reasoning_summary_part.done", { summary_index: 0, part: this.#part(this.#text) });
    }
    this.#token = writeToken(token);
    this.#status = "completed";
    this.emit("response.output_item.done", { output_index: this.place.output_index, item: this.item });
  }

  #part(text: string) {
    return { type: "summary_text", text };
  }

  #say(type: string, members: object): void {
    this.emit(type, { ...this.place, ...members });
  }
}

interface MessagePart {
  readonly index: number;
  text: string;
}

type PartKind = "output_text" | "refusal";

/** What the assistant said: its text, and a refusal, each as one part. */
export class MessageItem extends PlacedItem implements OutputItem {
  readonly #parts = new Map<PartKind, MessagePart>();
  #annotations: readonly object[] = [];
  #status: ItemStatus | "in_progress" = "in_progress";

  get item() {
    const content = [...this.#parts].map(([kind, { text }]) => this.#toPart(kind, text));
    return { id: this.place.item_id, type: "message", status: this.#status, role: "assistant", content };
  }

  get text(): string {
    return this.#parts.get("output_text")?.text ?? "";
  }

  add(kind: PartKind, text: string): void {
    const part = this.#parts.get(kind) ?? this.#open(kind);
    part.text += text;
    const logprobs = kind === "output_text" ? { logprobs: [] } : {};
    this.#say(`response.${kind}.delta`, part, { delta: text, ...logprobs });
  }

  close(status: ItemStatus, annotations: readonly object[]): void {
    this.#annotations = annotations;
    for (const [kind, part] of this.#parts) {
      if (kind === "output_text") this.#closeText(part);
      else this.#say("response.refusal.done", part, { refusal: part.text });
      this.#say("response.content_part.done", part, { part: this.#toPart(kind, part.text) });
    }
    this.#status = status;
    this.emit("response.output_item.done", { output_index: this.place.output_index, item: this.item });
  }

  #closeText(part: MessagePart): void {
    for (const [annotation_index, annotation] of this.#annotations.entries())
      this.#say("response.output_text.annotation.added", part, { annotation_index, annotation });
    this.#say("response.output_text.done", part, { text: part.text, logprobs: [] });
  }

  #open(kind: PartKind): MessagePart {
    const part = { index: this.#parts.size, text: "" };
    this.#parts.set(kind, part);
    this.#say("response.content_part.added", part, { part: this.#toPart(kind, "") });
    return part;
  }

  #toPart(type: PartKind, text: string) {
    if (type === "refusal") return { type, refusal: text };
    return { type, text, annotations: this.#annotations, logprobs: [] };
  }

  #say(type: string, { index }: MessagePart, members: object): void {
    this.emit(type, { ...this.place, content_index: index, ...members });
  }
}

interface CallHead {
  readonly id: string;
  readonly callId: string;
  /** An unknown name is that of a function. */
  readonly tool: ToolName;
  readonly index: number;
}

/** A call of a function, of a custom tool, or of the client's search of tools, which is not sent in parts. */
export class CallItem implements OutputItem {
  readonly #head: CallHead;
  readonly #emit: Emit;
  readonly #reader: CustomInputReader | undefined;
  /** Arguments or input: what was sent, and after the end all of it. */
  #text = "";
  #status: ItemStatus | "in_progress" = "in_progress";

  constructor(head: CallHead, emit: Emit) {
    this.#head = head;
    this.#emit = emit;
    this.#reader = head.tool.kind === "custom" ? new CustomInputReader() : undefined;
  }

  get callId(): string {
    return this.#head.callId;
  }

  get item() {
    const { id, callId, tool } = this.#head;
    const { kind, name, namespace } = tool;
    if (kind === "search") return this.#searchItem();
    return {
      id,
      type: kind === "custom" ? "custom_tool_call" : "function_call",
      status: this.#status,
      call_id: callId,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(kind === "custom" ? { input: this.#text } : { arguments: this.#text }),
    };
  }

  /** A fragment of the arguments as they came from the chat route. */
  add(fragment: string): void {
    this.#send(this.#reader ? this.#reader.add(fragment) : fragment);
  }

  /** `call` is the complete one, which is right where its fragments were not. A call that was cut never ends. */
  close(call: ReplyToolCall, isCut: boolean): CallExtras | undefined {
    // Clients parse the arguments of a call, also of one without any.
    const isWithout = argumentsOf(call) === "" && !isCut && !this.#reader;
    const written = isWithout ? "{}" : argumentsOf(call);
    const text = this.#reader ? (isCut ? this.#text : customInput(written)) : written;
    if (text.startsWith(this.#text)) this.#send(text.slice(this.#text.length));
    this.#text = text;
    this.#status = isCut ? "incomplete" : "completed";
    if (isCut) return undefined;
    if (this.#head.tool.kind === "search") return this.#endSearch(call, written);
    const { id, index, callId } = this.#head;
    const place = { item_id: id, output_index: index };
    if (this.#reader) this.#emit("response.custom_tool_call_input.done", { ...place, input: text });
    else
      this.#emit("response.function_call_arguments.done", {
        ...place,
        name: this.#head.tool.name,
        arguments: text,
      });
    this.#emit("response.output_item.done", { output_index: index, item: this.item });
    const extras = extrasOf(call, callId);
    if (!this.#reader || !hasMoreThanInput(written)) return extras;
    return { id: callId, ...extras, arguments: written };
  }

  #searchItem() {
    const { id, callId } = this.#head;
    const query = this.#status === "completed" ? searchInput(this.#text) : {};
    return {
      id,
      type: "tool_search_call",
      status: this.#status,
      call_id: callId,
      execution: "client",
      arguments: query,
    };
  }

  /** Its arguments go back as JSON, so that other white space and the like of the model's are kept apart. */
  #endSearch(call: ReplyToolCall, written: string): CallExtras | undefined {
    const { index, callId } = this.#head;
    this.#emit("response.output_item.done", { output_index: index, item: this.item });
    const extras = extrasOf(call, callId);
    const isSame = searchArguments(searchInput(written), undefined) === written;
    return isSame ? extras : { id: callId, ...extras, arguments: written };
  }

  #send(delta: string): void {
    if (delta === "") return;
    this.#text += delta;
    if (this.#head.tool.kind === "search") return;
    const { id, index } = this.#head;
    const name = this.#reader ? "custom_tool_call_input" : "function_call_arguments";
    this.#emit(`response.${name}.delta`, { item_id: id, output_index: index, delta });
  }
}

export function argumentsOf({ function: made, custom }: ReplyToolCall): string {
  return made?.arguments ?? custom?.input ?? "";
}
