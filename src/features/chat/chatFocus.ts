import * as vscode from "vscode";
import type { FindToView } from "../../shared/chatProtocol.ts";
import { contexts } from "../../shared/ids.ts";

/** Which chat has the focus. VS Code knows it for a view that a command has focused, but not after a click into its page. */
export interface ChatFocus {
  /** A page has got or lost the focus, or is gone. */
  set(webview: vscode.Webview, isFocused: boolean): void;
  /** Opens the search in the conversation that has the focus. */
  find(): Promise<void>;
}

export function createChatFocus(): ChatFocus {
  let focused: vscode.Webview | undefined;
  return {
    set(webview, isFocused) {
      if (!isFocused && focused !== webview) return;
      focused = isFocused ? webview : undefined;
      void vscode.commands.executeCommand("setContext", contexts.chatFocus, isFocused);
    },
    async find() {
      await focused?.postMessage({ v: 1, type: "find" } satisfies FindToView);
    },
  };
}
