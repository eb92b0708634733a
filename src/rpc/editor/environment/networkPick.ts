import * as vscode from "vscode";
import { applyOrWarn } from "../../../platform/editor/changeDocument.ts";
import { isMainnet, localNetwork } from "../../../shared/rpc/networks.ts";
import { parseCell } from "../../language/parse/parseCell.ts";
import { directivesOf, networksOfCell } from "../../language/project.ts";
import { targetOf } from "../commands/selectedCell.ts";
import { type OfferedNetworks, type Projects, toRange } from "../explorer/projects.ts";
import { readCellMetadata, withNotebookNetworks } from "../serializer.ts";

/** Chooses the network of a cell or of the notebook. `Compare…` chooses several. */
export async function chooseNetwork(
  offered: OfferedNetworks,
  projects: Projects,
  target: unknown,
): Promise<void> {
  const found = targetOf(target);
  if (!found) return;
  const { cell, notebook } = found;
  await offered.receive();
  const { project, cells } = projects.of(notebook);
  const one = cell ? project.cells[cells.indexOf(cell)] : undefined;
  const now = one ? networksOfCell(project, one) : project.networks;
  const title = cell ? "Network of this cell" : "Network of this notebook";
  const picked = await pickNetworks(projects.offered, now, title, one ? "none" : "the default");
  if (picked === undefined || picked.length === 0) return;
  const edit = new vscode.WorkspaceEdit();
  if (cell) setNetworks(edit, cell, picked);
  else {
    const metadata = withNotebookNetworks(notebook.metadata, picked);
    edit.set(notebook.uri, [vscode.NotebookEdit.updateNotebookMetadata(metadata)]);
  }
  await applyOrWarn(edit);
}

async function pickNetworks(
  offered: readonly string[],
  now: readonly string[],
  title: string,
  unnamed: string,
): Promise<readonly string[] | undefined> {
  const compare = "$(list-selection) Compare…";
  const items = offered.map((slug) => {
    const { label, description } = toItem(slug);
    return { label, description: now.includes(slug) ? `${description} · current` : description };
  });
  const line = { label: "", kind: vscode.QuickPickItemKind.Separator };
  const several = { label: compare, description: "send the same calls to several networks" };
  const one = await vscode.window.showQuickPick([several, line, ...items], {
    title,
    placeHolder: `Current: ${now.join(", ") || unnamed}. Your choice replaces it.`,
  });
  if (one?.label !== compare) return one && [one.label];
  const picked = await vscode.window.showQuickPick(
    offered.map((slug) => ({ ...toItem(slug), picked: now.includes(slug) })),
    { canPickMany: true, title: `${title}: compare`, placeHolder: "Each line is sent to all of them" },
  );
  return picked?.map(({ label }) => label);
}

function toItem(slug: string) {
  const description =
    slug === localNetwork
      ? "a node on this machine, free"
      : isMainnet(slug)
        ? "main network"
        : "test network";
  return { label: slug, description };
}

/** Asks for the network of an address; undefined if the question is dismissed. */
export async function askForNetwork(offered: readonly string[], host: string): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(offered.map(toItem), {
    title: `Which network does ${host} serve?`,
    placeHolder: "The cell can't be sent before a network is chosen",
    ignoreFocusOut: true,
  });
  return picked?.label;
}

function setNetworks(
  edit: vscode.WorkspaceEdit,
  cell: vscode.NotebookCell,
  networks: readonly string[],
): void {
  if (replaceNetworks(edit, cell.document, networks)) return;
  const { facts, raw } = readCellMetadata(cell.metadata);
  const metadata = { facts: { ...facts, networks }, ...(raw === undefined ? {} : { raw }) };
  edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)]);
}

/** Sets the networks in the @network directive; false if the cell has none. */
export function replaceNetworks(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  networks: readonly string[],
): boolean {
  const [first, ...others] = directivesOf(parseCell(document.getText()), "network");
  if (!first) return false;
  const { offset, statement } = first;
  const start = offset + statement.word.start - 1;
  edit.replace(
    document.uri,
    toRange(document, { start, end: offset + statement.end }),
    `@network ${networks.join(", ")}`,
  );
  // Further @network directives would add their networks.
  for (const other of others)
    edit.delete(
      document.uri,
      toRange(document, { start: other.offset, end: other.offset + other.statement.length }),
    );
  return true;
}
