import type { ChatChunk } from "../../../api/endpoints/chatReply.ts";
import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { definedMembers } from "../../../shared/members.ts";
import { visibleLine } from "../../../shared/text/visibleText.ts";
import type { AnswerPatch, AnswerUsage, ReplyFacts } from "../../protocol/chatMessages.ts";

const longestText = 200;
const mostSwitches = 24;

/** What occurs once per answer, or is told in parts, in whatever chunks: the patches when it changes. */
export class ReplyRest {
  readonly #toUsage: (usage: NonNullable<ChatChunk["usage"]>, cost: ChatChunk["cost"]) => AnswerUsage;
  readonly #toSources: (chunk: ChatChunk) => readonly AnswerSource[];
  #facts: ReplyFacts;
  #usage: ChatChunk["usage"];
  #cost: ChatChunk["cost"];
  readonly #sources = new Map<string, AnswerSource>();

  constructor(
    requestId: string | undefined,
    toUsage: (usage: NonNullable<ChatChunk["usage"]>, cost: ChatChunk["cost"]) => AnswerUsage,
    toSources: (chunk: ChatChunk) => readonly AnswerSource[],
  ) {
    this.#facts = definedMembers({ requestId: textOf(requestId) });
    this.#toUsage = toUsage;
    this.#toSources = toSources;
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
    return [...patches, ...this.#money(chunk), ...this.#found(this.#toSources(chunk))];
  }

  /** All sources so far, these included: some services send them in several chunks, and in none of the later ones. */
  #found(sources: readonly AnswerSource[]): [undefined, AnswerPatch][] {
    const isNew = sources.some(({ url }) => !this.#sources.has(url));
    for (const source of sources) this.#sources.set(source.url, source);
    return isNew ? [[undefined, { sources: [...this.#sources.values()] }]] : [];
  }

  /** Sources that the complete answer has. */
  addSources(sources: readonly AnswerSource[]): [undefined, AnswerPatch][] {
    return this.#found(sources);
  }

  /** Usage and cost may come in separate chunks. They cover all choices, and are attached to the first. */
  #money({ usage, cost }: ChatChunk): [number, AnswerPatch][] {
    if (!usage && !cost) return [];
    this.#usage = usage ?? this.#usage;
    this.#cost = cost ?? this.#cost;
    return this.#usage ? [[0, { usage: this.#toUsage(this.#usage, this.#cost) }]] : [];
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
  // What is not visible is spelled out, which is longer.
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
