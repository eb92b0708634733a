import type { TextEdit } from "../assist/formatCell.ts";
import type { Span } from "../parse/nodes.ts";

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** A problem of a cell, at its position. */
export interface Problem extends Span {
  readonly severity: "error" | "warning" | "hint";
  readonly code: string;
  readonly message: string;
  /** True if the cell can't be sent: the service would refuse it, or the request can't be built. */
  readonly refuses: boolean;
  /** The method that is the problem, if only sending it would be refused. */
  readonly refusedMethod?: string;
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
