import type { ReplyToolCall } from "../../../api/endpoints/chat/chatReply.ts";
import { carriesDocuments } from "../../../api/stream/chatAnswer.ts";
import { ToolCallMerger } from "../../../api/stream/toolCallMerger.ts";
import { isMembers, type Members } from "../../../shared/members.ts";
import { isJson } from "../../../shared/text/json/parseJson.ts";
import { CallIds } from "../callIds.ts";
import { type CarriedCall, inputText } from "./carriedReasoning.ts";

/** Where the calls of an answer are written to. Each is begun, gets pieces of its input, and is ended by the next one. */
export interface CallSink {
  /** `others` is what the model must get back beside id, name and arguments. */
  begin(id: string, name: string, others: CarriedCall | undefined): void;
  input(json: string): void;
}

/** A call whose fragments have come in the usual way: with an index, and with id and name in the first. */
interface PlainCall {
  readonly id: string;
  readonly name: string;
  /** Arguments that are not sent. */
  held: string;
  /** False while a service could still repeat all arguments in each fragment. */
  isSettled: boolean;
  /** Arguments that are sent. */
  sent: string;
  isBegun: boolean;
  /** All of it is sent, and others may be written after it. */
  isEnded: boolean;
}

/**
 * Writes the calls of one answer one after the other. The first is written while it arrives, and each next one if the
 * one before is complete when it begins. Other calls, and those of services with other habits, are written at the end,
 * as `ToolCallMerger` has joined them.
 */
export class CallWriter {
  readonly #sink: CallSink;
  readonly #ids: CallIds;
  readonly #merger = new ToolCallMerger();
  readonly #plain: PlainCall[] = [];
  /** False after a fragment that is not like those of a `PlainCall`. */
  #isPlain: boolean;
  /** The call that is being written. */
  #front = 0;

  /** `isStreamed`: false if nobody reads the pieces. */
  constructor(sink: CallSink, isStreamed: boolean, newId: () => string) {
    this.#sink = sink;
    this.#isPlain = isStreamed;
    this.#ids = new CallIds(newId);
  }

  add(fragment: ReplyToolCall): void {
    this.#merger.add(fragment);
    if (!this.#isPlain) return;
    const call = this.#plainCall(fragment);
    if (call) this.#addText(call, fragment.function?.arguments ?? "");
    else this.#isPlain = false;
  }

  /** Writes what is left. Returns all calls, with those that only have sources. */
  end(): readonly ReplyToolCall[] {
    const all = this.#merger.calls;
    const left = new Set(this.#plain);
    for (const call of all) {
      if (carriesDocuments(call)) continue;
      const plain = [...left].find(({ id }) => id === call.id);
      if (plain) left.delete(plain);
      this.#finish(call, plain);
    }
    return all;
  }

  /**
   * Ends the call that is being written, so that something else can follow it. False if more of its input is to come, and the
   * rest has to wait for it.
   */
  endFront(): boolean {
    const front = this.#plain[this.#front];
    if (!front?.isBegun || front.isEnded) return true;
    const made = this.#merger.calls[this.#front];
    if (!made || !isWhole(made, front)) return false;
    this.#finish(made, front);
    return true;
  }

  /** True if there are calls for the client. */
  get hasCalls(): boolean {
    return this.#merger.calls.some((call) => !carriesDocuments(call));
  }

  #plainCall({ index, id, function: made, custom }: ReplyToolCall): PlainCall | undefined {
    if (typeof index !== "number" || custom) return undefined;
    const known = this.#plain[index];
    const name = made?.name ?? "";
    if (known) {
      const isSame = (!id || id === known.id) && (name === "" || name === known.name);
      return isSame ? known : undefined;
    }
    const isNext = index === this.#plain.length && Boolean(id) && name !== "";
    // The call that only has sources is known by its name and its whole arguments.
    if (!isNext || !id || this.#plain.some((call) => call.id === id) || carriesSources(name))
      return undefined;
    const call = { id, name, held: "", isSettled: false, sent: "", isBegun: false, isEnded: false };
    this.#plain.push(call);
    this.#moveTo(index);
    return call;
  }

  /** Begins with the next call if the one before it is complete. It is looked at once. */
  #moveTo(index: number): void {
    if (index !== this.#front + 1) return;
    const before = this.#merger.calls[this.#front];
    const plain = this.#plain[this.#front];
    if (!before || !plain || !isWhole(before, plain)) return;
    this.#finish(before, plain);
    this.#front = index;
  }

  #addText(call: PlainCall, text: string): void {
    if (text === "" || call.isEnded) return;
    if (call.held !== "" && !call.isSettled) {
      if (text.startsWith(call.held)) {
        this.#isPlain = false;
        return;
      }
      call.isSettled = true;
    }
    call.held += text;
    const isFront = call === this.#plain[this.#front];
    if (!isFront || !call.isSettled || !(call.isBegun || call.held.trimStart().startsWith("{"))) return;
    if (!call.isBegun) this.#begin(call);
    this.#send(call, call.held);
    call.held = "";
  }

  #begin(call: PlainCall): void {
    const made = this.#merger.calls.find(({ id }) => id === call.id);
    const id = this.#ids.next(call.id);
    this.#sink.begin(id, call.name, made && othersOf(made, id));
    call.isBegun = true;
  }

  #send(call: PlainCall, text: string): void {
    this.#sink.input(text);
    call.sent += text;
  }

  /** Writes what is left of a call. A call that was ended is not written again. */
  #finish(made: ReplyToolCall, plain: PlainCall | undefined): void {
    const text = made.function?.arguments ?? customInput(made);
    if (plain?.isBegun) {
      if (!plain.isEnded && text.startsWith(plain.sent) && text.length > plain.sent.length)
        this.#send(plain, text.slice(plain.sent.length));
    } else this.#writeWhole(made, text);
    if (plain) Object.assign(plain, { isBegun: true, isEnded: true, sent: text });
  }

  #writeWhole(made: ReplyToolCall, text: string): void {
    const id = this.#ids.next(made.id);
    const name = made.function?.name ?? made.custom?.name ?? "";
    this.#sink.begin(id, name, othersOf(made, id));
    const input = inputText(text);
    if (input !== "") this.#sink.input(input);
  }
}

/** True if the arguments that came are all of them. */
function isWhole({ function: made }: ReplyToolCall, { sent }: PlainCall): boolean {
  const text = made?.arguments ?? "";
  return text.startsWith(sent) && isJson(text);
}

/** Names of calls that may only carry sources. */
function carriesSources(name: string): boolean {
  return carriesDocuments({ function: { name, arguments: '{"documents":[]}' } });
}

/** The input of a call that is any text, in the member that Anthropic's tools have for it. */
function customInput({ custom }: ReplyToolCall): string {
  return custom ? JSON.stringify({ input: custom.input ?? "" }) : "";
}

/** What the model must get back beside id, name and arguments. */
function othersOf(made: ReplyToolCall, id: string): CarriedCall | undefined {
  const { index: _, id: __, type: ___, function: inner, custom: ____, ...call } = made;
  const { name: _____, arguments: ______, ...within } = inner ?? {};
  const found = { call: known(call), function: known(within) };
  const isEmpty = Object.keys(found.call).length + Object.keys(found.function).length === 0;
  return isEmpty ? undefined : { id, ...found };
}

function known(members: object): Record<string, unknown> {
  const entries: Members = isMembers(members) ? members : {};
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}
