import * as vscode from "vscode";
import type { Span } from "../language/nodes.ts";

export function toRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
