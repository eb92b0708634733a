import * as vscode from "vscode";
import { maxDocumentBytes } from "../../../shared/chat/chatAttachments.ts";
import { otherDocument } from "../../../shared/documents/otherDocument.ts";
import { commands } from "../../../shared/names/ids.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { blocksOf } from "../text/textBlocks.ts";
import { type Sentence, toSentences } from "../text/toSentences.ts";
import { type DocumentTexts, isDocumentFile } from "./documentTexts.ts";

/** A text to read aloud. */
export interface ReadTarget {
  readonly title: string;
  /** The document of the offsets; undefined for a text without a document. */
  readonly uri: vscode.Uri | undefined;
  readonly sentences: readonly Sentence[];
}

const mostCharacters = 500_000;

/** The selection, or an error sentence. */
export function selectedText(): ReadTarget | string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return noEditor();
  const { document, selections } = editor;
  const chosen = selections.filter(({ isEmpty }) => !isEmpty);
  if (chosen.length === 0) return "Nothing is selected. Select the text to read, or read from the cursor.";
  const inOrder = [...chosen].sort((a, b) => a.start.compareTo(b.start));
  const text = inOrder.map((selection) => document.getText(selection)).join("");
  if (text.length > mostCharacters) return tooLong("The selection", text.length);
  const sentences = inOrder.flatMap((selection) =>
    sentencesOf(document.getText(selection), document.languageId, document.offsetAt(selection.start)),
  );
  return checked(`${nameOf(document)}, selection`, document.uri, sentences, text);
}

/** From the sentence at the cursor to the end of the document, or an error sentence. */
export function fromCursor(): ReadTarget | string {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  if (!document || !selection) return noEditor();
  const text = document.getText();
  const at = document.offsetAt(selection.active);
  // The whole text is parsed, because the cursor may be inside a sentence or markup.
  if (text.length > mostCharacters) return tooLong(nameOf(document), text.length);
  const sentences = sentencesOf(text, document.languageId, 0).filter(({ to }) => to > at);
  if (sentences.length === 0) return `There is no text to read after the cursor in ${nameOf(document)}.`;
  return checked(
    `${nameOf(document)}, from line ${selection.active.line + 1}`,
    document.uri,
    sentences,
    text,
  );
}

/** The active document, or another one. */
export async function wholeDocument(
  uri: vscode.Uri | undefined,
  documents: DocumentTexts,
): Promise<ReadTarget | string | undefined> {
  const chosen = uri ?? (vscode.window.activeTextEditor ? undefined : tabUri());
  if (chosen && isDocumentFile(chosen)) return extractedDocument(chosen, documents);
  const document = chosen ? await openText(chosen) : vscode.window.activeTextEditor?.document;
  if (typeof document === "string") return document;
  if (!document) return noEditor();
  const text = document.getText();
  const other = otherDocument(Buffer.from(text.slice(0, 8), "latin1"));
  if (other !== undefined) return `${nameOf(document)} can't be read aloud: it is ${other}.`;
  if (text.length > mostCharacters) return tooLong(nameOf(document), text.length);
  return checked(nameOf(document), document.uri, sentencesOf(text, document.languageId, 0), text);
}

/** Undefined if the user did not enter the password. */
async function extractedDocument(
  uri: vscode.Uri,
  documents: DocumentTexts,
): Promise<ReadTarget | string | undefined> {
  const document = await documents.open(uri);
  if (typeof document !== "object") return document;
  const text = document.getText();
  const name = vscode.workspace.asRelativePath(uri);
  if (text.length > mostCharacters) return tooLong(name, text.length);
  return checked(name, document.uri, sentencesOf(text, "markdown", 0), text);
}

/** Markdown without a document, such as an answer of the chat. */
export function looseText(text: string, title: string): ReadTarget | string {
  if (text.length > mostCharacters) return tooLong(title, text.length);
  return checked(title, undefined, sentencesOf(text, "markdown", 0), text);
}

function sentencesOf(text: string, languageId: string, offset: number): Sentence[] {
  const sentences = toSentences(blocksOf(text, languageId));
  return sentences.map((sentence) => ({
    ...sentence,
    from: sentence.from + offset,
    to: sentence.to + offset,
  }));
}

function checked(
  title: string,
  uri: vscode.Uri | undefined,
  sentences: readonly Sentence[],
  text: string,
): ReadTarget | string {
  if (text.includes("\0")) return `${title} is binary: it contains no text to read.`;
  if (sentences.length === 0)
    return `There is no text to read in ${title}: it has no letters or digits outside of markup.`;
  const characters = sentences.reduce((sum, sentence) => sum + sentence.text.length, 0);
  if (characters > mostCharacters) return tooLong(title, characters);
  return { title, uri, sentences };
}

function tooLong(title: string, characters: number): string {
  const [has, most] = [characters, mostCharacters].map((count) => count.toLocaleString("en-US"));
  return `${title} has ${has} characters; at most ${most} can be read at once. Select a part of it.`;
}

async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | string> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    const name = uri.path.split("/").at(-1) ?? uri.path;
    const other = await otherFile(uri);
    if (other !== undefined) return `${name} can't be read aloud: it is ${other}.`;
    return `${name} can't be opened as text: it is binary, too large, or does not exist.`;
  }
}

/** What a file is whose text nobody here reads; undefined for others, and for a file that is not there. */
async function otherFile(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > maxDocumentBytes ? undefined : otherDocument(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** The document of the active tab, if it has no text editor yet. */
function tabUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return isFile ? input.uri : undefined;
}

/** A picture or another binary file has a tab but no text editor. */
function noEditor(): string {
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
  return label === undefined
    ? "No editor is open to read from."
    : `“${label}” is not open as text, so it can't be read aloud.`;
}

function nameOf({ uri, isUntitled }: vscode.TextDocument): string {
  return isUntitled ? uri.path : vscode.workspace.asRelativePath(uri);
}

/** Shows why a text can't be read, with actions if there are any. */
export async function showUnreadable(problem: string): Promise<void> {
  const whole = "Read File Aloud";
  const cursor = "Read from the Cursor";
  const actions = problem.startsWith("Nothing is selected") ? [cursor, whole] : [];
  const chosen = await vscode.window.showWarningMessage(withoutLinks(problem), ...actions);
  if (chosen === cursor) await vscode.commands.executeCommand(commands.speechReadFromCursor);
  if (chosen === whole) await vscode.commands.executeCommand(commands.speechReadDocument);
}
