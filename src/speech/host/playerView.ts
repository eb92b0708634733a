import * as vscode from "vscode";
import { webviewPage, webviewRoot } from "../../platform/editor/webviewPage.ts";
import { contexts, views } from "../../shared/ids.ts";
import { type FromPlayer, parseFromPlayer, type ToPlayer } from "../protocol/speechProtocol.ts";

/** The player of a window. It stays alive while hidden: a page that was clicked once may start playback by itself. */
export interface PlayerView extends vscode.Disposable {
  /** Reveals it without taking the focus; resolves when its page has sent `ready`. */
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
    webview.onDidReceiveMessage((received: unknown) => {
      const message = parseFromPlayer(received);
      if (!message) return log.warn("the speech player sent an invalid message");
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
    // The view is registered when something is read for the first time, so others never see it.
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
