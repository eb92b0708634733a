import type { ReplyToolCall } from "../../../api/endpoints/chat/chatReply.ts";
import { carriesDocuments } from "../../../api/stream/chatAnswer.ts";
import { nameIn } from "../../../api/stream/toolCallMerger.ts";
import { CallIds } from "../callIds.ts";
import type { ToolName, ToolNames } from "../toolNames.ts";
import { argumentsOf, CallItem, type Emit } from "./outputItems.ts";

interface LiveCall {
  /** Of the first fragment; undefined if it has none, and it may still come. */
  readonly id: string | undefined;
  readonly name: string;
  /** Arguments so far. */
  text: string;
  item: CallItem | undefined;
  /** Its fragments are not those of a plain stream, so that the rest of it waits for the end. */
  isOdd: boolean;
}

export interface CallPlaces {
  readonly names: ToolNames;
  readonly emit: Emit;
  readonly newId: (prefix: string) => string;
  /** Gives a new item its place in the output. */
  readonly place: (open: (index: number) => CallItem) => CallItem;
}

/**
 * Sends calls while their fragments arrive, if the service numbers them as OpenAI does. Calls of other servers, whose
 * fragments have to be joined first, are sent whole at the end.
 */
export class CallStream {
  readonly #places: CallPlaces;
  readonly #ids: CallIds;
  readonly #live = new Map<number, LiveCall>();
  #count = 0;

  constructor(places: CallPlaces) {
    this.#places = places;
    this.#ids = new CallIds(() => places.newId("call_"));
  }

  add(fragment: ReplyToolCall): void {
    const { index } = fragment;
    if (typeof index !== "number") return;
    const known = this.#live.get(index);
    const call = known ?? this.#open(index, fragment);
    if (!call || call.isOdd) return;
    call.isOdd = known !== undefined && isOther(call, fragment);
    const text = argumentsOf(fragment);
    if (call.isOdd || text === "") return;
    call.text += text;
    call.item ??= this.#announce(call.id, this.#toolOf(call.name));
    call.item.add(text);
  }

  /** The item of a complete call: the one that was announced, or a new one. */
  itemOf(call: ReplyToolCall): CallItem {
    const name = nameIn(call);
    for (const [index, live] of this.#live) {
      const isSame = live.name === name && (live.id === undefined || live.id === call.id);
      if (!live.item || !isSame) continue;
      this.#live.delete(index);
      return live.item;
    }
    return this.#announce(call.id, this.#toolOf(name));
  }

  #open(index: number, fragment: ReplyToolCall): LiveCall | undefined {
    const name = nameIn(fragment);
    // A call that only carries sources is never sent, which its arguments show at the end.
    const mayCarryDocuments = carriesDocuments({ function: { name, arguments: '{"documents":[]}' } });
    if (name === "" || mayCarryDocuments || this.#count >= maxLive) return undefined;
    const call = { id: fragment.id || undefined, name, text: "", item: undefined, isOdd: false };
    this.#live.set(index, call);
    this.#count += 1;
    return call;
  }

  #announce(id: string | null | undefined, tool: ToolName): CallItem {
    const { place, emit, newId } = this.#places;
    const callId = this.#ids.next(id);
    const itemId = newId(prefixes[tool.kind]);
    return place((index) => new CallItem({ id: itemId, callId, tool, index }, emit));
  }

  #toolOf(flat: string): ToolName {
    return this.#places.names.toolOf(flat) ?? { kind: "function", name: flat };
  }
}

const prefixes = { function: "fc_", custom: "ctc_", search: "tsc_" } as const;

/** As many calls as an answer may have. */
const maxLive = 128;

/** True if a fragment opens another call, or repeats what came before it. */
function isOther(call: LiveCall, fragment: ReplyToolCall): boolean {
  const name = nameIn(fragment);
  if (fragment.id && fragment.id !== call.id) return true;
  if (name !== "" && name !== call.name) return true;
  return call.text !== "" && argumentsOf(fragment).startsWith(call.text);
}
