import { createMarkdownTools, type MarkdownEngines } from "../markdown/markdownStream.ts";
import { createChatBridge } from "./bridge.ts";
import type { ChatPageDeps } from "./chatDeps.ts";
import { createChatStore } from "./chatStore.ts";
import { createPromptHistory } from "./composer/promptHistory.ts";
import { createDraftSync } from "./draftSync.ts";
import { createFrames } from "./frames.ts";
import { createHistoryStore } from "./history/historyStore.ts";
import { createLiveRegion } from "./liveRegion.ts";
import { createPathLinks } from "./pathLinks.ts";

/** Creates the dependencies of a chat page; called once per page. */
export function createChatDeps(engines: MarkdownEngines): ChatPageDeps {
  const bridge = createChatBridge();
  const frames = createFrames();
  const liveRegion = createLiveRegion();
  const history = createHistoryStore((request) => bridge.post("history", request));
  bridge.onHistory(history.handle);
  const markdown = createMarkdownTools(engines, (url) => bridge.post("loadPicture", { url }));
  bridge.onPicture(({ url, picture }) => markdown.pictures.came(url, picture));
  const paths = createPathLinks((asked) => bridge.post("findPaths", { paths: asked }));
  bridge.onPaths(({ asked, found }) => paths.came(asked, found));
  return {
    bridge,
    paths,
    frames,
    liveRegion,
    history,
    store: createChatStore(bridge, frames, liveRegion.handle),
    draftBox: createDraftSync(bridge),
    promptHistory: createPromptHistory(bridge.kept?.prompts ?? [], (prompts) => bridge.keep({ prompts })),
    blobRoot: document.querySelector<HTMLMetaElement>('meta[name="blobs"]')?.content ?? "",
    markdown,
  };
}
