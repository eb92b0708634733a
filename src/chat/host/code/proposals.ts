import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { leadsOutside } from "../../../platform/files/bounded/placeInside.ts";
import { proposalScheme } from "../../../shared/names/ids.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

/** Proposed texts of files, shown in the diff editor before they are accepted or rejected. */
export interface Proposals extends vscode.Disposable {
  show(document: vscode.TextDocument, text: string): Promise<void>;
  /** Accepts the proposal of the active diff, unless its file has changed since. */
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
      const name = fileName(document.uri.path);
      const proposed = vscode.Uri.from({ scheme: proposalScheme, authority: id, path: `/${name}` });
      await vscode.commands.executeCommand(
        "vscode.diff",
        document.uri,
        proposed,
        `${visibleLine(name)}: Proposed by the Answer`,
        {
          preview: false,
        },
      );
    },
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
