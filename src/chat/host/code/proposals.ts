import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { leadsOutside } from "../../../platform/files/bounded/placeInside.ts";
import { proposalScheme } from "../../../shared/names/ids.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

/** Proposed texts of files, shown in the diff editor before they are accepted or rejected. */
export interface Proposals extends vscode.Disposable {
  show(document: vscode.TextDocument, text: string): Promise<void>;
  /** A file that does not exist; accepting the proposal creates it. */
  showNew(uri: vscode.Uri, text: string): Promise<void>;
  /** Accepts the proposal of the active diff, unless its file has changed since. */
  accept(): Promise<void>;
  reject(): Promise<void>;
}

/** The query of the empty side of a new file. */
const nothing = "nothing";

interface Proposal {
  readonly document: vscode.Uri;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

export function createProposals(): Proposals {
  const proposals = new Map<string, Proposal>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
    provideTextDocumentContent: ({ authority, query }) =>
      query === nothing ? "" : (proposals.get(authority)?.after ?? ""),
  });
  const closed = vscode.window.tabGroups.onDidChangeTabs((event) => {
    for (const tab of event.closed) proposals.delete(idOf(tab) ?? "");
  });
  const inFront = () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const id = idOf(tab);
    return id === undefined || !tab ? undefined : { id, tab, proposal: proposals.get(id) };
  };
  const showDiff = async (proposal: Proposal, title: string) => {
    const id = randomUUID();
    proposals.set(id, proposal);
    const name = fileName(proposal.document.path);
    const proposed = vscode.Uri.from({ scheme: proposalScheme, authority: id, path: `/${name}` });
    const before = proposal.before === undefined ? proposed.with({ query: nothing }) : proposal.document;
    const shown = `${visibleLine(name)}: ${title}`;
    await vscode.commands.executeCommand("vscode.diff", before, proposed, shown, { preview: false });
  };
  return {
    show: (document, text) =>
      showDiff({ document: document.uri, before: document.getText(), after: text }, "Proposed by the Answer"),
    showNew: (document, text) =>
      showDiff({ document, before: undefined, after: text }, "New File Proposed by the Answer"),
    async accept() {
      const front = inFront();
      if (!front?.proposal) return;
      const { document, before, after } = front.proposal;
      // A folder may have been replaced by a link since the diff was opened.
      if (await isLinkOut(document)) {
        void vscode.window.showWarningMessage(
          "Nothing was replaced: the file is behind a link that leads outside the workspace.",
        );
        return;
      }
      if (before === undefined) {
        if (!(await create(front.proposal))) {
          const name = visibleLine(fileName(document.path));
          void vscode.window.showWarningMessage(`${name} was not created: it exists, or can't be written.`);
          return;
        }
        await vscode.window.tabGroups.close(front.tab);
        await vscode.window.showTextDocument(document);
        return;
      }
      const current = await vscode.workspace.openTextDocument(document);
      if (current.getText() !== before) {
        void vscode.window.showWarningMessage(
          "Nothing was replaced: the file has changed since the diff was opened. Apply the code again.",
        );
        return;
      }
      const change = new vscode.WorkspaceEdit();
      const whole = new vscode.Range(current.positionAt(0), current.positionAt(before.length));
      change.replace(document, whole, after);
      if (!(await vscode.workspace.applyEdit(change))) {
        void vscode.window.showWarningMessage("Nothing was replaced: the file can't be edited.");
        return;
      }
      await vscode.window.tabGroups.close(front.tab);
      await vscode.window.showTextDocument(current);
    },
    async reject() {
      const front = inFront();
      if (front) await vscode.window.tabGroups.close(front.tab);
    },
    dispose() {
      provider.dispose();
      closed.dispose();
    },
  };
}

/** False if it exists by now, or can't be created. */
function create({ document, after }: Proposal): Thenable<boolean> {
  const creation = new vscode.WorkspaceEdit();
  creation.createFile(document, { contents: Buffer.from(after) });
  return vscode.workspace.applyEdit(creation);
}

/** True if a path inside the workspace leads outside through a link. */
export async function isLinkOut({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const paths = folders.map(({ uri }) => uri.fsPath);
  return scheme === "file" && leadsOutside(paths, fsPath);
}

function idOf(tab: vscode.Tab | undefined): string | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposalScheme
    ? input.modified.authority
    : undefined;
}
