import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { leadsOutside } from "../../platform/placeInside.ts";
import { proposalScheme } from "../../shared/ids.ts";
import { visibleLine } from "../../shared/visibleText.ts";

/** New texts for files, looked at in the editor's own diff before they are taken or left. */
export interface Proposals extends vscode.Disposable {
  show(document: vscode.TextDocument, text: string): Promise<void>;
  /** Takes the one whose diff is in front, unless its file has changed since. */
  accept(): Promise<void>;
  reject(): Promise<void>;
}

interface Proposal {
  readonly document: vscode.Uri;
  readonly before: string;
  readonly after: string;
}

export function createProposals(): Proposals {
  const proposals = new Map<string, Proposal>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
    provideTextDocumentContent: (uri) => proposals.get(uri.authority)?.after ?? "",
  });
  const closed = vscode.window.tabGroups.onDidChangeTabs((event) => {
    for (const tab of event.closed) proposals.delete(idOf(tab) ?? "");
  });
  const inFront = () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const id = idOf(tab);
    return id === undefined || !tab ? undefined : { id, tab, proposal: proposals.get(id) };
  };
  return {
    async show(document, text) {
      const id = randomUUID();
      proposals.set(id, { document: document.uri, before: document.getText(), after: text });
      const name = document.uri.path.slice(document.uri.path.lastIndexOf("/") + 1);
      const proposed = vscode.Uri.from({ scheme: proposalScheme, authority: id, path: `/${name}` });
      await vscode.commands.executeCommand(
        "vscode.diff",
        document.uri,
        proposed,
        `${visibleLine(name)}: from the answer`,
        {
          preview: false,
        },
      );
    },
    async accept() {
      const front = inFront();
      if (!front?.proposal) return;
      const { document, before, after } = front.proposal;
      // Between the look and the word a folder may have become a link.
      if (await isLinkOut(document)) {
        void vscode.window.showWarningMessage(
          "The file is reached by a link that leads out of the workspace, so nothing was replaced.",
        );
        return;
      }
      const current = await vscode.workspace.openTextDocument(document);
      if (current.getText() !== before) {
        void vscode.window.showWarningMessage(
          "The file has changed since, so nothing was replaced. Apply the code of the answer once more.",
        );
        return;
      }
      const change = new vscode.WorkspaceEdit();
      const whole = new vscode.Range(current.positionAt(0), current.positionAt(before.length));
      change.replace(document, whole, after);
      if (!(await vscode.workspace.applyEdit(change))) {
        void vscode.window.showWarningMessage("The file can't be changed.");
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

/** Whether a file that is written as one of the workspace lies elsewhere. */
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
