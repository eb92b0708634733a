import * as z from "zod";
import type { ReplyToolCall } from "../../../api/endpoints/chat/chatReply.ts";
import { AnswerEcho } from "../../../api/endpoints/chat/chatRequest.ts";
import { isMembers } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { checkBounds, Issues } from "./memberReader.ts";

/** Begins what this extension wrote. Encrypted reasoning of others can't be read. */
const mark = "iw1.";

/**
 * What a chat model needs back with its next turn and a Responses item has no member for. `calls`: the members of calls
 * other than name, id and arguments, such as `extra_content`. `isMore`: the item belongs to the same answer as
 * those before it; `isWhole`: the answer had nothing else.
 */
export interface ReasoningToken {
  readonly echo: z.infer<typeof AnswerEcho>;
  readonly calls: readonly CallExtras[];
  readonly isMore?: boolean;
  readonly isWhole?: boolean;
}

export type CallExtras = z.infer<typeof CallExtras>;
const CallExtras = z.strictObject({
  id: z.string(),
  members: z.looseObject({}).optional(),
  function: z.looseObject({}).optional(),
  /** The arguments of a custom call or a search as the model wrote them, if the item does not say all of it. */
  arguments: z.string().optional(),
});

const Token = z.strictObject({
  echo: z.strictObject({
    reasoning_content: z.string().optional(),
    reasoning_details: z.array(z.unknown()).optional(),
    thought_signature: z.unknown().optional(),
    reasoning_encrypted: z.boolean().optional(),
  }),
  calls: z.array(CallExtras).max(1000),
  isMore: z.boolean().exactOptional(),
  isWhole: z.boolean().exactOptional(),
});

/** Undefined if it could not be read back: no model that is known writes reasoning of a hundred levels. */
export function writeToken(token: ReasoningToken): string | undefined {
  return isBounded(token) ? mark + Buffer.from(JSON.stringify(token)).toString("base64url") : undefined;
}

/**
 * Reads `encrypted_content`. `foreign`: another provider's, which only that one can read. `damaged`: it begins as ours
 * does, and its content is not what was written.
 */
export function readToken(text: string): ReasoningToken | "foreign" | "damaged" {
  if (!text.startsWith(mark)) return "foreign";
  const json = Buffer.from(text.slice(mark.length), "base64url").toString();
  const value = parseJson(json);
  const parsed = Token.safeParse(value);
  if (!isMembers(value) || !isBounded(value) || !parsed.success) return "damaged";
  return { ...parsed.data, echo: AnswerEcho.parse(parsed.data.echo) };
}

function isBounded(value: object): boolean {
  const issues = new Issues();
  checkBounds({ value }, issues);
  return issues.isEmpty;
}

const namedMembers: ReadonlySet<string> = new Set(["index", "id", "type", "function", "custom"]);
const namedInside: ReadonlySet<string> = new Set(["name", "arguments"]);

/** The members of a call that an item has no place for; undefined if there is none. */
export function extrasOf(call: ReplyToolCall, id: string): CallExtras | undefined {
  const members = without(call, namedMembers);
  const inside = without(call.function ?? {}, namedInside);
  if (!members && !inside) return undefined;
  return { id, ...(members ? { members } : {}), ...(inside ? { function: inside } : {}) };
}

/** The members of a tool call of a chat message with those that came back. They never replace its id, name or arguments. */
export function withExtras(
  call: { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } },
  extras: CallExtras | undefined,
) {
  return {
    ...without(extras?.members ?? {}, namedMembers),
    id: call.id,
    type: "function" as const,
    function: { ...without(extras?.function ?? {}, namedInside), ...call.function },
  };
}

function without(members: object, names: ReadonlySet<string>): Readonly<Record<string, unknown>> | undefined {
  const others = Object.entries(members).filter(([name, value]) => !names.has(name) && value !== undefined);
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
