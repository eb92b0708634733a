import * as vscode from "vscode";
import type { InsertTarget } from "../../../platform/editor/lastEditor.ts";
import { resultScheme } from "../../../shared/names/ids.ts";
import { lastSentence, placeOf } from "../../../shared/web/passages.ts";
import { insertAnswer } from "../../../web/cite/citeCommand.ts";
import { goneSentence } from "../../../web/results/storedResult.ts";
import type { AnswerMessage } from "../../protocol/chatMessages.ts";

interface CitedPage {
  readonly stored: string;
  readonly url: string;
  /** The text of the answer that the citation follows. */
  readonly statement: string;
}

/** Opens a page as it was read, at the sentence that a statement is from; a page that is not stored any more in the browser. */
export async function openCitedPage({ stored, url, statement }: CitedPage): Promise<void> {
  const uri = vscode.Uri.parse(stored);
  // The conversation may have been imported, and so name anything.
  const document = uri.scheme === resultScheme ? await vscode.workspace.openTextDocument(uri) : undefined;
  const text = document?.getText() ?? goneSentence;
  if (!document || text.trim() === goneSentence) return openLive(url);
  const place = placeOf(text, lastSentence(statement)) ?? placeOf(text, statement);
  const selection =
    place && new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
  await vscode.window.showTextDocument(document, {
    viewColumn: freeColumn(),
    preview: true,
    ...(selection ? { selection } : {}),
  });
  if (selection) return;
  void vscode.window.showInformationMessage(
    "No sentence of this page has the words of the statement. The page is open from its start.",
  );
}

/** A chat in an editor tab stays in sight. */
function freeColumn(): vscode.ViewColumn {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.input instanceof vscode.TabInputWebview
    ? vscode.ViewColumn.Beside
    : vscode.ViewColumn.Active;
}

async function openLive(url: string): Promise<void> {
  const open = "Open in Browser";
  const sentence = "This page is no longer stored as it was read.";
  if (!/^https?:\/\//i.test(url)) return void vscode.window.showInformationMessage(sentence);
  if ((await vscode.window.showInformationMessage(sentence, open)) === open)
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** Inserts an answer at the cursor, with footnotes that name its sources and what of them is cited. */
export async function insertWithFootnotes(
  answer: AnswerMessage | undefined,
  target: InsertTarget | undefined,
): Promise<void> {
  if (!answer) return;
  const { text, sources = [], startedAtMs } = answer;
  const cited = sources.map(({ url, title = url, date, excerpt }) => ({
    url,
    title,
    atMs: startedAtMs,
    ...(date === undefined ? {} : { date }),
    ...(excerpt === undefined ? {} : { quotes: [excerpt] }),
  }));
  await insertAnswer(text, cited, target);
}
