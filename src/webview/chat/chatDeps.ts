import type { MarkdownTools } from "../markdown/markdownStream.ts";
import type { ChatBridge } from "./bridge.ts";
import type { ChatStore } from "./chatStore.ts";
import type { PromptHistory } from "./composer/promptHistory.ts";
import type { DraftSync } from "./draftSync.ts";
import type { Frames } from "./frames.ts";
import type { HistoryStore } from "./history/historyStore.ts";
import type { LiveRegion } from "./liveRegion.ts";
import type { PathLinks } from "./pathLinks.ts";

/** Shared dependencies of the page's components. */
export interface ChatPageDeps {
  readonly store: ChatStore;
  readonly bridge: ChatBridge;
  readonly draftBox: DraftSync;
  readonly promptHistory: PromptHistory;
  /** Base URI of the images of attachments. */
  readonly blobRoot: string;
  readonly frames: Frames;
  readonly markdown: MarkdownTools;
  readonly paths: PathLinks;
  readonly liveRegion: LiveRegion;
  readonly history: HistoryStore;
}
