import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { chatTab, views } from "../../shared/names/ids.ts";
import type { ChatFeature } from "./chatFeature.ts";
import type { ChatDeps } from "./deps.ts";

/** Registers the chat view and its commands. The feature is loaded when the view is shown or a command is run. */
export function registerChat(deps: ChatDeps): Domain<ChatFeature> {
  const feature = new Lazy(async () => (await import("./chatFeature.ts")).createChatFeature(deps));
  const registerViews = async () =>
    vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(views.chat, {
        resolveWebviewView: async (view) => (await feature.get()).show(view),
      }),
      vscode.window.registerWebviewPanelSerializer(chatTab, {
        async deserializeWebviewPanel(panel, state: unknown) {
          (await feature.get()).tabs.restore(panel, conversationIn(state));
        },
      }),
    );
  return new Domain(
    feature,
    // The editor keeps a view or a tab that activates the extension until it has its provider.
    afterActivation(registerViews, (error) => deps.log.error(String(error))),
  );
}

/** The conversation that a restored tab showed, from the state of its page. */
function conversationIn(state: unknown): string | undefined {
  const isStored = typeof state === "object" && state !== null && "conversationId" in state;
  return isStored && typeof state.conversationId === "string" ? state.conversationId : undefined;
}
