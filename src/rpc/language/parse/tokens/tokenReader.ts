import type { Name, Span, SyntaxProblem } from "../nodes.ts";
import type { Token } from "./tokens.ts";

/** Reads tokens in order and collects problems. */
export class TokenReader {
  readonly problems: SyntaxProblem[] = [];
  readonly #tokens: readonly Token[];
  #taken = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** End of the last token that was taken. */
  get end(): number {
    return this.#tokens[this.#taken - 1]?.end ?? this.#tokens[0]?.start ?? 0;
  }

  /** Looks ahead; 0 is the next token. */
  next(ahead = 0): Token | undefined {
    return this.#tokens[this.#taken + ahead];
  }

  take(): Token | undefined {
    return this.#taken < this.#tokens.length ? this.#tokens[this.#taken++] : undefined;
  }

  /** Takes the next token if it is this mark. */
  takeMark(mark: string): Token | undefined {
    const next = this.next();
    return next?.kind === "mark" && next.text === mark ? this.take() : undefined;
  }

  /** Takes the next token as a name. Check first that it is a word. */
  takeWord(): Name {
    const { text, start, end } = this.take() ?? { text: "", start: this.end, end: this.end };
    return { text, start, end };
  }

  /** Takes the tokens up to the next space as one name. */
  takeJoined(): Name {
    const first = this.takeWord();
    let { text, end } = first;
    for (let next = this.next(); next?.start === end; next = this.next()) {
      ({ end } = next);
      text += next.text;
      this.take();
    }
    return { text, start: first.start, end };
  }

  /** Skips all remaining tokens and returns the end of the last one. */
  skipAll(): number {
    this.#taken = this.#tokens.length;
    return this.end;
  }

  problem({ start, end }: Span, message: string): void {
    this.problems.push({ start, end, message });
  }
}
