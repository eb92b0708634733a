import { basename } from "node:path";
import * as vscode from "vscode";
import { gatewayConfigScheme } from "../../../shared/names/ids.ts";
import type { ConfigChange } from "../../programs/configuration/configChange.ts";

const sides = ["before", "after"] as const;

/** Shows what would change in a file, and asks whether to write it. Ends when the user has chosen or pressed Escape. */
export async function confirmChange(change: ConfigChange, question: string): Promise<boolean> {
  const provider = vscode.workspace.registerTextDocumentContentProvider(gatewayConfigScheme, {
    provideTextDocumentContent: ({ query }) => change[query === "before" ? "before" : "after"] ?? "",
  });
  const [before, after] = sides.map((side) =>
    // A new address each time, because the editor keeps the text of a known one.
    vscode.Uri.file(change.path).with({
      scheme: gatewayConfigScheme,
      query: side,
      fragment: `${Date.now()}`,
    }),
  );
  try {
    const title = `${basename(change.path)}: Now ↔ After`;
    await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: false });
    const write = {
      label: "$(check) Write It",
      detail: change.after === undefined ? `${change.path} is removed` : change.path,
    };
    const leave = { label: "$(close) Leave It as It Is", detail: "Nothing is written" };
    const picked = await vscode.window.showQuickPick([write, leave], {
      title: question,
      placeHolder: "The comparison below shows what changes",
      // A click into the comparison is no answer.
      ignoreFocusOut: true,
    });
    return picked === write;
  } finally {
    await closeDiff(after);
    provider.dispose();
  }
}

async function closeDiff(after: vscode.Uri | undefined): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.toString() === after?.toString(),
    );
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}
