// The script of the page in which long conversations are tested: its host is the real one, behind `reportHost`.
import { render } from "preact";
import { Approvals } from "../../../../src/chat/page/composer/approval/Approval.tsx";
import type { PageState } from "../../../../src/chat/page/store/bridge.ts";
import { createChatDeps } from "../../../../src/chat/page/store/chatDeps.ts";
import { Conversation } from "../../../../src/chat/page/turn/Conversation.tsx";
import type { ToHost, ToView } from "../../../../src/chat/protocol/chatProtocol.ts";
import { grammars } from "../../../../src/webview/markdown/engines/grammars.ts";

declare const reportHost: (message: ToHost) => void;

const state: PageState = {};
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: ToHost) => reportHost(message),
    getState: () => state,
    setState: () => {},
  }),
});
const deps = createChatDeps({
  grammars: async () => grammars,
  diagrams: () => Promise.reject(new Error("no diagram is asked for")),
  // Formulas stay text here.
  math: () => Promise.resolve({ toElement: () => ({ problem: "Formulas are not set on this page." }) }),
});

function Page() {
  if (!deps.store.isReady.value) return <main />;
  return (
    <main>
      <Conversation deps={deps} />
      <div class="composer">
        <Approvals deps={deps} />
      </div>
    </main>
  );
}

const page = {
  start() {
    render(<Page />, document.body);
    deps.bridge.post("ready", {});
  },
  hear: (message: ToView) => window.postMessage(message),
};
export type ConversationPage = typeof page;
Object.assign(window, { conversationPage: page });
