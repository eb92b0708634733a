import type { HistoryNews } from "../../shared/chatHistory.ts";
import type { HistoryToView, PathsToView, PictureToView, ToHost, ToView } from "../../shared/chatProtocol.ts";
import type { QuestionDraft } from "../../shared/chatState.ts";
import { type Bridge, createBridge } from "../ui/bridge.ts";

/** State of the page, which VS Code restores with it. */
export interface PageState {
  readonly draft?: QuestionDraft;
  /** The shown conversation: a restored tab shows it again. */
  readonly conversationId?: string;
  /** Earlier questions, oldest first. */
  readonly prompts?: readonly string[];
}

export interface ChatBridge extends Bridge<ToHost, ToView, PageState> {
  onHistory(listener: (news: HistoryNews) => void): void;
  onPicture(listener: (picture: PictureToView) => void): void;
  onPaths(listener: (paths: PathsToView) => void): void;
}

export function createChatBridge(): ChatBridge {
  const bridge = createBridge<ToHost, ToView | HistoryToView | PictureToView | PathsToView, PageState>();
  return {
    ...bridge,
    onMessage: (listener) =>
      bridge.onMessage(
        (message) =>
          message.type !== "history" &&
          message.type !== "picture" &&
          message.type !== "paths" &&
          listener(message),
      ),
    onPaths: (listener) => bridge.onMessage((message) => message.type === "paths" && listener(message)),
    onPicture: (listener) => bridge.onMessage((message) => message.type === "picture" && listener(message)),
    onHistory: (listener) =>
      bridge.onMessage((message) => message.type === "history" && listener(message.news)),
  };
}
