import * as vscode from "vscode";
import { notebooks } from "../../shared/names/ids.ts";
import { changesText, type Projects, toRange } from "../editor/explorer/projects.ts";
import type { RpcController } from "../editor/run/controller.ts";
import type { EvmLoader } from "../evm/evmLoader.ts";
import { diagnose, mixedAddresses } from "../language/check/diagnose/diagnose.ts";
import type { Problem } from "../language/check/problems.ts";
import type { RpcExpectation, RpcLine } from "../output/rpcOutput.ts";
import { unmetText } from "../run/output.ts";
import { planCell } from "../run/plan/plan.ts";
import { keyProblems } from "../run/plan/requestKey.ts";

/** Debounce while typing (ms). */
const settleMs = 150;

/** Shows problems as diagnostics before anything is sent. */
export function registerDiagnostics(projects: Projects, evm: EvmLoader): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("inference-rpc");
  const timers = new Map<vscode.NotebookDocument, NodeJS.Timeout>();
  const check = (notebook: vscode.NotebookDocument) => {
    timers.delete(notebook);
    if (notebook.isClosed) return;
    const { cells, project } = projects.of(notebook);
    cells.forEach(({ document }, index) => {
      const problems = [
        ...diagnose(project, index, evm.loaded),
        ...keyProblems(project, planCell(project, index)),
      ];
      collection.set(
        document.uri,
        problems.map((one) => toDiagnostic(document, one)),
      );
    });
    const wantsEvm = project.cells.some(
      ({ cell }) =>
        /\b(call|logs)[ \t]|\b(abi|topic|keccak)\(/.test(cell.text) || mixedAddresses(cell.text).length > 0,
    );
    if (wantsEvm && !evm.loaded) void evm.load().then(() => schedule(notebook));
  };
  const schedule = (notebook: vscode.NotebookDocument) => {
    if (notebook.notebookType !== notebooks.rpc) return;
    clearTimeout(timers.get(notebook));
    timers.set(notebook, setTimeout(check, settleMs, notebook));
  };
  vscode.workspace.notebookDocuments.forEach(schedule);
  return vscode.Disposable.from(
    collection,
    projects.onDidChangeFiles(() => vscode.workspace.notebookDocuments.forEach(schedule)),
    vscode.workspace.onDidOpenNotebookDocument(schedule),
    vscode.workspace.onDidChangeNotebookDocument((event) => {
      if (changesText(event)) schedule(event.notebook);
    }),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const { document } of notebook.getCells()) collection.delete(document.uri);
    }),
    { dispose: () => timers.forEach((timer) => void clearTimeout(timer)) },
  );
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Information,
} as const;

function toDiagnostic(document: vscode.TextDocument, problem: Problem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    toRange(document, problem),
    problem.message,
    severities[problem.severity],
  );
  diagnostic.source = "Inference RPC";
  diagnostic.code = problem.code;
  return diagnostic;
}

/** Quick fixes for the problems in a range. */
export function createQuickFixes(projects: Projects, evm: EvmLoader): vscode.CodeActionProvider {
  return {
    provideCodeActions(document, range) {
      const found = projects.at(document);
      if (!found) return [];
      const from = document.offsetAt(range.start);
      const to = document.offsetAt(range.end);
      const problems = diagnose(found.project, found.index, evm.loaded);
      return problems
        .filter(({ start, end }) => start <= to && from <= end)
        .flatMap((problem) => problem.fixes.map((fix) => toAction(document, problem, fix)));
    },
  };
}

function toAction(
  document: vscode.TextDocument,
  problem: Problem,
  { title, edits }: Problem["fixes"][number],
) {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const edit of edits) action.edit.replace(document.uri, toRange(document, edit), edit.text);
  action.diagnostics = [toDiagnostic(document, problem)];
  action.isPreferred = problem.fixes.length === 1;
  return action;
}

/**
 * Marks the lines that the service refused in the last run and the expectations that were not met, until their cell is
 * changed or run again.
 */
export function registerRunMarks({ onDidRun }: Pick<RpcController, "onDidRun">): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("inference-rpc-refused");
  return vscode.Disposable.from(
    collection,
    onDidRun(({ cell, output }) => {
      const lines = output?.lines ?? [];
      const marks = [
        ...lines.flatMap((line) => refusalsOf(cell.document, line)),
        ...unmetOf(cell.document, output?.expectations ?? []),
      ];
      if (marks.length > 0) collection.set(cell.document.uri, marks);
      else if (collection.has(cell.document.uri)) collection.delete(cell.document.uri);
    }),
    // The URIs of cells can be reused by the next notebook.
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const { document } of notebook.getCells()) collection.delete(document.uri);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (collection.has(document.uri)) collection.delete(document.uri);
    }),
  );
}

function refusalsOf(document: vscode.TextDocument, { line, outcome }: RpcLine): vscode.Diagnostic[] {
  if (outcome.kind !== "unsent" || !outcome.refused || line >= document.lineCount) return [];
  const diagnostic = new vscode.Diagnostic(document.lineAt(line).range, outcome.reason);
  diagnostic.source = "Inference RPC";
  return [diagnostic];
}

/** One mark for each line: of the first network on which it was not met. */
function unmetOf(
  document: vscode.TextDocument,
  expectations: readonly RpcExpectation[],
): readonly vscode.Diagnostic[] {
  const unmet = expectations.filter(({ state, line }) => state !== "passed" && line < document.lineCount);
  const several = new Set(expectations.map(({ network }) => network)).size > 1;
  const byLine = new Map(unmet.toReversed().map((one) => [one.line, one]));
  return [...byLine.values()].map((one) => {
    const network = several ? ` on ${one.network}` : "";
    const diagnostic = new vscode.Diagnostic(document.lineAt(one.line).range, `${unmetText(one)}${network}`);
    diagnostic.source = "Inference RPC";
    diagnostic.code = "expectation";
    return diagnostic;
  });
}
