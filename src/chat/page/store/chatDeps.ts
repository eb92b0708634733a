import {
  createMarkdownTools,
  type MarkdownEngines,
  type MarkdownTools,
} from "../../../webview/markdown/markdownStream.ts";
import { createPathLinks, type PathLinks } from "../details/pathLinks.ts";
import { createHistoryStore, type HistoryStore } from "../history/historyStore.ts";
import { createLiveRegion, type LiveRegion } from "../liveRegion.ts";
import { createFrames, type Frames } from "../turn/answer/answerRenderer.ts";
import { type ChatBridge, createChatBridge } from "./bridge.ts";
import { type ChatStore, createChatStore } from "./chatStore.ts";

/** Shared dependencies of the page's components. */
export interface ChatPageDeps {
  readonly store: ChatStore;
  readonly bridge: ChatBridge;
  /** Base URI of the images of attachments. */
  readonly blobRoot: string;
  readonly frames: Frames;
  readonly markdown: MarkdownTools;
  readonly paths: PathLinks;
  readonly liveRegion: LiveRegion;
  readonly history: HistoryStore;
}

/** Called once per page. */
export function createChatDeps(engines: MarkdownEngines): ChatPageDeps {
  const bridge = createChatBridge();
  const frames = createFrames();
  const liveRegion = createLiveRegion();
  const history = createHistoryStore((request) => bridge.post("history", request));
  bridge.on("history", ({ news }) => history.handle(news));
  const markdown = createMarkdownTools(engines, (url) => bridge.post("loadPicture", { url }));
  bridge.on("picture", ({ url, picture }) => markdown.pictures.came(url, picture));
  const paths = createPathLinks((asked) => bridge.post("findPaths", { paths: asked }));
  bridge.on("paths", ({ asked, found }) => paths.came(asked, found));
  return {
    bridge,
    paths,
    frames,
    liveRegion,
    history,
    store: createChatStore(bridge, frames, liveRegion.handle),
    blobRoot: document.querySelector<HTMLMetaElement>('meta[name="blobs"]')?.content ?? "",
    markdown,
  };
}
