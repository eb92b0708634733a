import * as vscode from "vscode";
import * as z from "zod";
import { runErrorAction } from "../../platform/errorActions.ts";
import { type ErrorActionId, errorActionIds } from "../../shared/errorActions.ts";
import { renderers } from "../../shared/ids.ts";
import type { RpcOutputMessage } from "../../shared/rpcOutput.ts";
import type { History } from "./run/history.ts";
import { showComparison, showResult } from "./runDocuments.ts";

/** Handles the messages of the renderer. */
export function registerOutputMessages(history: History): vscode.Disposable {
  const messaging = vscode.notebooks.createRendererMessaging(renderers.rpc);
  return messaging.onDidReceiveMessage(({ message }) => {
    const received = Message.safeParse(message);
    if (received.success) void answer(history, received.data);
  });
}

const text = z.string().max(200);
/** Validated, because other renderers run in the same page. */
const Message = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("openResult"), runId: text, key: text }),
  z.strictObject({ type: z.literal("compare"), runId: text }),
  z.strictObject({ type: z.literal("errorAction"), runId: text, action: z.enum(errorActionIds) }),
]) satisfies z.ZodType<RpcOutputMessage>;

async function answer(history: History, message: z.infer<typeof Message>): Promise<void> {
  if (message.type === "errorAction") return act(history, message.runId, message.action);
  if (message.type === "openResult") return showResult(history, message.runId, message.key);
  if (message.type !== "compare") return;
  const { run, previous } = history.find(message.runId) ?? {};
  if (run && previous) return showComparison(history, previous, run, "Previous run ↔ this run");
  void vscode.window.showInformationMessage(
    "There is no earlier run of this cell to compare with. Run the cell again first.",
  );
}

/** Runs the action of an error; Retry runs the cell again. */
async function act(history: History, runId: string, id: ErrorActionId): Promise<void> {
  if (id !== "retry") return void (await runErrorAction(id));
  const found = history.find(runId);
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = found && cells.find(found.isOf);
  if (!cell) return;
  const ranges = [{ start: cell.index, end: cell.index + 1 }];
  await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: cell.notebook.uri });
}
