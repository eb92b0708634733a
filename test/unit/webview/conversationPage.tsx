// The script of the page in which long conversations are tested: its host is the real one, behind `tellHost`.
import { render } from "preact";
import type { ToHost, ToView } from "../../../src/shared/chatProtocol.ts";
import { createChatBridge, type PageState } from "../../../src/webview/chat/bridge.ts";
import { Conversation } from "../../../src/webview/chat/Conversation.tsx";
import type { ChatDeps } from "../../../src/webview/chat/chatDeps.ts";
import { createChatStore } from "../../../src/webview/chat/chatStore.ts";
import { createPromptHistory } from "../../../src/webview/chat/composer/promptHistory.ts";
import { createDraftBox } from "../../../src/webview/chat/draftBox.ts";
import { createFrames } from "../../../src/webview/chat/frames.ts";
import { createHistoryStore } from "../../../src/webview/chat/history/historyStore.ts";
import { createLiveRegion } from "../../../src/webview/chat/liveRegion.ts";
import { createDiagrams } from "../../../src/webview/markdown/diagrams.ts";
import { createFarPictures } from "../../../src/webview/markdown/farPictures.ts";
import { grammars } from "../../../src/webview/markdown/grammars.ts";
import { createHighlighter } from "../../../src/webview/markdown/highlighter.ts";
import { createTypesetter } from "../../../src/webview/markdown/typesetter.ts";

declare const tellHost: (message: ToHost) => void;

const state: PageState = {};
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: ToHost) => tellHost(message),
    getState: () => state,
    setState: () => {},
  }),
});
const bridge = createChatBridge();
const frames = createFrames();
const liveRegion = createLiveRegion();
const pictures = createFarPictures((url) => bridge.post("loadPicture", { url }));
bridge.onPicture(({ url, picture }) => pictures.came(url, picture));
const deps: ChatDeps = {
  bridge,
  frames,
  liveRegion,
  history: createHistoryStore(() => {}),
  store: createChatStore(bridge, frames, () => {}),
  draftBox: createDraftBox(bridge),
  diagrams: createDiagrams(() => Promise.reject(new Error("no diagram is asked for"))),
  promptHistory: createPromptHistory([], () => {}),
  blobRoot: "",
  markdown: {
    pictures,
    highlighter: createHighlighter(async () => grammars),
    typesetter: createTypesetter(() => Promise.reject(new Error("no formula is asked for"))),
  },
};

function Page() {
  return <main>{deps.store.isReady.value && <Conversation deps={deps} />}</main>;
}

const page = {
  start() {
    render(<Page />, document.body);
    bridge.post("ready", {});
  },
  hear: (message: ToView) => window.postMessage(message),
};
export type ConversationPage = typeof page;
Object.assign(window, { conversationPage: page });
