import { asciiLowerCase } from "../../shared/text/asciiLowerCase.ts";

/**
 * The tags between which models write their reasoning if their server does not separate it: DeepSeek-R1, Qwen, GLM and
 * many others (`think`), Claude-like prompts (`thinking`), Seed-OSS, Magistral, Command A, Kimi-VL, OpenThinker.
 */
const tagPairs: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<thoughts>", "</thoughts>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["[think]", "[/think]"],
  ["<|start_thinking|>", "<|end_thinking|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["◁think▷", "◁/think▷"],
  // gpt-oss, of a server that does not know its format: reasoning is a message of its own.
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"],
];

/** Heads of the message of gpt-oss that is the answer. They are no text. */
const answerHeads: readonly string[] = [
  "<|channel|>final<|message|>",
  "<|start|>assistant<|channel|>final<|message|>",
  "<|channel|>commentary<|message|>",
  "<|start|>assistant<|channel|>commentary<|message|>",
];

/** The end tag of a model whose prompt already ends with the start tag, as DeepSeek-R1's does. */
const loneClose = "</think>";

/** A piece of an answer. `soFar`: a lone end tag showed that all text before it was reasoning. */
export type TaggedPiece =
  | { readonly part: "text" | "reasoning"; readonly text: string }
  | { readonly part: "soFar" };

/**
 * Splits the text of one answer into reasoning and text. Tags count at the start of the answer only, so that text about
 * them stays text; an end tag in quotes or backticks is text, too. Blank lines around the tags are dropped. Takes time in
 * proportion to the text, and holds back at most a tag and white space.
 */
export class ReasoningTags {
  #state: "start" | "reasoning" | "text" = "start";
  /** Not decided yet: white space and the beginning of a tag. */
  #held = "";
  #close = "";
  /** The next text follows an end tag, or a start tag: its leading white space is dropped. */
  #isTrimmed = false;
  /** The last character of the reasoning so far. */
  #before = "";
  readonly #lines = new LineWatch();

  add(text: string): TaggedPiece[] {
    const pieces: TaggedPiece[] = [];
    let rest = this.#held + text;
    this.#held = "";
    while (rest !== "") rest = this.#take(rest, pieces);
    return pieces;
  }

  /** The server separates the reasoning itself, so a lone end tag is text. */
  seeReasoning(): void {
    this.#lines.stop();
  }

  /** What is held back, once the answer has ended. */
  end(): TaggedPiece[] {
    const held = this.#held;
    this.#held = "";
    if (this.#state === "text") {
      if (held.trim().toLowerCase() === loneClose) return [{ part: "soFar" }];
      return held === "" ? [] : [{ part: "text", text: held }];
    }
    const part = this.#state === "reasoning" ? "reasoning" : "text";
    const text = part === "reasoning" ? held.trimEnd() : this.#isTrimmed ? held.trimStart() : held;
    return text === "" ? [] : [{ part, text }];
  }

  /** Returns the text that is still to be read. */
  #take(rest: string, pieces: TaggedPiece[]): string {
    if (this.#state === "start") return this.#takeStart(rest);
    if (this.#state === "reasoning") return this.#takeReasoning(rest, pieces);
    const { text, held, after } = this.#lines.add(rest);
    this.#held = held;
    if (text !== "") pieces.push({ part: "text", text });
    if (after === undefined) return "";
    pieces.push({ part: "soFar" });
    this.#lines.stop();
    this.#isTrimmed = true;
    this.#state = "start";
    return after;
  }

  #takeStart(given: string): string {
    const rest = this.#isTrimmed ? given.trimStart() : given;
    const start = rest.search(/[^\s\uFEFF]/);
    const begun = start < 0 ? "" : asciiLowerCase(rest.slice(start, start + longestTag));
    const pair = tagPairs.find(([open]) => begun.startsWith(open));
    if (pair) {
      this.#state = "reasoning";
      this.#close = pair[1];
      this.#isTrimmed = true;
      this.#lines.stop();
      return rest.slice(start + pair[0].length);
    }
    const head = answerHeads.find((one) => begun.startsWith(one));
    if (head !== undefined) {
      this.#state = "text";
      this.#lines.stop();
      return rest.slice(start + head.length);
    }
    // White space is held, too: without a tag it is part of the text.
    if (rest.length <= maxHeld && startMarks.some((mark) => mark.startsWith(begun))) {
      this.#held = rest;
      return "";
    }
    this.#state = "text";
    return rest;
  }

  #takeReasoning(given: string, pieces: TaggedPiece[]): string {
    const rest = this.#isTrimmed ? given.replace(/^\s+/, "") : given;
    if (rest === "") return "";
    this.#isTrimmed = false;
    const lower = asciiLowerCase(rest);
    for (let at = lower.indexOf(this.#close); at >= 0; at = lower.indexOf(this.#close, at + 1)) {
      const after = rest.charAt(at + this.#close.length);
      const before = at === 0 ? this.#before : rest.charAt(at - 1);
      if (isQuote(before)) {
        if (after === "") return this.#hold(rest, at - 1, pieces);
        if (after === before) continue;
      }
      this.#say(rest.slice(0, at).trimEnd(), pieces);
      this.#state = "start";
      this.#isTrimmed = true;
      return rest.slice(at + this.#close.length);
    }
    return this.#hold(rest, rest.length - beginningOf(lower, this.#close), pieces);
  }

  /** Says the reasoning up to `end` without the white space before it, and holds the rest. */
  #hold(rest: string, end: number, pieces: TaggedPiece[]): string {
    const whole = rest.slice(0, Math.max(0, end));
    const bare = whole.trimEnd();
    const said = rest.length - bare.length > maxHeld ? whole : bare;
    this.#say(said, pieces);
    this.#held = rest.slice(said.length);
    return "";
  }

  #say(text: string, pieces: TaggedPiece[]): void {
    if (text === "") return;
    this.#before = text.slice(-1);
    pieces.push({ part: "reasoning", text });
  }
}

/** Characters that are held back at most: more white space is said. */
const maxHeld = 1000;
const startMarks = [...tagPairs.map(([open]) => open), ...answerHeads];
const longestTag = Math.max(...startMarks.map((mark) => mark.length));

/** How many characters at the end of a text may be the beginning of a tag. */
function beginningOf(lower: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, lower.length); length > 0; length--)
    if (tag.startsWith(lower.slice(-length))) return length;
  return 0;
}

function isQuote(character: string): boolean {
  return character !== "" && "`'\"".includes(character);
}

const fenceLine = /^ {0,3}(```|~~~)/;
/** Characters at the start of a line that tell what it is. */
const lineStart = 24;

/**
 * Finds a lone end tag in an answer: a line of its own, outside of code blocks, with no start tag before it. Models whose
 * prompt ends with the start tag write the end tag only.
 */
class LineWatch {
  #isStopped = false;
  /** The beginning of the current line. */
  #line = "";
  /** The fence of the open code block. */
  #fence = "";
  /** The end of the text so far, in which a start tag may have begun. */
  #tail = "";

  stop(): void {
    this.#isStopped = true;
  }

  /** The text up to the tag, and the text after it; `held` is not decided yet. */
  add(text: string): { readonly text: string; readonly held: string; readonly after?: string } {
    let start = 0;
    while (!this.#isStopped) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      const segment = text.slice(start, end);
      const isAlone = this.#isTag(segment, newline >= 0);
      if (isAlone && newline >= 0)
        return { text: text.slice(0, start), held: "", after: text.slice(newline) };
      if (isAlone) return { text: text.slice(0, start), held: segment };
      this.#see(segment);
      if (newline < 0) break;
      this.#endLine();
      start = newline + 1;
    }
    return { text, held: "" };
  }

  /** True for a line that is the tag, or for a beginning of such a line. */
  #isTag(segment: string, isComplete: boolean): boolean {
    if (this.#fence !== "" || segment.length > lineStart || this.#line.trim() !== "") return false;
    const word = segment.trim().toLowerCase();
    return isComplete ? word === loneClose : word !== "" && loneClose.startsWith(word);
  }

  #see(segment: string): void {
    if (this.#line.length < lineStart) this.#line += segment.slice(0, lineStart);
    const recent = this.#tail + segment.toLowerCase();
    if (recent.includes("<think>")) this.stop();
    this.#tail = recent.slice(1 - "<think>".length);
  }

  #endLine(): void {
    const [, fence = ""] = fenceLine.exec(this.#line) ?? [];
    if (this.#fence === "") this.#fence = fence;
    else if (fence === this.#fence) this.#fence = "";
    this.#line = "";
    this.#tail = "";
  }
}

interface Said {
  readonly content?: string | null | undefined;
  readonly reasoning_content?: string | null | undefined;
  readonly ends_reasoning?: boolean;
}

/** A message that was not streamed, with its reasoning in the member for it. */
export function withoutReasoningTags<Message extends Said>(message: Message): Message {
  if (!message.content) return message;
  const tags = new ReasoningTags();
  if (message.reasoning_content) tags.seeReasoning();
  const pieces = [...tags.add(message.content), ...tags.end()];
  if (pieces.every(({ part }) => part === "text")) return message;
  const { ends_reasoning: _, ...whole } = withPieces(message, pieces);
  return whole as Message;
}

/** A delta with these pieces in place of its content. A lone end tag also concerns the deltas before. */
export function withPieces<Message extends Said>(delta: Message, pieces: readonly TaggedPiece[]): Message {
  let content = "";
  let reasoning = delta.reasoning_content ?? "";
  let endsReasoning = false;
  for (const piece of pieces) {
    if (piece.part === "text") content += piece.text;
    else if (piece.part === "reasoning") reasoning += piece.text;
    else {
      reasoning += content;
      content = "";
      endsReasoning = true;
    }
  }
  return {
    ...delta,
    content,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(endsReasoning ? { ends_reasoning: true } : {}),
  };
}
