import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { isCancelled } from "../../../api/errors/errors.ts";
import { askPassword } from "../../../platform/editor/dialogs/askPassword.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import { readDocument, withPassword } from "../../../session/documents/readDocument.ts";
import type { Session } from "../../../session/session.ts";
import { formatBytes, maxDocumentBytes } from "../../../shared/chat/chatAttachments.ts";
import { messageOf } from "../../../shared/messageOf.ts";

/** Files whose text is extracted before it is read. */
const documents = /\.(?:docx|pptx|xlsx|pdf)$/i;

export function isDocumentFile({ path }: vscode.Uri): boolean {
  return documents.test(path);
}

/** The scheme of the read-only texts. The query is the address of the file. */
const scheme = "inference-spoken";

/**
 * The texts of Word, PowerPoint, Excel and PDF files, extracted on this machine: nothing is sent and nothing is charged.
 * They open as read-only Markdown, in which each spoken sentence is marked.
 */
export class DocumentTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #session: Pick<Session, "documents">;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(session: Pick<Session, "documents">) {
    this.#session = session;
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** Shows the text. A sentence if the file can't be read; undefined if the user left. */
  async open(file: vscode.Uri): Promise<vscode.TextDocument | string | undefined> {
    const name = basename(file.path);
    const shown = vscode.Uri.from({ scheme, path: `/${name}.md`, query: file.toString() });
    try {
      const text = await this.#extract(file, name);
      if (text === undefined) return undefined;
      const isOther = this.#texts.get(shown.toString()) !== text;
      this.#texts.set(shown.toString(), text);
      if (isOther) this.#changed.fire(shown);
    } catch (error) {
      if (isCancelled(error)) return undefined;
      return `${name} can't be read aloud. ${messageOf(error)}`;
    }
    const document = await vscode.workspace.openTextDocument(shown);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /** A text of an earlier window is extracted again. */
  async provideTextDocumentContent(shown: vscode.Uri): Promise<string> {
    const known = this.#texts.get(shown.toString());
    if (known !== undefined) return known;
    const file = vscode.Uri.parse(shown.query, true);
    return (await this.#extract(file, basename(file.path))) ?? "";
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  /** Asks for the password of a locked PDF; undefined if the user does not enter it. */
  async #extract(file: vscode.Uri, name: string): Promise<string | undefined> {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > maxDocumentBytes)
      throw new Error(`It has ${formatBytes(size)}; at most ${formatBytes(maxDocumentBytes)} are read.`);
    const bytes = await vscode.workspace.fs.readFile(file);
    let isLeft = false;
    try {
      const { text } = await withPassword(
        (password) =>
          withProgress(`Reading ${name}`, (signal) =>
            readDocument(this.#session, { bytes, ...(password === undefined ? {} : { password }) }, signal),
          ),
        async (isWrong) => {
          const password = await askPassword(name, isWrong);
          isLeft = !password;
          return password;
        },
      );
      return text;
    } catch (error) {
      if (isLeft) return undefined;
      throw error;
    }
  }
}
