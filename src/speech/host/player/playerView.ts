import * as vscode from "vscode";
import { webviewPage, webviewRoot } from "../../../platform/editor/webviewPage.ts";
import { contexts, views } from "../../../shared/names/ids.ts";
import { type FromPlayer, parseFromPlayer, type ToPlayer } from "../../protocol/speechProtocol.ts";

export interface PlayerViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly handle: (message: FromPlayer) => void;
}

/** The player of a window. It stays alive while hidden: a page that was clicked once may start playback by itself. */
export class PlayerView implements vscode.Disposable {
  readonly #deps: PlayerViewDeps;
  #view: vscode.WebviewView | undefined;
  #registered: vscode.Disposable | undefined;
  #ready = Promise.withResolvers<void>();

  constructor(deps: PlayerViewDeps) {
    this.#deps = deps;
  }

  /** Reveals it without taking the focus; resolves when its page has sent `ready`. */
  async show(): Promise<void> {
    await this.#register();
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${views.player}.focus`, { preserveFocus: true });
    await this.#ready.promise;
  }

  post(message: ToPlayer): void {
    void this.#view?.webview.postMessage(message);
  }

  dispose(): void {
    this.#registered?.dispose();
  }

  #resolveWebviewView(opened: vscode.WebviewView): void {
    const { extensionUri, log, handle } = this.#deps;
    this.#view = opened;
    const { webview } = opened;
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(extensionUri)] };
    webview.onDidReceiveMessage((received: unknown) => {
      const message = parseFromPlayer(received);
      if (!message) return log.warn("the speech player sent an invalid message");
      handle(message);
      if (message.type === "ready") this.#ready.resolve();
    });
    opened.onDidDispose(() => {
      this.#view = undefined;
      this.#ready = Promise.withResolvers<void>();
    });
    webview.html = webviewPage(webview, extensionUri, {
      bundle: "player",
      title: "Speech",
      playsSound: true,
    });
  }

  async #register(): Promise<void> {
    if (this.#registered) return;
    this.#registered = vscode.window.registerWebviewViewProvider(
      views.player,
      { resolveWebviewView: (opened) => this.#resolveWebviewView(opened) },
      { webviewOptions: { retainContextWhenHidden: true } },
    );
    // The view is registered when something is read for the first time, so others never see it.
    await vscode.commands.executeCommand("setContext", contexts.speechState, "idle");
  }
}
