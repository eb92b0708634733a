import * as vscode from "vscode";
import { type Proposal, StagedChange } from "../../../changes/engine/staged/stagedChange.ts";
import type { ReviewFeature } from "../../../changes/review/reviewFeature.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { leadsOutside } from "../../../platform/files/bounded/placeInside.ts";
import type { Lazy } from "../../../platform/lazy.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

/** Proposed texts of files, which the review shows before they are accepted or rejected. */
export interface Proposals {
  show(document: vscode.TextDocument, text: string): Promise<void>;
  /** A file that does not exist; accepting the proposal creates it. */
  showNew(uri: vscode.Uri, text: string): Promise<void>;
}

export function createProposals(review: Pick<Lazy<Pick<ReviewFeature, "staged">>, "get">): Proposals {
  const stage = async (of: Pick<Proposal, "uri" | "document">, text: string, title: string) => {
    const { staged } = await review.get();
    const change = new StagedChange({
      ...of,
      kind: "code",
      title: `${visibleLine(fileName(of.uri.path))}: ${title}`,
      async mayWrite() {
        // A folder may have been replaced by a link since the diff was opened.
        if (!(await isLinkOut(of.uri))) return true;
        throw new Refusal(
          "Nothing was replaced: the file is behind a link that leads outside the workspace.",
        );
      },
    });
    change.propose(text);
    change.isReady = true;
    staged.changes.add(change);
    await staged.show(change);
  };
  return {
    show: (document, text) => stage({ uri: document.uri, document }, text, "Proposed by the Answer"),
    showNew: (uri, text) => stage({ uri, document: undefined }, text, "New File Proposed by the Answer"),
  };
}

/** True if a path inside the workspace leads outside through a link. */
export async function isLinkOut({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const paths = folders.map(({ uri }) => uri.fsPath);
  return scheme === "file" && leadsOutside(paths, fsPath);
}
