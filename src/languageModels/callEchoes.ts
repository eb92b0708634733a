import { AnswerEcho, type ToolCall } from "../api/endpoints/chat/chatRequest.ts";
import { freeTextInput, readToolArguments, toolArgumentsProblem } from "../shared/chat/toolArguments.ts";
import type { Members } from "../shared/members.ts";

/** An answer with tool calls. */
export interface AnswerWithCalls {
  /** Its message; members that must be sent back are stored. */
  readonly message: object;
  readonly calls: readonly ToolCall[];
}

type Echo = ReturnType<typeof AnswerEcho.parse>;

interface StoredCall {
  readonly call: ToolCall;
  /** Members of the message that must be sent back. */
  readonly echo: Echo;
}

/**
 * The calls of earlier answers as the service sent them, with the reasoning that led to them. Some models refuse the next
 * round without it, and the editor hands back only id, name and input of a call.
 */
export interface CallEchoes {
  add(model: string, answer: AnswerWithCalls): void;
  /** Undefined if the call is unknown, of another model, or was changed. */
  find(
    model: string,
    call: { readonly id: string; readonly name: string; readonly input: unknown },
  ): StoredCall | undefined;
}

const mostStored = 2000;
/** Characters of JSON. */
const mostCharacters = 32 * 1024 * 1024;

export function createCallEchoes(bounds = { calls: mostStored, characters: mostCharacters }): CallEchoes {
  /** Least recently used first. */
  const stored = new Map<string, StoredCall & { readonly characters: number }>();
  let total = 0;
  const keyOf = (model: string, id: string) => `${model}\n${id}`;
  const remove = (key: string) => {
    total -= stored.get(key)?.characters ?? 0;
    stored.delete(key);
  };
  const put = (key: string, one: StoredCall & { readonly characters: number }) => {
    remove(key);
    stored.set(key, one);
    total += one.characters;
  };
  return {
    add(model, { message, calls }) {
      const echo = AnswerEcho.parse(message);
      // The calls of an answer share its reasoning.
      const shared = Math.ceil(JSON.stringify(echo).length / Math.max(1, calls.length));
      for (const call of calls) {
        const characters = shared + JSON.stringify(call).length;
        put(keyOf(model, call.id), { call, echo, characters });
      }
      for (const key of stored.keys()) {
        if (stored.size <= bounds.calls && total <= bounds.characters) break;
        remove(key);
      }
    },
    find(model, { id, name, input }) {
      const key = keyOf(model, id);
      const one = stored.get(key);
      if (!one || !isSame(one.call, name, input)) return undefined;
      put(key, one);
      return one;
    },
  };
}

/** Some services use the same ids in each round, so the content is compared, too. */
function isSame(call: ToolCall, name: string, input: unknown): boolean {
  const made = namedJson(call);
  if (made.name !== name) return false;
  const [text, ...others] = Object.values(input ?? {});
  // Free text was reported as the only member of the input.
  if (others.length === 0 && text === made.text) return true;
  try {
    return JSON.stringify(toInput(made.text)) === JSON.stringify(input ?? {});
  } catch {
    return false;
  }
}

/** Name and JSON text of a call. */
export function namedJson(call: ToolCall): { readonly name: string; readonly text: string } {
  if (call.type === "custom" && "custom" in call) {
    const { name, input } = call.custom as { readonly name: string; readonly input: string };
    return { name, text: input };
  }
  const { name, arguments: text } = call.function as { readonly name: string; readonly arguments: string };
  return { name, text };
}

/**
 * The input of a call. A call without arguments has an empty one. Throws SyntaxError if it is no JSON object, and no text
 * that the tool takes.
 */
export function toInput(text: string, isCustom = false, schema: Members = {}): object {
  const read = readToolArguments(text);
  if (read.kind === "object") return read.value;
  const input = freeTextInput(text, isCustom, schema);
  if (!input) throw new SyntaxError(toolArgumentsProblem(read.problem));
  return input;
}
