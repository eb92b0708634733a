import { type Bridge, createBridge } from "../../../webview/ui/bridge.ts";
import type {
  HistoryToView,
  PathsToView,
  PictureToView,
  ToHost,
  ToView,
} from "../../protocol/chatProtocol.ts";
import type { QuestionDraft } from "../../protocol/chatState.ts";

/** State of the page, which VS Code restores with it. */
export interface PageState {
  readonly draft?: QuestionDraft;
  /** The shown conversation: a restored tab shows it again. */
  readonly conversationId?: string;
  /** Edits of plans that are not saved yet, each with its conversation; the last is the newest. */
  readonly plans?: readonly { readonly of: string; readonly text: string }[];
  /** Earlier questions, oldest first. */
  readonly prompts?: readonly string[];
}

type AnyToView = ToView | HistoryToView | PictureToView | PathsToView;

export type ChatBridge = Bridge<ToHost, AnyToView, PageState>;
export const createChatBridge = createBridge<ToHost, AnyToView, PageState>;
