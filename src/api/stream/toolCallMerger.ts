import { textIn } from "../../shared/stringIn.ts";
import { isJson } from "../../shared/text/json/parseJson.ts";
import type { ReplyToolCall } from "../endpoints/chat/chatReply.ts";

/** Limit for the calls of one answer. Further calls are dropped. */
export const mostCalls = 128;

/**
 * Joins the fragments of tool calls of one answer, for all servers that say "OpenAI compatible". They disagree on index,
 * id and name:
 * - a call in fragments: index, id and name in the first, or in each (some proxies, SGLang); later fragments repeat
 *   them, or have null or "" (Azure, vLLM); an id that is new in each fragment (older vLLM); no index (Gemini, gateways);
 * - each call whole in one fragment, all with index 0 (Ollama, Gemini), with ids or with "";
 * - arguments that repeat all that came before; names in pieces.
 *
 * A fragment continues the call of its index, unless it is certain that it opens another one. Takes time in proportion
 * to the text.
 */
export class ToolCallMerger {
  readonly #calls: CallDraft[] = [];
  /** The last call of each index: a service may send any number. */
  readonly #byIndex = new Map<number, CallDraft>();
  readonly #byId = new Map<string, CallDraft>();
  #last: CallDraft | undefined;

  /** False if the limit is reached, so that this call is dropped. */
  add(fragment: ReplyToolCall): boolean {
    const current = this.#currentOf(fragment);
    const isSame = current?.hasUnsteadyId(fragment) ?? false;
    if (current && isSame) this.#dropHeadOf(current);
    const draft = current && (isSame || !current.endsBefore(fragment)) ? current : this.#open(fragment);
    if (!draft) return false;
    draft.add(fragment);
    if (fragment.id && !this.#byId.has(fragment.id)) this.#byId.set(fragment.id, draft);
    this.#last = draft;
    return true;
  }

  /** The calls so far, by index, and those of one index in the order of the stream. */
  get calls(): ReplyToolCall[] {
    const all = [...this.#calls].sort((one, other) => one.index - other.index);
    return all.map((draft) => draft.call);
  }

  /** The call that a fragment continues, if it opens none. */
  #currentOf(fragment: ReplyToolCall): CallDraft | undefined {
    const { index, id } = fragment;
    const known = id ? this.#byId.get(id) : undefined;
    if (index === null || index === undefined) return known ?? this.#last;
    // A call begins with a name or an id. Without both, a new index is that of a fragment.
    return this.#byIndex.get(index) ?? (nameIn(fragment) ? undefined : id ? known : this.#last);
  }

  /** The first fragment had a name and no arguments, and was taken for a call because the next id differed. */
  #dropHeadOf(current: CallDraft): void {
    const [head, last] = this.#calls.slice(-2);
    if (!head || last !== current || !head.isHeadOf(current)) return;
    this.#calls.splice(-2, 1);
    current.takeId(head);
    this.#byId.set(head.id, current);
  }

  #open({ index: named, id }: ReplyToolCall): CallDraft | undefined {
    if (this.#calls.length === mostCalls) return undefined;
    const index = named ?? Math.max(-1, ...this.#calls.map((call) => call.index)) + 1;
    const draft = new CallDraft(index);
    this.#calls.push(draft);
    if (named !== null && named !== undefined) this.#byIndex.set(named, draft);
    if (id) this.#byId.set(id, draft);
    return draft;
  }
}

type Part = NonNullable<ReplyToolCall["function" | "custom"]>;

/** One call whose fragments are being joined. */
class CallDraft {
  readonly index: number;
  readonly #function = new PartDraft(true);
  readonly #custom = new PartDraft(false);
  /** Unknown members must be sent back unchanged: the last non-empty value of each. */
  readonly #others = new Map<string, unknown>();

  constructor(index: number) {
    this.index = index;
  }

  get id(): string {
    return textIn(this.#others.get("id"));
  }

  get name(): string {
    return this.#function.name || this.#custom.name;
  }

  /** True if a service gives a new id to each fragment: the arguments are not complete, so the call goes on. */
  hasUnsteadyId(fragment: ReplyToolCall): boolean {
    const name = nameIn(fragment);
    const isOther = Boolean(fragment.id && this.id && fragment.id !== this.id);
    return isOther && (!name || name === this.name) && this.#function.isUnfinished;
  }

  add({ index: _, function: made, custom, ...others }: ReplyToolCall): void {
    const { id, ...rest } = others;
    if (id && this.id === "") this.#others.set("id", id);
    keep(this.#others, rest);
    if (made) this.#function.add(made, made.arguments);
    if (custom) this.#custom.add(custom, custom.input);
  }

  /** True if the fragment opens another call. */
  endsBefore(fragment: ReplyToolCall): boolean {
    const { id, function: made, custom } = fragment;
    const part = custom ? this.#custom : this.#function;
    const text = made?.arguments ?? custom?.input ?? "";
    const name = nameIn(fragment);
    const isOtherId = Boolean(id && this.id && id !== this.id);
    if (!name) return isOtherId && part.isComplete && opensObject(text);
    if (isOtherId) return true;
    if (this.name === "") return false;
    if (name !== this.name) return endsWithName(part, text, Boolean(id && id === this.id));
    return part.isComplete && opensObject(text) && !part.repeats(text, id !== "" && id === this.id);
  }

  /** True if nothing but the name came, which `other` has too. */
  isHeadOf(other: CallDraft): boolean {
    return this.#function.isEmpty && this.index === other.index && this.name === other.name;
  }

  takeId({ id }: CallDraft): void {
    this.#others.set("id", id);
  }

  get call(): ReplyToolCall {
    const isCustom = this.#custom.isThere && !this.#function.isThere;
    const made = isCustom ? this.#custom : this.#function;
    const inside = Object.fromEntries(made.others);
    const { name, text } = made;
    return {
      ...Object.fromEntries(this.#others),
      id: this.id,
      type: textIn(this.#others.get("type")) || (isCustom ? "custom" : "function"),
      ...(isCustom
        ? { custom: { ...inside, name, input: text } }
        : { function: { ...inside, name, arguments: text } }),
    };
  }
}

class PartDraft {
  /** False for the input of a custom call, which is any text. */
  readonly #isJson: boolean;
  isThere = false;
  name = "";
  readonly others = new Map<string, unknown>();
  /** All fragments, joined, and how far their JSON is. */
  #joined = "";
  readonly #progress = new JsonProgress();
  /** The last fragment, if each one so far began with all that came before it. */
  #whole: string | undefined;
  readonly #wholeProgress = new JsonProgress();
  #count = 0;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  /** Arguments, or input. If both readings of the fragments are possible, the one that is JSON. */
  get text(): string {
    const whole = this.#count > 1 && this.#isJson ? this.#whole : undefined;
    if (whole === undefined || !opensObject(whole)) return this.#joined;
    if (this.#progress.isComplete && isJson(this.#joined)) return this.#joined;
    return this.#wholeProgress.isComplete || this.#count > 2 ? whole : this.#joined;
  }

  get isEmpty(): boolean {
    return this.#joined === "";
  }

  get isComplete(): boolean {
    const isWhole = this.#whole !== undefined && this.#wholeProgress.isComplete;
    return this.#isJson && (this.#progress.isComplete || isWhole);
  }

  get isUnfinished(): boolean {
    return this.#isJson && this.#joined !== "" && !this.isComplete;
  }

  add(more: Part, text: string | null | undefined): void {
    const { name, arguments: _, input: __, ...others } = more as Readonly<Record<string, unknown>>;
    this.isThere = true;
    this.#addName(textIn(name));
    this.#addText(text ?? "");
    keep(this.others, others);
  }

  /** True if these are the arguments so far once more: of the same id, or of a service that repeats all. */
  repeats(text: string, isSameId: boolean): boolean {
    return this.#whole !== undefined && text.startsWith(this.#whole) && (isSameId || this.#count > 1);
  }

  /** A name is repeated, or repeated with more of it, or comes in pieces before the arguments. */
  #addName(name: string): void {
    if (name === "" || name === this.name) return;
    if (name.startsWith(this.name)) this.name = name;
    else if (this.#joined === "") this.name += name;
  }

  #addText(text: string): void {
    if (text === "") return;
    const isWhole = this.#count === 0 || (this.#whole !== undefined && text.startsWith(this.#whole));
    if (this.#isJson && isWhole) this.#wholeProgress.feed(text.slice(this.#whole?.length ?? 0));
    this.#whole = isWhole ? text : undefined;
    // Once the arguments are complete, only a repetition begins with them.
    const isRepetition = this.#isJson && isWhole && this.#count > 0 && this.#progress.isComplete;
    this.#count += 1;
    if (isRepetition) return;
    this.#joined += text;
    this.#progress.feed(text);
  }
}

/** Tells whether the brackets of JSON that arrives in pieces are closed. */
class JsonProgress {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  isComplete = false;

  feed(text: string): void {
    for (let offset = 0; offset < text.length; offset++) {
      const code = text.charCodeAt(offset);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        if (code === 92) this.#isEscaped = true;
        else if (code === 34) this.#isInString = false;
      } else this.#outside(code);
    }
  }

  #outside(code: number): void {
    if (code === 34) this.#isInString = true;
    else if (code === 123 || code === 91) this.#depth += 1;
    else if (code === 125 || code === 93) {
      this.#depth -= 1;
      this.isComplete = this.#depth === 0;
      return;
    }
    // More than white space after the end.
    if (code > 32) this.isComplete = false;
  }
}

/** The name in a fragment; empty if it has none. */
export function nameIn({ function: made, custom }: ReplyToolCall): string {
  return made?.name || custom?.name || "";
}

/** True if a fragment with another name opens a call. A name may come in pieces before the arguments. */
function endsWithName(part: PartDraft, text: string, isSameId: boolean): boolean {
  if (isSameId) return part.isComplete;
  return !part.isEmpty || text !== "";
}

function opensObject(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Fragments repeat unset members as null or empty. */
function keep(stored: Map<string, unknown>, members: object): void {
  for (const [name, value] of Object.entries(members))
    if (value !== null && value !== undefined && value !== "") stored.set(name, value);
}
