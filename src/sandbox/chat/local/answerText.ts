import { type CallForm, callForms, type ParametersOf, type WrittenCall } from "./callText.ts";

/** Ends of a turn in the templates of models. A server with a wrong template leaves them in the text. */
const endTokens: readonly string[] = [
  "<|im_end|>",
  "<|endoftext|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end_of_text|>",
  "<|end|>",
  "<|return|>",
  "<end_of_turn>",
  "<｜end▁of▁sentence｜>",
  "<|END_OF_TURN_TOKEN|>",
  "<|END_RESPONSE|>",
  "</s>",
];

/** Text of a call that is held back at most, in characters. More is no call. */
const maxHeld = 400_000;
const longestMark = Math.max(
  ...[...endTokens, ...callForms.map(({ open }) => open)].map(({ length }) => length),
);

/** A tool that a request offered. */
export interface OfferedTool {
  readonly name: string;
  readonly parameters: unknown;
}

/**
 * The text of one answer of a server on this machine, without what its model's template should have taken away: tokens
 * that end a turn, and calls of offered tools that were left as text. A call counts only if the answer ends with it, in
 * exactly the form of a family of models, and outside of code blocks, quotes and reasoning. So text about calls stays
 * text. However the text is cut into pieces, the result is the same.
 */
export class AnswerText {
  readonly #offered: ReadonlyMap<string, unknown>;
  readonly #forms: readonly CallForm[];
  /** What the end of a turn and the forms begin with. */
  readonly #marks: readonly string[];
  readonly #fences = new FenceWatch();
  /** The text that was given out. */
  #said = "";
  /** Its first and its last characters: reading them of the whole would copy it each time. */
  #head = "";
  #last = "";
  /** Not decided yet: it begins with a mark, or with the beginning of one. */
  #held = "";

  constructor(offered: readonly OfferedTool[]) {
    this.#offered = new Map(offered.map(({ name, parameters }) => [name, parameters]));
    this.#forms = offered.length === 0 ? [] : callForms;
    this.#marks = [...endTokens, ...this.#forms.map(({ open }) => open)];
  }

  /** The text that is surely text. */
  add(text: string): string {
    let given = "";
    let rest = this.#held + text;
    this.#held = "";
    while (rest !== "") {
      const start = this.#markIn(rest);
      given += this.#say(rest.slice(0, start));
      rest = rest.slice(start);
      if (this.#isOpen(rest)) {
        this.#held = rest;
        break;
      }
      given += this.#say(rest.slice(0, 1));
      rest = rest.slice(1);
    }
    return given;
  }

  /** What is left once the answer has ended. `hasCalls`: the server has found calls itself, so that their text is none. */
  end(hasCalls = false): { readonly text: string; readonly calls: readonly WrittenCall[] } {
    const held = this.#held;
    this.#held = "";
    const bare = withoutEndTokens(held);
    if (bare === "") return { text: "", calls: [] };
    const form = this.#formOf(bare);
    const calls = form && this.#callsIn(bare, form);
    if (calls) return { text: "", calls: hasCalls ? [] : calls };
    return hasCalls && form?.open === bare.trim() ? { text: "", calls: [] } : { text: bare, calls: [] };
  }

  #callsIn(text: string, form: CallForm): readonly WrittenCall[] | undefined {
    const parametersOf: ParametersOf = (name) => this.#offered.get(name);
    const calls = form.read(text.slice(form.open.length), parametersOf);
    return calls?.every(({ name }) => this.#offered.has(name)) ? calls : undefined;
  }

  #say(text: string): string {
    if (this.#head.length < headLength) this.#head = (this.#head + text).slice(0, headLength);
    this.#last = text.slice(-1) || this.#last;
    this.#said += text;
    this.#fences.see(text);
    return text;
  }

  /** Where the next mark begins, or what may become one; the length of the text if there is none. */
  #markIn(text: string): number {
    for (let index = 0; index < text.length; index++) {
      if (!markStarts.has(text.charAt(index))) continue;
      const part = text.slice(index, index + longestMark);
      if (this.#marks.some((mark) => part.startsWith(mark) || mark.startsWith(part))) return index;
    }
    return text.length;
  }

  /** True if a call in this form may begin after what was said. */
  #mayBegin({ isWhole }: CallForm): boolean {
    if (isWhole) return this.#isBlank;
    return (
      !/["'`]$/.test(this.#said.slice(-1)) && !this.#fences.isOpen && bareAnswer(this.#said) !== undefined
    );
  }

  /** True if nothing but reasoning was said. Mostly the start of it is enough, because objects are frequent in code. */
  get #isBlank(): boolean {
    if (this.#head.trim() !== "" && !reasoningStart.test(this.#head)) return false;
    return bareAnswer(this.#said) === "";
  }

  /** True if a text that begins with a mark may still be tokens or calls up to its end. */
  #isOpen(text: string): boolean {
    if (text === "" || text.length > maxHeld) return false;
    const token = endTokens.find((one) => text.startsWith(one));
    if (token !== undefined) {
      const rest = text.slice(token.length).trimStart();
      return rest === "" || endTokens.some((one) => one.startsWith(rest)) || this.#isTokenNext(rest);
    }
    const part = text.slice(0, longestMark);
    if (endTokens.some((one) => one.startsWith(part))) return true;
    return this.#forms.some((form) => {
      const { open } = form;
      if (!part.startsWith(open) && !open.startsWith(part)) return false;
      if (!this.#mayBegin(form)) return false;
      return open.startsWith(part) || this.#mayGoOn(form, text.slice(open.length));
    });
  }

  #isTokenNext(rest: string): boolean {
    return endTokens.some((token) => rest.startsWith(token)) && this.#isOpen(rest);
  }

  #formOf(text: string): CallForm | undefined {
    return this.#forms.find((form) => text.startsWith(form.open) && this.#mayBegin(form));
  }

  /** Nothing but another call and the end of the turn may follow a complete call. */
  #mayGoOn({ open, begins, close }: CallForm, text: string): boolean {
    if (!begins.test(text)) return false;
    const end = close === undefined ? -1 : text.lastIndexOf(close);
    if (close === undefined || end < 0) return true;
    const rest = text.slice(end + close.length).trim();
    return (
      rest === "" ||
      [open, "</tool_call>", ...endTokens].some((mark) => mark.startsWith(rest) || rest.startsWith(mark))
    );
  }
}

const markStarts = new Set(
  [...endTokens, ...callForms.map(({ open }) => open)].map((mark) => mark.charAt(0)),
);

function withoutEndTokens(text: string): string {
  let bare = text;
  for (;;) {
    const trimmed = bare.trimEnd();
    const token = endTokens.find((one) => trimmed.endsWith(one));
    if (token === undefined) return bare;
    bare = trimmed.slice(0, -token.length);
  }
}

/** Characters in which the start tag of a reasoning stands. */
const headLength = 64;
const reasoningStart = /^\s*<(?:think|thought|reasoning)/i;
const reasoningTag = /<(\/?)(?:think|thinking|thought|reasoning)>/gi;

/** The answer after its reasoning; undefined if the text ends within the reasoning. */
function bareAnswer(text: string): string | undefined {
  if (!reasoningStart.test(text)) return text.trim();
  const last = [...text.matchAll(reasoningTag)].at(-1);
  if (!last) return text.trim();
  return last[1] === "/" ? text.slice(last.index + last[0].length).trim() : undefined;
}

/** Characters of a line that tell whether it begins or ends a code block. */
const lineStart = 6;

/** Code blocks of a text that arrives in pieces. */
class FenceWatch {
  #fence = "";
  /** The beginning of the current line. */
  #line = "";

  /** True at the end of the text so far, if that is within a code block. */
  get isOpen(): boolean {
    return this.#after() !== "";
  }

  see(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#add(text.slice(start, end));
      this.#fence = this.#after();
      this.#line = "";
      start = end + 1;
    }
    this.#add(text.slice(start));
  }

  #add(text: string): void {
    if (this.#line.length < lineStart) this.#line = (this.#line + text).slice(0, lineStart);
  }

  /** The fence that is open after the current line. */
  #after(): string {
    const [, mark = ""] = /^ {0,3}(```|~~~)/.exec(this.#line) ?? [];
    if (this.#fence === "") return mark;
    return mark === this.#fence ? "" : this.#fence;
  }
}
