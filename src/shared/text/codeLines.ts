import { indentOf } from "./indent.ts";

/** The indentation of a line in columns. */
export function indentWidth(line: string): number {
  let width = 0;
  for (const sign of indentOf(line)) width += sign === "\t" ? 4 : 1;
  return width;
}

export function isWritten(line: string): boolean {
  return line.trim() !== "";
}

const commentStart = /^(?:\/\/|#(?![\w[!])|\/\*|\*|\{\/\*|<!--|--(?!\w*:)|;+\s|""")/;

/** True if a line is a comment or a part of one. */
export function isComment(line: string): boolean {
  return commentStart.test(line.trim());
}
