import type { HistoryNews } from "../../shared/chatHistory.ts";
import type { HistoryToView, PictureToView, ToHost, ToHostType, ToView } from "../../shared/chatProtocol.ts";
import type { Draft } from "../../shared/chatState.ts";

/** What the page holds by itself, and is given back when it is made anew. */
export interface PageState {
  readonly draft?: Draft;
  /** Which conversation it showed: a tab that the editor restores shows it again. */
  readonly conversationId?: string;
  /** Questions asked before, oldest first. */
  readonly prompts?: readonly string[];
}

interface EditorApi {
  postMessage(message: ToHost): void;
  getState(): PageState | undefined;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): EditorApi;

type BodyOf<Type extends ToHostType> = Extract<ToHost, { readonly type: Type }>["body"];

/** The one place where the page talks with its host. */
export interface Bridge {
  post<Type extends ToHostType>(type: Type, body: BodyOf<Type>): void;
  onMessage(listener: (message: ToView) => void): void;
  onHistory(listener: (news: HistoryNews) => void): void;
  onPicture(listener: (picture: PictureToView) => void): void;
  readonly kept: PageState | undefined;
  /** Keeps these members, and the others as they are. */
  keep(state: PageState): void;
}

export function createBridge(): Bridge {
  const editor = acquireVsCodeApi();
  type Message = ToView | HistoryToView | PictureToView;
  const listen = (listener: (message: Message) => void) =>
    window.addEventListener("message", ({ data }) => listener(data as Message));
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body } as ToHost),
    onMessage: (listener) =>
      listen((message) => message.type !== "history" && message.type !== "picture" && listener(message)),
    onPicture: (listener) => listen((message) => message.type === "picture" && listener(message)),
    onHistory: (listener) => listen((message) => message.type === "history" && listener(message.news)),
    kept: editor.getState(),
    keep: (state) => editor.setState({ ...editor.getState(), ...state }),
  };
}
