import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { editScheme } from "../../shared/names/ids.ts";

interface ShowOptions {
  readonly id: string;
  readonly document: vscode.TextDocument;
  readonly title: string;
  readonly at: vscode.Position;
  readonly viewColumn: vscode.ViewColumn | undefined;
}

export interface Sides {
  readonly before: string;
  readonly after: string;
}

/**
 * The two sides of an edit in the diff editor, as read-only virtual documents.
 * `read` returns the current sides of an edit; undefined if there is no such edit.
 */
export class EditPreview implements vscode.Disposable {
  readonly #read: (id: string) => Sides | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #uris = new Map<string, { readonly before: vscode.Uri; readonly after: vscode.Uri }>();
  readonly #due = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;
  /** Fires with the id of an edit when its tab was closed. */
  readonly onDidClose: vscode.Event<string>;

  constructor(read: (id: string) => Sides | undefined) {
    this.#read = read;
    const closed = new vscode.EventEmitter<string>();
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      closed,
      vscode.workspace.registerTextDocumentContentProvider(editScheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent(uri) {
          const { id, side } = parse(uri);
          return read(id)?.[side] ?? "";
        },
      }),
      vscode.window.tabGroups.onDidChangeTabs((event) => {
        for (const tab of event.closed) {
          const id = idOf(tab);
          if (id !== undefined && !tabOf(id)) closed.fire(id);
        }
      }),
    );
    this.onDidClose = closed.event;
  }

  /** Opens the diff, or reveals it. */
  async show({ id, document, title, at, viewColumn }: ShowOptions): Promise<void> {
    const sides = { before: toUri(id, "before", document.uri), after: toUri(id, "after", document.uri) };
    this.#uris.set(id, sides);
    for (const uri of [sides.before, sides.after]) {
      const side = await vscode.workspace.openTextDocument(uri);
      if (side.languageId !== document.languageId)
        await vscode.languages.setTextDocumentLanguage(side, document.languageId);
    }
    const options: vscode.TextDocumentShowOptions = {
      preview: false,
      selection: new vscode.Range(at, at),
      ...(viewColumn === undefined ? {} : { viewColumn }),
    };
    await vscode.commands.executeCommand("vscode.diff", sides.before, sides.after, title, options);
  }

  /** Reports changed sides; shown at once or with the next frame. */
  refresh(id: string, atOnce: boolean): void {
    if (atOnce) {
      this.#fire(id);
      return;
    }
    // A longer text costs more to send and compare, so it is refreshed less often.
    const everyMs = Math.max(80, (this.#read(id)?.before.length ?? 0) / 5_000);
    if (!this.#due.has(id))
      this.#due.set(
        id,
        setTimeout(() => this.#fire(id), everyMs),
      );
  }

  async close(id: string): Promise<void> {
    clearTimeout(this.#due.get(id));
    this.#due.delete(id);
    const tab = tabOf(id);
    this.#uris.delete(id);
    if (tab) await vscode.window.tabGroups.close(tab);
  }

  /** The edit of the active diff; undefined if another tab is active. */
  active(): string | undefined {
    return idOf(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  /** The cursor's line in the active diff; without a cursor, the first line of the new side. */
  cursor(): { readonly side: keyof Sides; readonly line: number } {
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    if (document?.uri.scheme !== editScheme) return { side: "after", line: 0 };
    return { side: parse(document.uri).side, line: selection?.active.line ?? 0 };
  }

  dispose(): void {
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#subscriptions.dispose();
  }

  #fire(id: string): void {
    clearTimeout(this.#due.get(id));
    this.#due.delete(id);
    const sides = this.#uris.get(id);
    if (sides) for (const uri of [sides.before, sides.after]) this.#changed.fire(uri);
  }
}

function toUri(id: string, side: keyof Sides, { path }: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: editScheme, path: `/${id}/${side}/${basename(path) || "text"}` });
}

function parse({ path }: vscode.Uri): { readonly id: string; readonly side: keyof Sides } {
  const [, id = "", side] = path.split("/");
  return { id, side: side === "before" ? "before" : "after" };
}

function idOf(tab: vscode.Tab | undefined): string | undefined {
  const { input } = tab ?? {};
  if (!(input instanceof vscode.TabInputTextDiff) || input.modified.scheme !== editScheme) return undefined;
  return parse(input.modified).id;
}

function tabOf(id: string): vscode.Tab | undefined {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find((tab) => idOf(tab) === id);
}
