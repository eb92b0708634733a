import * as vscode from "vscode";
import { tabIcon, webviewPage, webviewRoot } from "../../../platform/editor/webviewPage.ts";
import { imageStudio } from "../../../shared/names/ids.ts";
import type { FromStudio, ToStudio } from "../../protocol/studioProtocol.ts";

export interface StudioTabDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly parseFromStudio: (message: unknown) => FromStudio | undefined;
  readonly handle: (message: FromStudio) => Promise<unknown>;
  /** The tab was shown or hidden. */
  readonly onVisible: (isVisible: boolean) => void;
}

const title = "Image Studio";
/** A mask that is being painted must survive while the tab is hidden. */
const panelOptions = { retainContextWhenHidden: true };

/** The studio's editor tab. There is at most one. */
export class StudioTab implements vscode.Disposable {
  readonly #deps: StudioTabDeps;
  #panel: vscode.WebviewPanel | undefined;

  constructor(deps: StudioTabDeps) {
    this.#deps = deps;
  }

  show(): void {
    if (this.#panel) this.#panel.reveal();
    else
      this.#fill(
        vscode.window.createWebviewPanel(imageStudio, title, vscode.ViewColumn.Active, panelOptions),
      );
  }

  /** Fills a tab that the editor has restored; if the studio is already open, that tab is shown. */
  restore(restored: vscode.WebviewPanel): void {
    if (!this.#panel) {
      this.#fill(restored);
      return;
    }
    // The studio was opened in a new tab before this one was restored.
    restored.dispose();
    this.#panel.reveal();
  }

  post(message: ToStudio): void {
    void this.#panel?.webview.postMessage(message);
  }

  get isVisible(): boolean {
    return this.#panel?.visible === true;
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #fill(opened: vscode.WebviewPanel): void {
    const { extensionUri, log, handle, onVisible, parseFromStudio } = this.#deps;
    this.#panel = opened;
    const { webview } = opened;
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(extensionUri)] };
    opened.iconPath = tabIcon(extensionUri);
    webview.onDidReceiveMessage((received: unknown) => {
      const message = parseFromStudio(received);
      if (!message) return log.warn("the image studio sent an invalid message");
      handle(message).catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
    });
    opened.onDidChangeViewState(() => onVisible(opened.visible));
    opened.onDidDispose(() => {
      if (this.#panel === opened) this.#panel = undefined;
    });
    webview.html = webviewPage(webview, extensionUri, { bundle: "studio", title });
  }
}
