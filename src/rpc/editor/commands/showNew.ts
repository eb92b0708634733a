import * as vscode from "vscode";
import { applyOrWarn } from "../../../platform/editor/changeDocument.ts";
import { languages } from "../../../shared/names/ids.ts";
import { defaultNetwork } from "../../../shared/rpc/networks.ts";
import { readNotebook } from "../serializer.ts";

/** Opens a notebook with one cell. Its name suggests the file ending of RPC notebooks. */
export async function showNew(): Promise<void> {
  const cell = new vscode.NotebookCellData(
    vscode.NotebookCellKind.Code,
    "eth_blockNumber\neth_gasPrice",
    languages.rpc,
  );
  const data = new vscode.NotebookData([cell]);
  data.metadata = { head: `---\nnetwork: ${defaultNetwork}\n---\n\n` };
  await show(data, "untitled");
}

export async function showGallery(extensionUri: vscode.Uri): Promise<void> {
  const folder = vscode.Uri.joinPath(extensionUri, "media", "notebooks");
  const files = (await vscode.workspace.fs.readDirectory(folder))
    .map(([name]) => name)
    .filter((name) => name.endsWith(".rpc.md"));
  const items = await Promise.all(
    files.sort().map(async (name) => {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
      const text = new TextDecoder().decode(bytes);
      const [, label = name] = /^# (.*)$/m.exec(text) ?? [];
      const [, detail = ""] = /^# .*\r?\n+([^\r\n]+)/m.exec(text) ?? [];
      return { label, detail, name, bytes };
    }),
  );
  const picked = await vscode.window.showQuickPick(items, { title: "RPC notebooks", matchOnDetail: true });
  if (picked) await show(readNotebook(picked.bytes), picked.name.replace(/\.rpc\.md$/, ""));
}

async function show(data: vscode.NotebookData, name: string): Promise<void> {
  const document = await vscode.workspace.openNotebookDocument(freeUri(name));
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, [
    vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(0, document.cellCount), data.cells),
    vscode.NotebookEdit.updateNotebookMetadata(data.metadata ?? {}),
  ]);
  await applyOrWarn(edit);
  await vscode.window.showNotebookDocument(document);
}

/** A URI that no open notebook has. */
function freeUri(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.path ?? "";
  for (let count = 1; ; count++) {
    const uri = vscode.Uri.from({
      scheme: "untitled",
      path: `${folder}/${name}${count > 1 ? `-${count}` : ""}.rpc.md`,
    });
    const isOpen = ({ uri: open }: vscode.NotebookDocument) => open.toString() === uri.toString();
    if (!vscode.workspace.notebookDocuments.some(isOpen)) return uri;
  }
}
