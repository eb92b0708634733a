import * as vscode from "vscode";
import { notebooks } from "../../../shared/names/ids.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { EvmLoader } from "../../evm/evmLoader.ts";
import { refusalOf } from "../../language/check/diagnose/diagnose.ts";
import { expectationsOf } from "../../language/project.ts";
import type { RpcExpectation } from "../../output/rpcOutput.ts";
import { expectationText, failureOf, isFine, unmetText } from "../../run/output.ts";
import type { RpcController } from "../run/controller.ts";
import type { EndedRun } from "../run/executeCell.ts";
import { changesText, type Projects } from "./projects.ts";

/** Debounce while typing (ms). */
const settleMs = 300;
const maxTitle = 80;

type TestDeps = {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly controller: Pick<RpcController, "onDidRun" | "reported">;
};

/**
 * The Testing view's tests: each cell with `expect` lines of the open notebooks. A test runs its cell in the notebook,
 * with the same prices and questions, and each run in the notebook is a result of its test.
 */
export function registerTests(deps: TestDeps): vscode.Disposable {
  const { projects, controller } = deps;
  const runner = createRunner(deps);
  // Created with the first test: without tests there is no Testing view.
  let tests: vscode.TestController | undefined;
  const timers = new Map<vscode.NotebookDocument, NodeJS.Timeout>();
  const update = (notebook: vscode.NotebookDocument) => {
    timers.delete(notebook);
    const cells = notebook.isClosed ? [] : [...cellsOf(projects, notebook)];
    if (cells.length > 0) {
      tests ??= createTests(runner);
      showTests(tests, notebook, cells);
    } else tests?.items.delete(notebook.uri.toString());
  };
  const schedule = (notebook: vscode.NotebookDocument) => {
    if (notebook.notebookType !== notebooks.rpc) return;
    clearTimeout(timers.get(notebook));
    timers.set(notebook, setTimeout(update, settleMs, notebook));
  };
  const onRun = (ended: EndedRun) => {
    if (runner.takes(ended)) return;
    const { notebook, document } = ended.cell;
    const item = tests?.items.get(notebook.uri.toString())?.children.get(document.uri.toString());
    if (!tests || !item) return;
    const testRun = tests.createTestRun(new vscode.TestRunRequest([item]), undefined, false);
    report(testRun, item, ended);
    testRun.end();
  };
  vscode.workspace.notebookDocuments.forEach(schedule);
  return vscode.Disposable.from(
    controller.onDidRun(onRun),
    vscode.workspace.onDidOpenNotebookDocument(schedule),
    vscode.workspace.onDidChangeNotebookDocument((event) => {
      if (changesText(event)) schedule(event.notebook);
    }),
    vscode.workspace.onDidCloseNotebookDocument(schedule),
    {
      dispose() {
        for (const timer of timers.values()) clearTimeout(timer);
        tests?.dispose();
      },
    },
  );
}

function createTests(runner: Runner): vscode.TestController {
  const tests = vscode.tests.createTestController(notebooks.rpc, "RPC Notebooks");
  const { Run, Debug } = vscode.TestRunProfileKind;
  tests.createRunProfile("Run", Run, (request, token) => runner.run(tests, request, token, false), true);
  // There is no code to step through: the cell is shown with its requests, results and times.
  const name = "Run and Show in Notebook";
  tests.createRunProfile(name, Debug, (request, token) => runner.run(tests, request, token, true), true);
  return tests;
}

function showTests(
  tests: vscode.TestController,
  notebook: vscode.NotebookDocument,
  cells: readonly (readonly [id: string, cell: vscode.NotebookCell])[],
): void {
  const id = notebook.uri.toString();
  const item = tests.items.get(id) ?? tests.createTestItem(id, nameOf(notebook), notebook.uri);
  item.children.replace(
    cells.map(([cellId, { document }], order) => {
      const child = item.children.get(cellId) ?? tests.createTestItem(cellId, "", document.uri);
      child.label = titleOf(document);
      child.sortText = String(order).padStart(5, "0");
      child.range = document.lineAt(0).range;
      return child;
    }),
  );
  tests.items.add(item);
}

interface Runner {
  /** Runs the tests of a request. `reveals`: shows the first cell in its notebook, with the focus. */
  run(
    tests: vscode.TestController,
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    reveals: boolean,
  ): Promise<void>;
  /** True if a run of a cell belongs to a test that this runner started. */
  takes(ended: EndedRun): boolean;
}

function createRunner({ projects, evm, controller }: TestDeps): Runner {
  /** Tests whose cells are running, and receive their results. */
  const awaited = new Map<vscode.NotebookCell, (ended: EndedRun) => void>();
  const refusalOfCell = ({ document }: vscode.NotebookCell): string | undefined => {
    const found = projects.at(document);
    return found && refusalOf(found.project, found.index, evm.loaded);
  };
  /** The items whose cells can run. The others are reported at once. */
  const takeItems = (
    testRun: vscode.TestRun,
    cells: ReadonlyMap<string, vscode.NotebookCell>,
    items: readonly vscode.TestItem[],
  ) => {
    const waiting = new Map<vscode.NotebookCell, vscode.TestItem>();
    for (const item of items) {
      const cell = cells.get(item.id);
      const refusal = cell && refusalOfCell(cell);
      if (!cell) testRun.skipped(item);
      else if (refusal !== undefined) testRun.errored(item, new vscode.TestMessage(refusal));
      else waiting.set(cell, item);
    }
    return waiting;
  };
  /** All cells are one execution, so that the question about its cost is about the sum. */
  const runNotebook = async (
    testRun: vscode.TestRun,
    [notebook, items]: readonly [vscode.NotebookDocument, readonly vscode.TestItem[]],
    token: vscode.CancellationToken,
    reveals: boolean,
  ) => {
    const cells = new Map(cellsOf(projects, notebook));
    const waiting = takeItems(testRun, cells, items);
    const [first] = waiting.keys();
    if (!first) return;
    const editor = await vscode.window.showNotebookDocument(notebook, { preserveFocus: !reveals });
    if (reveals) showCell(editor, first);
    for (const [cell, item] of waiting) {
      testRun.started(item);
      controller.reported.add(cell);
      awaited.set(cell, (ended) => {
        waiting.delete(cell);
        report(testRun, item, ended);
      });
    }
    const ranges = [...waiting.keys()].map(({ index }) => ({ start: index, end: index + 1 }));
    const cancel = () => vscode.commands.executeCommand("notebook.cancelExecution", notebook.uri);
    const stopping = token.onCancellationRequested(() => void cancel());
    try {
      await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
    } finally {
      stopping.dispose();
      for (const cell of cells.values()) {
        awaited.delete(cell);
        controller.reported.delete(cell);
      }
    }
    for (const item of waiting.values())
      if (token.isCancellationRequested) testRun.skipped(item);
      else
        testRun.errored(item, new vscode.TestMessage("The run ended before this cell, so it was not sent."));
  };
  return {
    async run(tests, request, token, reveals) {
      const testRun = tests.createTestRun(request);
      try {
        for (const wanted of wantedItems(tests, request))
          if (!token.isCancellationRequested) await runNotebook(testRun, wanted, token, reveals);
      } finally {
        testRun.end();
      }
    },
    takes(ended) {
      const take = awaited.get(ended.cell);
      take?.(ended);
      return take !== undefined;
    },
  };
}

function showCell(editor: vscode.NotebookEditor, { index }: vscode.NotebookCell): void {
  const range = new vscode.NotebookRange(index, index + 1);
  editor.selections = [range];
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** The cells with expectations, by the ids of their tests. */
function cellsOf(
  projects: Projects,
  notebook: vscode.NotebookDocument,
): readonly (readonly [id: string, cell: vscode.NotebookCell])[] {
  const { cells, project } = projects.of(notebook);
  return cells.flatMap((cell, index): (readonly [string, vscode.NotebookCell])[] => {
    const parsed = project.cells[index]?.cell;
    const hasTests = parsed?.form === "lines" && expectationsOf(parsed).length > 0;
    return hasTests ? [[cell.document.uri.toString(), cell]] : [];
  });
}

/** The tests of a request by notebook, in order. A notebook's own item means all its tests. */
function wantedItems(
  { items }: vscode.TestController,
  { include, exclude = [] }: vscode.TestRunRequest,
): ReadonlyMap<vscode.NotebookDocument, readonly vscode.TestItem[]> {
  const wanted = new Map<vscode.NotebookDocument, vscode.TestItem[]>();
  const add = (item: vscode.TestItem) => {
    if (exclude.includes(item)) return;
    if (!item.parent) item.children.forEach(add);
    const id = item.parent?.id;
    const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === id);
    const list = notebook && (wanted.get(notebook) ?? []);
    if (notebook && list && !list.includes(item)) wanted.set(notebook, [...list, item]);
  };
  if (include) include.forEach(add);
  else items.forEach(add);
  return wanted;
}

function report(testRun: vscode.TestRun, item: vscode.TestItem, { cell, output }: EndedRun): void {
  const { expectations = [], total } = output ?? {};
  for (const one of expectations)
    testRun.appendOutput(`${visibleLine(expectationText(one))}\r\n`, undefined, item);
  if (output && isFine(output)) {
    testRun.passed(item, total?.ms);
    return;
  }
  const messages = expectations
    .filter(({ state }) => state === "failed" || state === "broken")
    .map((one) => messageOf(one, cell.document));
  const reason = output ? visibleLine(failureOf(output)) : "The result could not be shown.";
  if (messages.length > 0) testRun.failed(item, messages, total?.ms);
  else testRun.errored(item, new vscode.TestMessage(reason), total?.ms);
}

function messageOf(expectation: RpcExpectation, document: vscode.TextDocument): vscode.TestMessage {
  const { expected, actual, line } = expectation;
  const text = visibleLine(unmetText(expectation));
  const message =
    expected === undefined || actual === undefined
      ? new vscode.TestMessage(text)
      : vscode.TestMessage.diff(text, expected, actual);
  const { range } = document.lineAt(Math.min(line, document.lineCount - 1));
  message.location = new vscode.Location(document.uri, range);
  return message;
}

function nameOf({ uri }: vscode.NotebookDocument): string {
  return fileName(uri.path);
}

/** The first line of a cell that is no directive. */
function titleOf(document: vscode.TextDocument): string {
  const lines = document.getText().slice(0, 2_000).split(/\r?\n/);
  const title = lines.find((line) => line.trim() !== "" && !/^\s*[@#]/.test(line)) ?? "";
  return visibleLine(title.trim().slice(0, maxTitle)) || "Cell";
}
