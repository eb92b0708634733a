import type { Name, Span, SyntaxProblem } from "./nodes.ts";
import type { Token } from "./tokens.ts";

/** Reads tokens in order and collects problems. */
export interface TokenReader {
  /** Looks ahead; 0 is the next token. */
  next(ahead?: number): Token | undefined;
  take(): Token | undefined;
  /** Takes the next token if it is this mark. */
  takeMark(mark: string): Token | undefined;
  /** Takes the next token as a name. Check first that it is a word. */
  takeWord(): Name;
  /** Skips all remaining tokens and returns the end of the last one. */
  skipAll(): number;
  problem(span: Span, message: string): void;
  readonly problems: readonly SyntaxProblem[];
  /** End of the last token that was taken. */
  readonly end: number;
}

export function createTokenReader(tokens: readonly Token[]): TokenReader {
  const problems: SyntaxProblem[] = [];
  let at = 0;
  const end = () => tokens[at - 1]?.end ?? tokens[0]?.start ?? 0;
  const take = () => (at < tokens.length ? tokens[at++] : undefined);
  return {
    next: (ahead = 0) => tokens[at + ahead],
    take,
    takeMark: (mark) => (tokens[at]?.kind === "mark" && tokens[at]?.text === mark ? take() : undefined),
    takeWord() {
      const { text, start, end: wordEnd } = take() ?? { text: "", start: end(), end: end() };
      return { text, start, end: wordEnd };
    },
    skipAll() {
      at = tokens.length;
      return end();
    },
    problem: ({ start, end }, message) => void problems.push({ start, end, message }),
    problems,
    get end() {
      return end();
    },
  };
}
