import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { toLineSpan } from "../../shared/lineSpan.ts";
import { reviewScheme } from "../../shared/names/ids.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import { isEmpty } from "../edit/text/span.ts";
import { chooseTarget, type SymbolSpan } from "./chooseTarget.ts";
import { isProseLine } from "./prose.ts";

/** The text that an action applies to. */
export interface EditTarget {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** Path in the workspace, or the file's name. */
  readonly name: string;
  /** True for text of a writer, false for code. */
  readonly isProse: boolean;
}

/** The target in the active editor, or why the editor has none. */
export async function findTarget(): Promise<EditTarget | string> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return "No file is open. Open one and select some text.";
  const { document, selections } = editor;
  if (document.uri.scheme === reviewScheme) return "Accept or reject these changes first.";
  const spans = selections.map(toLineSpan);
  const isPlain = spans.length === 1 && spans[0] !== undefined && !isEmpty(spans[0]);
  const line = (index: number) => document.lineAt(index).text;
  const { lineCount } = document;
  const isProse = isProseLine(document.languageId, spans[0]?.startLine ?? 0, { line, lineCount });
  const symbols = isPlain || isProse ? [] : await symbolsOf(document.uri);
  const { startLine, startCharacter, endLine, endCharacter } = chooseTarget({
    selections: spans,
    symbols,
    line,
    lineCount,
    isProse,
  });
  const range = new vscode.Range(startLine, startCharacter, endLine, endCharacter);
  return { document, range, name: documentName(document.uri), isProse };
}

function documentName(uri: vscode.Uri): string {
  const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isInFolder ? vscode.workspace.asRelativePath(uri) : basename(uri.path);
}

/** Timeout in milliseconds: a language server may still be starting. */
const symbolsTimeoutMs = 1_500;

async function symbolsOf(uri: vscode.Uri): Promise<SymbolSpan[]> {
  const request = vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >("vscode.executeDocumentSymbolProvider", uri);
  const found = await untilAborted(request, AbortSignal.timeout(symbolsTimeoutMs)).catch(() => undefined);
  return (found ?? []).flatMap(flatten);
}

const blocks: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Struct,
]);
const values: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Property,
  vscode.SymbolKind.Field,
  vscode.SymbolKind.Variable,
  vscode.SymbolKind.Constant,
]);

function flatten(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): SymbolSpan[] {
  const range = "location" in symbol ? symbol.location.range : symbol.range;
  const children = "children" in symbol ? symbol.children.flatMap(flatten) : [];
  if (!blocks.has(symbol.kind) && !values.has(symbol.kind)) return children;
  return [{ span: toLineSpan(range), isBlock: blocks.has(symbol.kind) }, ...children];
}
