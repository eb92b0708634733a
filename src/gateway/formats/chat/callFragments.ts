import type { ReplyToolCall } from "../../../api/endpoints/chat/chatReply.ts";
import { nameIn, ToolCallMerger } from "../../../api/stream/toolCallMerger.ts";
import { CallIds } from "../callIds.ts";

/** A call whose fragments come as OpenAI sends them: id and name in the first, and the same index in each. */
interface PlainCall {
  readonly said: string;
  readonly name: string;
  /** Its place among the calls that were sent; undefined before the first. */
  place: number | undefined;
  /** Arguments that were sent. */
  sent: string;
  /** One of its fragments is not like those of a plain call, so that the rest waits for the end. */
  isOdd: boolean;
}

/**
 * The fragments of the calls of one answer, as libraries join them: by a number for each call, with id, type and name in the
 * first one alone. Plain calls are passed on while they arrive. The others are sent whole at the end, as `ToolCallMerger` has
 * joined them.
 */
export class CallFragments {
  readonly #merger = new ToolCallMerger();
  readonly #ids: CallIds;
  readonly #plain = new Map<number, PlainCall>();
  #count = 0;

  constructor(newId: (prefix: string) => string) {
    this.#ids = new CallIds(() => newId("call_"));
  }

  get hasCalls(): boolean {
    return this.#merger.calls.length > 0;
  }

  /** What is to be sent for a fragment now; undefined if it waits. */
  add(fragment: ReplyToolCall): object | undefined {
    this.#merger.add(fragment);
    const call = this.#plainCall(fragment);
    const text = fragment.function?.arguments ?? "";
    // A name may come in pieces before the arguments.
    if (!call || call.isOdd || text === "") return undefined;
    call.sent += text;
    if (call.place !== undefined) return { ...othersIn(fragment), index: call.place, ...withText(text) };
    const made = this.#merger.calls.find(({ id }) => id === call.said);
    call.place = this.#count++;
    return this.#head(call.place, made ?? fragment, text);
  }

  /** What is left of all calls. `isCut`: the answer reached its limit. */
  end(isCut: boolean): object[] {
    const left = new Set(this.#plain.values());
    return this.#merger.calls.flatMap((call) => {
      const plain = [...left].find(({ said, name }) => said === call.id && name === nameIn(call));
      if (plain) left.delete(plain);
      const text = call.function?.arguments ?? "";
      if (plain?.place === undefined) return [this.#head(this.#count++, call, text || noArguments(isCut))];
      const isMore = text.startsWith(plain.sent) && text.length > plain.sent.length;
      return isMore ? [{ index: plain.place, ...withText(text.slice(plain.sent.length)) }] : [];
    });
  }

  #plainCall(fragment: ReplyToolCall): PlainCall | undefined {
    const { index, id, custom } = fragment;
    if (typeof index !== "number" || custom) return undefined;
    const known = this.#plain.get(index);
    if (known) {
      known.isOdd ||= isOther(known, fragment);
      return known;
    }
    const name = nameIn(fragment);
    const isTaken = [...this.#plain.values()].some(({ said }) => said === id);
    if (!id || name === "" || isTaken) return undefined;
    const call = { said: id, name, place: undefined, sent: "", isOdd: false };
    this.#plain.set(index, call);
    return call;
  }

  /** The first fragment of a call. A custom one has its whole input. */
  #head(index: number, call: ReplyToolCall, text: string): object {
    const { index: _, id, type, function: made, custom, ...others } = call;
    const start = { ...others, index, id: this.#ids.next(id) };
    if (custom) return { ...start, type: "custom", custom };
    return { ...start, type: type || "function", function: { ...made, arguments: text } };
  }
}

/** Clients parse the arguments of a call, also of one without any. A call that was cut must not become such a one. */
export function noArguments(isCut: boolean): string {
  return isCut ? "" : "{}";
}

/** True if a fragment opens another call, or repeats what came before it. */
function isOther(call: PlainCall, fragment: ReplyToolCall): boolean {
  const name = nameIn(fragment);
  const isAnotherId = Boolean(fragment.id) && fragment.id !== call.said;
  const isRepeated = call.sent !== "" && (fragment.function?.arguments ?? "").startsWith(call.sent);
  return isAnotherId || (name !== "" && name !== call.name) || isRepeated;
}

function withText(text: string) {
  return { function: { arguments: text } };
}

/** Members that the model must get back and that came with a later fragment. */
function othersIn({ index: _, id: __, type: ___, function: ____, custom: _____, ...others }: ReplyToolCall) {
  return others;
}
