import * as vscode from "vscode";
import { tabIcon, webviewPage, webviewRoot } from "../../../platform/editor/webviewPage.ts";
import { imageStudio } from "../../../shared/ids.ts";
import type { FromStudio, ToStudio } from "../../protocol/studioProtocol.ts";

/** The studio's editor tab. There is at most one. */
export interface StudioTab extends vscode.Disposable {
  show(): void;
  /** Fills a tab that the editor has restored; if the studio is already open, that tab is shown. */
  restore(panel: vscode.WebviewPanel): void;
  post(message: ToStudio): void;
  readonly isVisible: boolean;
}

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

export function createStudioTab({
  extensionUri,
  log,
  handle,
  onVisible,
  parseFromStudio,
}: StudioTabDeps): StudioTab {
  let panel: vscode.WebviewPanel | undefined;
  const fill = (opened: vscode.WebviewPanel) => {
    panel = opened;
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
      if (panel === opened) panel = undefined;
    });
    webview.html = webviewPage(webview, extensionUri, { bundle: "studio", title });
  };
  return {
    show() {
      if (panel) panel.reveal();
      else fill(vscode.window.createWebviewPanel(imageStudio, title, vscode.ViewColumn.Active, panelOptions));
    },
    restore(restored) {
      if (!panel) return fill(restored);
      // The studio was opened in a new tab before this one was restored.
      restored.dispose();
      panel.reveal();
    },
    post: (message) => void panel?.webview.postMessage(message),
    get isVisible() {
      return panel?.visible === true;
    },
    dispose: () => panel?.dispose(),
  };
}
