import { readToolArguments } from "../../../shared/chat/toolArguments.ts";
import { stringIn } from "../../../shared/stringIn.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

/** A custom tool takes one text. The chat route has functions alone, so that it is the only argument of one. */
export const customParameters = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input of the tool, as plain text." } },
  required: ["input"],
  additionalProperties: false,
};

/** The arguments of a custom call. `written`, what the model wrote, is used if it has the same input. */
export function customArguments(input: string, written: string | undefined): string {
  return written !== undefined && customInput(written) === input ? written : JSON.stringify({ input });
}

/** The arguments of a search. `written`, what the model wrote, is used if it says the same. */
export function searchArguments(value: unknown, written: string | undefined): string {
  const text = JSON.stringify(value ?? {});
  return written !== undefined && JSON.stringify(searchInput(written)) === text ? written : text;
}

/** What a model searches for, from its arguments; their text if they are no JSON. */
export function searchInput(written: string): unknown {
  return parseJson(written) ?? written;
}

/** The input of a custom call, from its arguments. A model that ignores the schema writes the text itself. */
export function customInput(text: string): string {
  const read = readToolArguments(text);
  return (read.kind === "object" ? stringIn(read.value.input) : undefined) ?? text;
}

/** True if the arguments of a custom call have something that its input does not hold. */
export function hasMoreThanInput(text: string): boolean {
  const read = readToolArguments(text);
  return read.kind === "object" && Object.keys(read.value).some((name) => name !== "input");
}

const opening = /^\s*\{\s*"input"\s*:\s*"/;
/** White space before the input, at most: a longer one is left to the end of the call. */
const maxOpening = 200;

/**
 * Decodes the input of a custom call while its arguments, `{"input":"…"}`, arrive in fragments. Each fragment is read
 * once. Arguments of another shape give nothing; `customInput` reads them at their end.
 */
export class CustomInputReader {
  #pending = "";
  #state: "opening" | "inside" | "over" = "opening";

  /** The part of the input that a fragment brought. */
  add(fragment: string): string {
    if (this.#state === "over") return "";
    this.#pending += fragment;
    if (this.#state === "opening" && !this.#open()) return "";
    const end = closingQuote(this.#pending);
    const taken = this.#pending.slice(0, end ?? completeEnd(this.#pending));
    this.#pending = this.#pending.slice(taken.length);
    if (end !== undefined) this.#state = "over";
    return this.#decode(taken);
  }

  #open(): boolean {
    const [found] = opening.exec(this.#pending) ?? [];
    if (found === undefined) {
      if (this.#pending.length > maxOpening) this.#state = "over";
      return false;
    }
    this.#pending = this.#pending.slice(found.length);
    this.#state = "inside";
    return true;
  }

  #decode(escaped: string): string {
    try {
      return stringIn(JSON.parse(`"${escaped}"`)) ?? "";
    } catch {
      this.#state = "over";
      return "";
    }
  }
}

/** The offset of the quote that ends a JSON string; undefined if it has not come. */
function closingQuote(text: string): number | undefined {
  for (let offset = 0; offset < text.length; offset++) {
    if (text[offset] === "\\") offset += 1;
    else if (text[offset] === '"') return offset;
  }
  return undefined;
}

/** The length of a text without an escape, `\uD83D` for instance, that is not complete at its end. */
function completeEnd(text: string): number {
  for (let offset = 0; offset < text.length; ) {
    const length = text[offset] !== "\\" ? 1 : text[offset + 1] === "u" ? 6 : 2;
    if (offset + length > text.length) return offset;
    offset += length;
  }
  return text.length;
}
