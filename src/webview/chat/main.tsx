import { render } from "preact";
import { createDiagrams } from "../markdown/diagrams.ts";
import { createFarPictures } from "../markdown/farPictures.ts";
import { createHighlighter } from "../markdown/highlighter.ts";
import { createTypesetter } from "../markdown/typesetter.ts";
import { App } from "./App.tsx";
import { createChatBridge } from "./bridge.ts";
import type { ChatDeps } from "./chatDeps.ts";
import { createChatStore } from "./chatStore.ts";
import { createPromptHistory } from "./composer/promptHistory.ts";
import { createDraftBox } from "./draftBox.ts";
import { createFrames } from "./frames.ts";
import { createHistoryStore } from "./history/historyStore.ts";
import { createLiveRegion } from "./liveRegion.ts";
import "./chat.css";
import "./conversation.css";
import "./turn.css";
import "./together.css";
import "./problem.css";
import "./welcome.css";
import "./composer/box.css";
import "./modelPicker.css";
import "./settings/settings.css";
import "./tokenChances.css";
import "./toolCalls.css";
import "./schemaVerdict.css";
import "./composer/composer.css";
import "./history/history.css";
import "../markdown/markdown.css";
import "../markdown/code.css";
import "../markdown/codeColours.css";
import "../markdown/sources.css";
import "../markdown/jsonTree.css";
import "../markdown/math.css";

const bridge = createChatBridge();
const frames = createFrames();
const liveRegion = createLiveRegion();
const history = createHistoryStore((request) => bridge.post("history", request));
bridge.onHistory(history.hear);
const pictures = createFarPictures((url) => bridge.post("loadPicture", { url }));
bridge.onPicture(({ url, picture }) => pictures.came(url, picture));
const deps: ChatDeps = {
  bridge,
  frames,
  liveRegion,
  history,
  store: createChatStore(bridge, frames, liveRegion.hear),
  draftBox: createDraftBox(bridge),
  diagrams: createDiagrams(async () => (await import("../markdown/diagramEngine.ts")).diagramEngine),
  promptHistory: createPromptHistory(bridge.kept?.prompts ?? [], (prompts) => bridge.keep({ prompts })),
  blobRoot: document.querySelector<HTMLMetaElement>('meta[name="blobs"]')?.content ?? "",
  markdown: {
    pictures,
    highlighter: createHighlighter(async () => (await import("../markdown/grammars.ts")).grammars),
    typesetter: createTypesetter(async () => (await import("../markdown/mathEngine.ts")).mathEngine),
  },
};
render(<App deps={deps} />, document.body);
bridge.post("ready", bridge.kept?.draft ? { draft: bridge.kept.draft } : {});
