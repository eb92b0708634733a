import * as vscode from "vscode";
import { languages, notebooks } from "../../shared/names/ids.ts";
import { type OpenProject, type Projects, toRange } from "../editor/explorer/projects.ts";
import { priceHints } from "../editor/notebookSum.ts";
import type { RpcController } from "../editor/run/controller.ts";
import type { EvmLoader } from "../evm/evmLoader.ts";
import { type Completion, complete } from "../language/assist/complete.ts";
import { formatCell } from "../language/assist/formatCell.ts";
import { hover } from "../language/assist/hover.ts";
import { foldsOf, inlayHints, nameAt, placesOf, signatureAt, symbolsOf } from "../language/assist/outline.ts";
import { variablesUsedIn } from "../language/assist/references.ts";
import { type Project, variableOfCell } from "../language/project.ts";
import { createQuickFixes, registerDiagnostics, registerRunMarks } from "./diagnostics.ts";

const selector: vscode.DocumentSelector = { notebookType: notebooks.rpc, language: languages.rpc };

/** Returns the last result of a name. */
export type ResultOf = (project: Project, cell: number, name: string) => unknown;

/** Registers diagnostics and the language features. Each wraps a function of `language/`. */
export function registerLanguage(
  projects: Projects,
  evm: EvmLoader,
  resultOf: ResultOf,
  controller: Pick<RpcController, "onDidRun">,
): vscode.Disposable {
  const { registerCompletionItemProvider, registerHoverProvider, registerSignatureHelpProvider } =
    vscode.languages;
  return vscode.Disposable.from(
    registerDiagnostics(projects, evm),
    registerRunMarks(controller),
    registerCompletionItemProvider(selector, createCompletion(projects), "@", "$", "{", '"', " "),
    registerHoverProvider(selector, createHover(projects, evm, resultOf)),
    registerSignatureHelpProvider(selector, createSignatures(projects), " ", ","),
    vscode.languages.registerCodeActionsProvider(selector, createQuickFixes(projects, evm)),
    vscode.languages.registerDefinitionProvider(selector, createDefinitions(projects)),
    vscode.languages.registerReferenceProvider(selector, createReferences(projects)),
    vscode.languages.registerRenameProvider(selector, createRename(projects)),
    vscode.languages.registerDocumentSymbolProvider(selector, createSymbols(projects)),
    vscode.languages.registerFoldingRangeProvider(selector, createFolds(projects)),
    vscode.languages.registerInlayHintsProvider(selector, createInlays(projects)),
    vscode.languages.registerDocumentFormattingEditProvider(selector, createFormatting(projects)),
  );
}

const kinds: Readonly<Record<Completion["kind"], vscode.CompletionItemKind>> = {
  method: vscode.CompletionItemKind.Method,
  keyword: vscode.CompletionItemKind.Keyword,
  name: vscode.CompletionItemKind.Variable,
  member: vscode.CompletionItemKind.Field,
  value: vscode.CompletionItemKind.Value,
  network: vscode.CompletionItemKind.EnumMember,
  function: vscode.CompletionItemKind.Function,
};

function createCompletion(projects: Projects): vscode.CompletionItemProvider {
  return {
    provideCompletionItems(document, position) {
      const found = projects.at(document);
      if (!found) return [];
      const offset = document.offsetAt(position);
      return complete(found.project, found.index, offset).map((one) =>
        toCompletionItem(document, position, one),
      );
    },
  };
}

function toCompletionItem(document: vscode.TextDocument, position: vscode.Position, one: Completion) {
  const item = new vscode.CompletionItem(one.label, kinds[one.kind]);
  item.detail = one.detail;
  item.sortText = `${one.rank.toFixed(2).padStart(6, "0")} ${one.label}`;
  item.insertText = one.insert ?? one.label;
  // The range of a completion must be on one line and contain the cursor.
  const range = toRange(document, one);
  if (range.isSingleLine && range.contains(position)) item.range = range;
  item.filterText = document.getText(range).startsWith('"') ? JSON.stringify(one.label) : one.label;
  if (one.documentation) item.documentation = one.documentation;
  if (one.refused) item.tags = [vscode.CompletionItemTag.Deprecated];
  return item;
}

function createHover(projects: Projects, evm: EvmLoader, resultOf: ResultOf): vscode.HoverProvider {
  return {
    provideHover(document, position) {
      const found = projects.at(document);
      if (!found) return undefined;
      const { project, index } = found;
      const checksummed = evm.loaded?.checksummed;
      const help = hover(project, index, document.offsetAt(position), {
        resultOf: (cell, name) => resultOf(project, cell, name),
        ...(checksummed ? { checksummed } : {}),
      });
      if (!help) return undefined;
      return new vscode.Hover(
        help.lines.map((line) => new vscode.MarkdownString(line)),
        toRange(document, help),
      );
    },
  };
}

function createSignatures(projects: Projects): vscode.SignatureHelpProvider {
  return {
    provideSignatureHelp(document, position) {
      const found = projects.at(document);
      const signature = found && signatureAt(found.project, found.index, document.offsetAt(position));
      if (!signature) return undefined;
      const help = new vscode.SignatureHelp();
      const information = new vscode.SignatureInformation(signature.label);
      information.parameters = signature.params.map((param) => new vscode.ParameterInformation(param));
      help.signatures = [information];
      help.activeSignature = 0;
      help.activeParameter = signature.active;
      return help;
    },
  };
}

/** The uses of the name under the cursor in the whole notebook. */
function namedPlaces(projects: Projects, document: vscode.TextDocument, position: vscode.Position) {
  const found = projects.at(document);
  const name = found && nameAt(found.project, found.index, document.offsetAt(position));
  return name && { ...name, open: found, places: placesOf(found.project, name.definition) };
}

function toLocation(
  { cells }: OpenProject,
  place: { cell: number; start: number; end: number },
): vscode.Location[] {
  const document = cells[place.cell]?.document;
  return document ? [new vscode.Location(document.uri, toRange(document, place))] : [];
}

function createDefinitions(projects: Projects): vscode.DefinitionProvider {
  return {
    provideDefinition(document, position) {
      const named = namedPlaces(projects, document, position);
      return named ? toLocation(named.open, named.definition) : variablePlace(projects, document, position);
    },
  };
}

/** The line of a variable in its file. */
function variablePlace(
  projects: Projects,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.Location | undefined {
  const open = projects.at(document);
  const cell = open?.project.cells[open.index]?.cell;
  if (!open || cell?.form !== "lines") return undefined;
  const offset = document.offsetAt(position);
  const use = variablesUsedIn(cell).variables.find(({ start, end }) => start <= offset && offset <= end);
  const found = use && variableOfCell(open.project, open.index, use.name);
  if (!found || "problem" in found || found.uri === undefined) return undefined;
  return new vscode.Location(vscode.Uri.parse(found.uri), new vscode.Position(found.variable.line, 0));
}

function createReferences(projects: Projects): vscode.ReferenceProvider {
  return {
    provideReferences(document, position) {
      const named = namedPlaces(projects, document, position);
      return named?.places.flatMap((place) => toLocation(named.open, place)) ?? [];
    },
  };
}

function createRename(projects: Projects): vscode.RenameProvider {
  return {
    prepareRename(document, position) {
      const named = namedPlaces(projects, document, position);
      if (!named || named.definition.statement < 0) throw new Error("There is no name to rename here");
      return toRange(document, named.at);
    },
    provideRenameEdits(document, position, name) {
      if (!/^[A-Za-z_]\w*$/.test(name))
        throw new Error("A name can contain letters, digits and _, and must not start with a digit");
      const named = namedPlaces(projects, document, position);
      const edit = new vscode.WorkspaceEdit();
      for (const location of named?.places.flatMap((place) => toLocation(named.open, place)) ?? []) {
        edit.replace(location.uri, location.range, name);
      }
      return edit;
    },
  };
}

const symbolKinds = {
  constant: vscode.SymbolKind.Constant,
  request: vscode.SymbolKind.Method,
  directive: vscode.SymbolKind.Property,
} as const;

function createSymbols(projects: Projects): vscode.DocumentSymbolProvider {
  return {
    provideDocumentSymbols(document) {
      const cell = cellOf(projects, document);
      if (cell?.form !== "lines") return [];
      return symbolsOf(cell).map(({ name, detail, kind, ...span }) => {
        const range = toRange(document, span);
        return new vscode.DocumentSymbol(name, detail, symbolKinds[kind], range, range);
      });
    },
  };
}

function createFolds(projects: Projects): vscode.FoldingRangeProvider {
  return {
    provideFoldingRanges(document) {
      const cell = cellOf(projects, document);
      if (cell?.form !== "lines") return undefined;
      return foldsOf(cell).map(({ from, to }) => new vscode.FoldingRange(from, to));
    },
  };
}

function createInlays(projects: Projects): vscode.InlayHintsProvider {
  return {
    provideInlayHints(document) {
      const found = projects.at(document);
      if (!found) return [];
      const { project, index } = found;
      return [...inlayHints(project, index), ...priceHints(project, index)].map(({ at, text, tooltip }) => {
        const hint = new vscode.InlayHint(document.positionAt(at), text);
        hint.tooltip = tooltip;
        hint.paddingLeft = true;
        return hint;
      });
    },
  };
}

function createFormatting(projects: Projects): vscode.DocumentFormattingEditProvider {
  return {
    provideDocumentFormattingEdits(document) {
      const cell = cellOf(projects, document);
      return cell
        ? formatCell(cell).map((edit) => vscode.TextEdit.replace(toRange(document, edit), edit.text))
        : [];
    },
  };
}

function cellOf(projects: Projects, document: vscode.TextDocument) {
  const found = projects.at(document);
  return found?.project.cells[found.index]?.cell;
}
