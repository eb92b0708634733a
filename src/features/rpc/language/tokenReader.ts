import type { Name, Span, SyntaxProblem } from "./nodes.ts";
import type { Token } from "./tokens.ts";

/** Tokens, read from the front, and the problems that were met on the way. */
export interface TokenReader {
  /** The token `ahead` places on; 0 is the one to be taken next. */
  next(ahead?: number): Token | undefined;
  take(): Token | undefined;
  /** Takes the next token if it is this mark. */
  takeMark(mark: string): Token | undefined;
  /** Takes the next token as a name; ask for a word first. */
  takeWord(): Name;
  /** Takes all that is left, and returns where it ends. */
  skipAll(): number;
  problem(span: Span, message: string): void;
  readonly problems: readonly SyntaxProblem[];
  /** Where the token that was taken last ends. */
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
