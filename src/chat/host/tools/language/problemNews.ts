import type * as vscode from "vscode";
import { problemLines } from "./problems.ts";

const maxProblems = 10;
const maxLineLength = 300;

/** Problems that a file has got. */
export interface FileNews {
  readonly uri: vscode.Uri;
  readonly found: readonly vscode.Diagnostic[];
}

/** A list of problems below a title, errors first, of bounded length. Empty without problems. */
export function newsText(title: string, files: readonly FileNews[]): string {
  const lines = problemLines(files.flatMap(({ uri, found }) => found.map((problem) => ({ uri, problem }))));
  if (lines.length === 0) return "";
  const shown = lines.slice(0, maxProblems).map((line) => line.replace(/\s+/g, " ").slice(0, maxLineLength));
  const rest = lines.length > maxProblems ? [`(${lines.length - maxProblems} more: see read_problems)`] : [];
  return [title, ...shown, ...rest].join("\n");
}
