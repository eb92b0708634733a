import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { checkedUri } from "../../../../tools/files/editorFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import type { BackgroundTabs } from "./backgroundTabs.ts";
import { askService } from "./languageServices.ts";
import { fileProblemsText, problemsText } from "./problems.ts";
import { bounded, maxLines, openedUri, shownPlace, symbolPlace } from "./shownLines.ts";

/** Tools that ask the language services of the editor. */
export function createLanguageTools(tabs: BackgroundTabs): readonly ChatTool[] {
  const path = { type: "string", description: "Path relative to the workspace, with /." };
  return [
    {
      ...builtIn("read_problems", "Read problems", "read"),
      description:
        "Lists the errors and warnings that the language services of the editor report: of a file, after they have looked at it, or of the files that they have looked at.",
      parameters: toolSchema({ path }, ["path"]),
      summary: (input) => `Read the problems of ${inputText(input, "path") || "the workspace"}`,
      run: async (input, signal) =>
        inputText(input, "path") === ""
          ? problemsText()
          : fileProblemsText(inputText(input, "path"), tabs, signal),
    },
    {
      ...builtIn("find_references", "Find references", "read"),
      description:
        "Finds the references of a symbol that is in a line of a file, by the language service of the editor.",
      parameters: toolSchema({
        path,
        line: { type: "integer", minimum: 1, description: "Line of the symbol, counted from 1." },
        symbol: { type: "string", minLength: 1, description: "Name of the symbol in that line." },
      }),
      summary: (input) => `Find references of ${inputText(input, "symbol")}`,
      run: (input, signal) => referencesText(input, signal),
    },
    {
      ...builtIn("find_symbols", "Find symbols", "read"),
      description:
        "Lists the symbols of a file with their lines, or finds symbols of the workspace by a part of their name, by the language services of the editor.",
      parameters: toolSchema({ path, query: { type: "string", description: "A part of the name." } }, [
        "path",
        "query",
      ]),
      summary: (input) =>
        inputText(input, "path") === ""
          ? `Find symbols “${inputText(input, "query")}”`
          : `Find symbols of ${inputText(input, "path")}`,
      run: (input, signal) => symbolsText(inputText(input, "path"), inputText(input, "query"), signal),
    },
  ];
}

type FoundSymbol = vscode.SymbolInformation | vscode.DocumentSymbol;

async function symbolsText(path: string, query: string, signal: AbortSignal): Promise<string> {
  if (path === "" && query === "") throw new Refusal("Name a path or a query.");
  const uri = path === "" ? undefined : await openedUri(path);
  const [command, given] = uri
    ? (["vscode.executeDocumentSymbolProvider", uri] as const)
    : (["vscode.executeWorkspaceSymbolProvider", query] as const);
  const found = await askService(
    () => vscode.commands.executeCommand<readonly FoundSymbol[] | undefined>(command, given),
    signal,
  );
  const lines = found.flatMap((symbol) => symbolLines(symbol, uri, query.toLowerCase(), ""));
  if (lines.length === 0) {
    const reason = found.length > 0 ? "" : " The language service may be starting, or not know the files.";
    return `No symbol was found.${reason} ${searchInstead}`;
  }
  const listed = bounded(lines);
  return uri ? listed : `${listed}\n(Only symbols of files that the language services have read are listed.)`;
}

const searchInstead = "Search the workspace for the text instead.";

/** A symbol of a file with those inside it, each with the names around it. */
function symbolLines(
  symbol: FoundSymbol,
  file: vscode.Uri | undefined,
  query: string,
  around: string,
): readonly string[] {
  const uri = "location" in symbol ? symbol.location.uri : file;
  const range = "location" in symbol ? symbol.location.range : symbol.selectionRange;
  const place = uri && shownPlace(uri, range.start.line);
  if (place === undefined) return [];
  const name = `${around}${symbol.name}`;
  // A provider of the workspace has its own way to match.
  const isFound = !file || symbol.name.toLowerCase().includes(query);
  const own = isFound ? [`${place}: ${vscode.SymbolKind[symbol.kind]} ${name}`] : [];
  const inside = "children" in symbol ? symbol.children : [];
  return [...own, ...inside.flatMap((child) => symbolLines(child, file, query, `${name}.`))];
}

async function referencesText(input: ToolInput, signal: AbortSignal): Promise<string> {
  const [path, symbol] = [inputText(input, "path"), inputText(input, "symbol")];
  const document = await vscode.workspace.openTextDocument(await checkedUri(path));
  const position = symbolPlace(document, path, Number(input.line), symbol);
  const found = await askService(
    () =>
      vscode.commands.executeCommand<readonly vscode.Location[] | undefined>(
        "vscode.executeReferenceProvider",
        document.uri,
        position,
      ),
    signal,
  );
  const lines = found.map(async ({ uri, range: { start } }, index) => {
    const place = shownPlace(uri, start.line);
    if (place === undefined) return [];
    // Only what is shown is opened.
    const text = index < maxLines ? await lineText(uri, start.line) : "";
    return [text === "" ? place : `${place}: ${text}`];
  });
  const shown = (await Promise.all(lines)).flat();
  if (shown.length === 0) return `No reference was found. ${searchInstead}`;
  return `${bounded(shown)}\n(A language service may not have read all files: search_workspace for ${symbol} finds what is missing here.)`;
}

async function lineText(uri: vscode.Uri, line: number): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).lineAt(line).text.trim();
  } catch {
    return "";
  }
}
