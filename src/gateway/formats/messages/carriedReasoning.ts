import * as z from "zod";
import type { AnswerEcho, ToolCall } from "../../../api/endpoints/chat/chatRequest.ts";
import { isMembers } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { isDeeper } from "../bodyValue.ts";

/** The beginning of each text below. Signatures of other providers don't have it. */
const mark = "iwr_";

const Members = z.record(z.string(), z.unknown());

/** What a model must get back, and what no other block of the format can hold. */
const Carried = z.strictObject({
  /** Reasoning that is not shown, to be appended to what was shown before. */
  reasoning_content: z.string().optional(),
  reasoning_details: z.array(z.unknown()).optional(),
  thought_signature: z.unknown().optional(),
  reasoning_encrypted: z.boolean().optional(),
  /** All text of the answer before was reasoning. */
  ends_reasoning: z.literal(true).optional(),
  /** By the id of a call: its other members, and those inside its `function`. */
  calls: z.array(z.strictObject({ id: z.string(), call: Members, function: Members })).optional(),
});
export type Carried = z.infer<typeof Carried>;
export type CarriedCall = NonNullable<Carried["calls"]>[number];

/** As one text for `signature` or `data`: clients send these back unchanged, and no other API can read them. */
export function writeCarried(carried: Carried): string {
  return mark + Buffer.from(JSON.stringify(carried)).toString("base64url");
}

/**
 * Undefined for the signature of another provider, and for one that was changed on its way: only the text of the
 * reasoning is left then. It is not refused, because a conversation with such a block could never be continued.
 */
export function readCarried(text: string): Carried | undefined {
  if (!text.startsWith(mark)) return undefined;
  const json = parseJson(Buffer.from(text.slice(mark.length), "base64url").toString());
  return isDeeper(json) ? undefined : Carried.safeParse(json).data;
}

/** Joins what the blocks of one answer carry, in their order. */
export class ReasoningJoiner {
  readonly #text: string[] = [];
  readonly #details: unknown[] = [];
  readonly #calls = new Map<string, CarriedCall>();
  #others: Pick<Carried, "thought_signature" | "reasoning_encrypted"> = {};

  get isEmpty(): boolean {
    return this.#text.length === 0 && this.#details.length === 0 && Object.keys(this.#others).length === 0;
  }

  addText(text: string): void {
    if (text !== "") this.#text.push(text);
  }

  add({ reasoning_content: text, reasoning_details: details, calls, ...others }: Carried): void {
    this.addText(text ?? "");
    for (const detail of details ?? []) this.#details.push(detail);
    for (const call of calls ?? []) this.#calls.set(call.id, call);
    const { ends_reasoning: _, ...members } = others;
    this.#others = { ...this.#others, ...members };
  }

  /** The members of the assistant's message. */
  get echo(): z.infer<typeof AnswerEcho> {
    return {
      ...(this.#text.length > 0 ? { reasoning_content: this.#text.join("") } : {}),
      ...(this.#details.length > 0 ? { reasoning_details: this.#details } : {}),
      ...this.#others,
    };
  }

  /** The call as the model made it. */
  callOf(id: string, name: string, text: string): ToolCall {
    const carried = this.#calls.get(id);
    const made = { ...carried?.function, name, arguments: text };
    return { ...carried?.call, id, type: "function", function: made };
  }
}

/** Ids as this format allows them. Others are written in a form from which they are read back. */
const plainId = /^[A-Za-z0-9_-]+$/;
const idMark = "toolu_iw_";

export function writeToolId(id: string): string {
  return plainId.test(id) && !id.startsWith(idMark) ? id : idMark + Buffer.from(id).toString("base64url");
}

export function readToolId(id: string): string {
  return id.startsWith(idMark) ? Buffer.from(id.slice(idMark.length), "base64url").toString() : id;
}

/** Arguments that are no JSON object, as the only member of an input, which must be one. */
const unreadable = "invalid_json_arguments";

/** The JSON text of the input of a call; empty for a call without arguments. */
export function inputText(made: string): string {
  if (made.trim() === "" || isMembers(parseJson(made))) return made.trim();
  return JSON.stringify({ [unreadable]: made });
}

/** The arguments that the model wrote. */
export function argumentsOf(input: Readonly<Record<string, unknown>>): string {
  const made = input[unreadable];
  return typeof made === "string" && Object.keys(input).length === 1 ? made : JSON.stringify(input);
}
