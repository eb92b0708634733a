import * as vscode from "vscode";
import { applyOrWarn } from "../../../platform/editor/changeDocument.ts";
import { readSettings } from "../../../platform/settings.ts";
import { languages, notebooks } from "../../../shared/names/ids.ts";
import { openNetwork } from "../../../shared/rpc/networks.ts";
import { readPasted } from "../../exchange/request/readRequests.ts";
import { type PastedCell, toPastedCells } from "../../exchange/toPasted.ts";
import { parseCell } from "../../language/parse/parseCell.ts";
import { networksOfCell, requestsOf } from "../../language/project.ts";
import { askForNetwork, replaceNetworks } from "../environment/networkPick.ts";
import type { Projects } from "../explorer/projects.ts";
import { toCellData } from "../serializer.ts";

const kind = vscode.DocumentDropOrPasteEditKind.Text.append("inference", "rpc");

/**
 * A pasted command is replaced with its request, on its network. Its headers, and the key in them, are dropped. A
 * command without a request is dropped, too.
 */
export function registerPaste(projects: Projects): vscode.Disposable {
  /** The last offered paste with an unknown host, until its text appears in the document. */
  let open: Required<Pick<PastedCell, "text" | "host">> | undefined;
  return vscode.Disposable.from(
    vscode.languages.registerDocumentPasteEditProvider(
      { notebookType: notebooks.rpc, language: languages.rpc },
      {
        async provideDocumentPasteEdits(document, ranges, data) {
          const text = await data.get("text/plain")?.asString();
          const parts = text === undefined ? undefined : readPasted(text, readSettings().rpc.localNode);
          if (!parts) return undefined;
          const { here, below } = placed(projects, document, ranges, toPastedCells(parts));
          open = here?.host === undefined ? undefined : { text: here.text, host: here.host };
          // Without a replacement the selected text is kept.
          const insert = here?.text ?? document.getText(ranges[0]);
          const edit = new vscode.DocumentPasteEdit(insert, "Paste as requests, without keys", kind);
          const cell = projects.at(document);
          if (cell && below.length > 0) edit.additionalEdit = insertBelow(cell.cells[cell.index], below);
          return [edit];
        },
      },
      { pasteMimeTypes: ["text/plain"], providedPasteEditKinds: [kind] },
    ),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const offered = open;
      if (!offered || !contentChanges.some(({ text }) => text === offered.text)) return;
      open = undefined;
      void chooseFor(projects, document, offered.host);
    }),
  );
}

async function chooseFor(projects: Projects, document: vscode.TextDocument, host: string): Promise<void> {
  const network = await askForNetwork(projects.offered, host);
  // The document may have changed meanwhile.
  if (network === undefined || !document.getText().includes(openNetwork)) return;
  const edit = new vscode.WorkspaceEdit();
  replaceNetworks(edit, document, [network]);
  await applyOrWarn(edit);
}

/** Splits off requests for other networks into new cells below, so that no line changes its network. */
function placed(
  projects: Projects,
  document: vscode.TextDocument,
  ranges: readonly vscode.Range[],
  cells: readonly PastedCell[],
): { readonly here?: PastedCell; readonly below: readonly PastedCell[] } {
  const [first] = cells;
  const left = parseCell(textAround(document, ranges));
  const hasRequests = left.form === "literal" || requestsOf(left).length > 0 || /@network\b/.test(left.text);
  if (!hasRequests && first) return { here: withNetwork(first), below: cells.slice(1) };
  const found = projects.at(document);
  const one = found?.project.cells[found.index];
  const own = found && one ? networksOfCell(found.project, one) : [];
  // JSON needs its own cell.
  const fits =
    first &&
    !/^[[{]/.test(first.text) &&
    (first.network === undefined || (own.length === 1 && own[0] === first.network));
  return fits ? { here: first, below: cells.slice(1) } : { below: cells };
}

function withNetwork(cell: PastedCell): PastedCell {
  return cell.network ? { ...cell, text: `@network ${cell.network}\n${cell.text}` } : cell;
}

function textAround(document: vscode.TextDocument, ranges: readonly vscode.Range[]): string {
  const spans = ranges.map(({ start, end }) => [document.offsetAt(start), document.offsetAt(end)] as const);
  return spans
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [start, end]) => text.slice(0, start) + text.slice(end), document.getText());
}

function insertBelow(
  cell: vscode.NotebookCell | undefined,
  below: readonly PastedCell[],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  if (!cell) return edit;
  const cells = below.map((one) => toCellData(withNetwork(one).text));
  edit.set(cell.notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, cells)]);
  return edit;
}
