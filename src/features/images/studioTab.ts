import * as vscode from "vscode";
import { tabIcon, webviewPage, webviewRoot } from "../../platform/webviewPage.ts";
import { imageStudio } from "../../shared/ids.ts";
import type { FromStudio, ToStudio } from "../../shared/studioProtocol.ts";

/** The studio's editor tab; there is one. */
export interface StudioTab extends vscode.Disposable {
  show(): void;
  /** Fills a tab that the editor has restored; where there is one already, that one is shown in its place. */
  restore(panel: vscode.WebviewPanel): void;
  post(message: ToStudio): void;
  readonly isVisible: boolean;
}

export interface StudioTabDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly parseFromStudio: (said: unknown) => FromStudio | undefined;
  readonly handle: (message: FromStudio) => Promise<unknown>;
  /** It came into sight again, or went. */
  readonly onVisible: (isVisible: boolean) => void;
}

const title = "Image Studio";
/** A mask that is being painted would be gone with the page of a hidden tab. */
const stored = { retainContextWhenHidden: true };

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
    webview.onDidReceiveMessage((said: unknown) => {
      const message = parseFromStudio(said);
      if (!message) return log.warn("the image studio said something that is not understood");
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
      else fill(vscode.window.createWebviewPanel(imageStudio, title, vscode.ViewColumn.Active, stored));
    },
    restore(restored) {
      if (!panel) return fill(restored);
      // It waited unseen since the window was loaded, and the studio was opened anew meanwhile.
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
