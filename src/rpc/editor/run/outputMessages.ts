import * as vscode from "vscode";
import * as z from "zod";
import { applyOrWarn } from "../../../platform/editor/changeDocument.ts";
import { runErrorAction } from "../../../platform/errors/errorActions.ts";
import { type ErrorActionId, errorActionIds } from "../../../shared/errorActions.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { renderers } from "../../../shared/names/ids.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import {
  missingInCsv,
  mostWhole,
  type RpcLookUp,
  type RpcOutputMessage,
  type RpcWholeMessage,
  rpcLookUps,
} from "../../output/rpcOutputMessage.ts";
import type { ContractAbi } from "../environment/contractAbi.ts";
import { networksOfNotebook, toCellData } from "../serializer.ts";
import type { History } from "./history.ts";
import { showComparison, showResult } from "./runDocuments.ts";

/** Handles the messages of the renderer. */
export function registerOutputMessages(history: History, abi: ContractAbi): vscode.Disposable {
  const messaging = vscode.notebooks.createRendererMessaging(renderers.rpc);
  return messaging.onDidReceiveMessage(({ message }) => {
    const received = Message.safeParse(message);
    if (!received.success) return;
    // All editors get it; the views of this run take it.
    if (received.data.type === "getWhole") void messaging.postMessage(wholeResult(history, received.data));
    else void answer(history, abi, received.data);
  });
}

const text = z.string().max(200);
const slug = z.string().regex(/^[a-z0-9-]{1,64}$/);
const count = z.int().nonnegative();
/** Characters of a CSV. Decimal numbers and quotes make a result longer. */
const mostCsv = 3 * mostWhole;
/** Validated, because other renderers run in the same page. */
const Message = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("openResult"), runId: text, key: text }),
  z.strictObject({ type: z.literal("getWhole"), runId: text, key: text }),
  z.strictObject({ type: z.literal("compare"), runId: text }),
  z.strictObject({
    type: z.literal("lookUp"),
    runId: text,
    network: slug,
    kind: z.enum(rpcLookUps),
    value: z.string().regex(/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i),
  }),
  z.strictObject({
    type: z.literal("getAbi"),
    runId: text,
    network: slug,
    address: z.string().regex(/^0x[0-9a-f]{40}$/i),
  }),
  z.strictObject({
    type: z.literal("saveCsv"),
    name: text,
    csv: z.string().max(mostCsv),
    extent: z.strictObject({ rows: count, cutRows: count, cutValues: count }),
  }),
  z.strictObject({ type: z.literal("errorAction"), runId: text, action: z.enum(errorActionIds) }),
]) satisfies z.ZodType<RpcOutputMessage>;

type Message = z.infer<typeof Message>;

/** Decoded as in the output. Empty if it is not stored any more, or too large for a view. */
function wholeResult(
  history: Pick<History, "find">,
  { runId, key }: Pick<Extract<Message, { type: "getWhole" }>, "runId" | "key">,
): RpcWholeMessage {
  const run = history.find(runId)?.run;
  const line = run?.output.lines.find((one) => one.key === key);
  const bytes = line?.outcome.kind === "result" ? line.outcome.bytes : Number.POSITIVE_INFINITY;
  const whole = bytes <= mostWhole ? run?.whole?.().lines.find((one) => one.key === key) : undefined;
  const result = whole?.outcome.kind === "result" ? exactJsonText(whole.outcome) : "";
  return { type: "whole", runId, key, result };
}

async function answer(
  history: History,
  abi: ContractAbi,
  message: Exclude<Message, { type: "getWhole" }>,
): Promise<void> {
  if (message.type === "errorAction") return act(history, message.runId, message.action);
  if (message.type === "openResult") return showResult(history, message.runId, message.key);
  if (message.type === "saveCsv") return saveCsv(message);
  if (message.type === "lookUp") return addLookUp(history, message);
  if (message.type === "getAbi") {
    const cell = cellOfRun(history, message.runId);
    return cell && abi.get({ ...message, cell });
  }
  const { run, previous } = history.find(message.runId) ?? {};
  if (run && previous) return showComparison(history, previous, run, "Previous run ↔ this run");
  void vscode.window.showInformationMessage(
    "There is no earlier run of this cell to compare with. Run the cell again first.",
  );
}

/** The lines that look something up. The new cell is not run, because its requests cost credits. */
const lookUpLines: Readonly<Record<RpcLookUp, (value: string) => string>> = {
  address: (address) => `eth_getBalance ${address} latest\neth_getTransactionCount ${address} latest`,
  transaction: (hash) => `eth_getTransactionByHash ${hash}\neth_getTransactionReceipt ${hash}`,
  block: (hash) => `eth_getBlockByHash ${hash} false`,
  replay: (hash) => `debug_traceTransaction ${hash} { tracer: callTracer }`,
};

/** Adds a cell below that of the run, and selects it. */
async function addLookUp(
  history: History,
  { runId, network, kind, value }: Extract<z.infer<typeof Message>, { type: "lookUp" }>,
): Promise<void> {
  const cell = cellOfRun(history, runId);
  if (!cell) return;
  const { notebook } = cell;
  const isUsual = networksOfNotebook(notebook.metadata).join() === network;
  const added = toCellData(lookUpLines[kind](value), isUsual ? {} : { networks: [network] });
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, [added])]);
  await applyOrWarn(edit);
  const range = new vscode.NotebookRange(cell.index + 1, cell.index + 2);
  const editor = vscode.window.visibleNotebookEditors.find((one) => one.notebook === notebook);
  if (!editor) return;
  editor.selections = [range];
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** The cell of a run, if its notebook is open. */
function cellOfRun(history: History, runId: string): vscode.NotebookCell | undefined {
  const found = history.find(runId);
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return found && cells.find(found.isOf);
}

async function saveCsv({
  name,
  csv,
  extent,
}: Extract<z.infer<typeof Message>, { type: "saveCsv" }>): Promise<void> {
  const part = extent.cutRows > 0 ? "-part" : "";
  const file = `${name.match(/[\w-]+/g)?.join("-") ?? "rows"}${part}.csv`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Save as CSV",
    filters: { CSV: ["csv"] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {}),
  });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(csv));
  } catch (error) {
    const reason = messageOf(error);
    void vscode.window.showErrorMessage(`The CSV was not saved: ${reason}. Choose another place.`);
    return;
  }
  const saved = `Saved ${target.path.split("/").at(-1)}`;
  const missing = missingInCsv(extent);
  if (missing === "") return void vscode.window.setStatusBarMessage(saved, 5000);
  const rows = extent.rows === 1 ? "1 row" : `${extent.rows.toLocaleString("en-US")} rows`;
  void vscode.window.showWarningMessage(`${saved} with ${rows}.${missing}`);
}

/** Runs the action of an error; Retry runs the cell again. */
async function act(history: History, runId: string, id: ErrorActionId): Promise<void> {
  if (id !== "retry") return void (await runErrorAction(id));
  const cell = cellOfRun(history, runId);
  if (!cell) return;
  const ranges = [{ start: cell.index, end: cell.index + 1 }];
  await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: cell.notebook.uri });
}
