import * as vscode from "vscode";
import * as z from "zod";
import { runErrorAction } from "../../platform/errorActions.ts";
import { type ErrorActionId, errorActionIds } from "../../shared/errorActions.ts";
import { exactText } from "../../shared/exactJson.ts";
import { renderers } from "../../shared/ids.ts";
import type { RpcOutputMessage } from "../../shared/rpcOutput.ts";
import type { History, PastRun } from "./run/history.ts";

/** Does what the views of outputs ask for: whole results and comparisons, as documents that are no files. */
export function createOutputMessages(history: History): vscode.Disposable {
  const messaging = vscode.notebooks.createRendererMessaging(renderers.rpc);
  const provider: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: (uri) => contentOf(history, uri),
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider),
    messaging.onDidReceiveMessage(({ message }) => {
      const heard = Message.safeParse(message);
      if (heard.success) void answer(history, heard.data);
    }),
  );
}

const scheme = "inference-rpc-result";

const text = z.string().max(200);
/** Outputs share their page with whatever else a notebook shows: nothing is taken from there unread. */
const Message = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("openResult"), runId: text, key: text }),
  z.strictObject({ type: z.literal("compare"), runId: text }),
  z.strictObject({ type: z.literal("errorAction"), runId: text, action: z.enum(errorActionIds) }),
]) satisfies z.ZodType<RpcOutputMessage>;

async function answer(history: History, message: z.infer<typeof Message>): Promise<void> {
  if (message.type === "errorAction") return act(history, message.runId, message.action);
  if (message.type === "openResult") {
    const document = await vscode.workspace.openTextDocument(uriOf(history, message.runId, message.key));
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }
  if (message.type !== "compare") return;
  const found = history.find(message.runId);
  if (!found?.previous) {
    void vscode.window.showInformationMessage(
      "This cell was run only once since the window was opened: there is nothing to compare with.",
    );
    return;
  }
  const before = uriOf(history, found.previous.output.runId, "");
  await vscode.commands.executeCommand(
    "vscode.diff",
    before,
    uriOf(history, message.runId, ""),
    "Run before ↔ this run",
  );
}

/** Does what the button of an explained error says; Retry runs the cell again. */
async function act(history: History, runId: string, id: ErrorActionId): Promise<void> {
  if (id !== "retry") return runErrorAction(id);
  const cell = history.find(runId)?.run.cell;
  if (!cell) return;
  const ranges = [{ start: cell.index, end: cell.index + 1 }];
  await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: cell.notebook.uri });
}

/** Named after what was asked, as that is what a tab shows. */
function uriOf(history: History, runId: string, key: string): vscode.Uri {
  const lines = history.find(runId)?.run.output.lines ?? [];
  const line = lines.find((one) => one.key === key);
  const name = line?.name ?? line?.method ?? "run";
  return vscode.Uri.from({
    scheme,
    path: `/${name.replaceAll(/\W/g, "_")}.json`,
    query: JSON.stringify([runId, key]),
  });
}

function contentOf(history: History, { query }: vscode.Uri): string {
  const [runId, key] = JSON.parse(query) as [string, string];
  const found = history.find(runId);
  if (!found)
    return "This run is no longer remembered: only the last twenty of each cell are. Run the cell again.";
  return exactText(key ? wholeResult(found.run, key) : wholeRun(found.run), 2);
}

function wholeResult({ outcomes }: PastRun, key: string): unknown {
  const outcome = outcomes.get(key);
  return outcome?.kind === "result" ? outcome.value : (outcome ?? null);
}

function wholeRun({ output, outcomes }: PastRun): unknown {
  return output.lines.map(({ key, network, source }) => ({ network, request: source, ...outcomes.get(key) }));
}
