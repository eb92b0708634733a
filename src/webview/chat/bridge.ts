import type { ToHost, ToHostType, ToView } from "../../shared/chatProtocol.ts";
import type { Draft } from "../../shared/chatState.ts";

/** What the page holds by itself, and is given back when it is made anew. */
export interface PageState {
  readonly draft: Draft;
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
  readonly kept: PageState | undefined;
  keep(state: PageState): void;
}

export function createBridge(): Bridge {
  const editor = acquireVsCodeApi();
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body } as ToHost),
    onMessage: (listener) => window.addEventListener("message", ({ data }) => listener(data as ToView)),
    kept: editor.getState(),
    keep: (state) => editor.setState(state),
  };
}
