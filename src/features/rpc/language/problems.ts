import type { TextEdit } from "./formatCell.ts";
import type { Span } from "./nodes.ts";

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Something to say about a cell, at its place in it. */
export interface Problem extends Span {
  readonly severity: "error" | "warning" | "hint";
  readonly code: string;
  readonly message: string;
  /** The cell can't be sent as long as this stands: the service would turn it away, or there is nothing to send. */
  readonly refuses: boolean;
  readonly fixes: readonly Fix[];
}

export function problem(span: Span, code: string, message: string, more: Partial<Problem> = {}): Problem {
  const { start, end } = span;
  return { start, end, severity: "error", code, message, refuses: true, fixes: [], ...more };
}

/** One edit as a fix. */
export function fix(title: string, { start, end }: Span, text: string): Fix {
  return { title, edits: [{ start, end, text }] };
}
