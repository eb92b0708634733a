import * as vscode from "vscode";
import { webviewPage, webviewRoot } from "../../platform/webviewPage.ts";
import { contexts, views } from "../../shared/ids.ts";
import { type FromPlayer, parseFromPlayer, type ToPlayer } from "../../shared/speechProtocol.ts";

/** The one player of a window. It lives on while it is hidden: a page that was clicked once may begin to sound by itself. */
export interface PlayerView extends vscode.Disposable {
  /** Brings it into sight without taking the focus; resolves once its page has said `ready`. */
  show(): Promise<void>;
  post(message: ToPlayer): void;
}

export interface PlayerViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly handle: (message: FromPlayer) => void;
}

export function createPlayerView({ extensionUri, log, handle }: PlayerViewDeps): PlayerView {
  let view: vscode.WebviewView | undefined;
  let registered: vscode.Disposable | undefined;
  let ready = Promise.withResolvers<void>();
  const resolveWebviewView = (opened: vscode.WebviewView) => {
    view = opened;
    const { webview } = opened;
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(extensionUri)] };
    webview.onDidReceiveMessage((said: unknown) => {
      const message = parseFromPlayer(said);
      if (!message) return log.warn("the speech player said something that is not understood");
      handle(message);
      if (message.type === "ready") ready.resolve();
    });
    opened.onDidDispose(() => {
      view = undefined;
      ready = Promise.withResolvers<void>();
    });
    webview.html = webviewPage(webview, extensionUri, {
      bundle: "player",
      title: "Speech",
      playsSound: true,
    });
  };
  const register = async () => {
    if (registered) return;
    registered = vscode.window.registerWebviewViewProvider(
      views.player,
      { resolveWebviewView },
      { webviewOptions: { retainContextWhenHidden: true } },
    );
    // The view is not there before anything was read: who never listens never sees it.
    await vscode.commands.executeCommand("setContext", contexts.speechState, "idle");
  };
  return {
    async show() {
      await register();
      if (view) view.show(true);
      else await vscode.commands.executeCommand(`${views.player}.focus`, { preserveFocus: true });
      await ready.promise;
    },
    post: (message) => void view?.webview.postMessage(message),
    dispose: () => registered?.dispose(),
  };
}
