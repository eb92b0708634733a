import { randomBytes } from "node:crypto";
import { Refusal } from "../../platform/errors/refusal.ts";
import { serviceToolNames } from "../../shared/names/ids.ts";
import { inputText, maxTextLength, type ServiceTool, type ToolInput, toolSchema } from "../serviceTool.ts";

export interface LongResultBounds {
  readonly results: number;
  /** UTF-16 code units of all texts together: 2 bytes each. */
  readonly characters: number;
}

const usualBounds: LongResultBounds = { results: 32, characters: 8_000_000 };

/** Long results, so that an agent can read on without a second charge. The oldest are dropped above either bound. */
export class LongResults {
  readonly #bounds: LongResultBounds;
  readonly #texts = new Map<string, string>();
  #stored = 0;

  constructor(bounds: LongResultBounds = usualBounds) {
    this.#bounds = bounds;
  }

  /** The first part of a text. If it is cut, the result says so and names the handle of the rest. */
  cut(whole: string): string {
    const { results, characters } = this.#bounds;
    if (whole.length <= maxTextLength) return whole;
    const text = whole.slice(0, characters);
    const handle = randomBytes(6).toString("hex");
    this.#texts.set(handle, text);
    this.#stored += text.length;
    while (this.#texts.size > results || this.#stored > characters) {
      const [oldest = handle] = this.#texts.keys();
      this.#drop(oldest);
    }
    const note =
      text.length < whole.length ? `\n[Only ${text.length} of ${whole.length} characters are kept.]` : "";
    return this.#partOf(handle, text, 0) + note;
  }

  /** A part of a stored text. Throws Refusal if the handle or the offset does not exist. */
  read(handle: string, offset: number): string {
    const text = this.#texts.get(handle);
    if (text === undefined)
      throw new Refusal(
        `The result ${handle} is no longer kept: the last ${this.#bounds.results} long results of this window are. Call the tool again that gave it, which may cost money again.`,
      );
    if (offset >= text.length)
      throw new Refusal(`The offset ${offset} is after the end: the result has ${text.length} characters.`);
    this.#texts.delete(handle);
    this.#texts.set(handle, text);
    return this.#partOf(handle, text, offset);
  }

  #drop(handle: string): void {
    this.#stored -= this.#texts.get(handle)?.length ?? 0;
    this.#texts.delete(handle);
  }

  #partOf(handle: string, text: string, offset: number): string {
    const end = wholeLetters(text, Math.min(text.length, offset + maxTextLength));
    const part = text.slice(offset, end);
    if (end === text.length) return part;
    const next = `{"handle": "${handle}", "offset": ${end}}`;
    return `${part}\n\n[Characters ${offset} to ${end} of ${text.length}. To read on, call ${serviceToolNames.readMore} with ${next}, which is free.]`;
  }
}

/** Moves an end that would split a surrogate pair. */
function wholeLetters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}

/** The tool that reads on in a cut result. */
export function createReadMoreTool(results: LongResults): ServiceTool {
  return {
    name: serviceToolNames.readMore,
    title: "Read more of a result",
    description: `Gives the next ${maxTextLength.toLocaleString("en-US")} characters of a result that was cut. The cut result names the handle and the offset. Free, and sends nothing.`,
    userDescription: "Reads on in a long result of another tool of Inference Workbench. Free.",
    parameters: toolSchema({
      handle: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: "The handle that the cut result names.",
      },
      offset: { type: "integer", minimum: 0, description: "The first character to read." },
    }),
    isReadOnly: true,
    prepare: async (input: ToolInput) => ({
      summary: `Read on in the result ${inputText(input, "handle")}`,
      usd: 0,
      asks: "never",
      details: [],
      button: "Read",
    }),
    run: async (input) => [
      { kind: "text", text: results.read(inputText(input, "handle"), Number(input.offset)) },
    ],
  };
}
