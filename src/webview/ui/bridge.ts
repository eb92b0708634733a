/** What a page says: its type, and what belongs to that. */
interface Said {
  readonly type: string;
  readonly body: unknown;
}

interface EditorApi<Kept> {
  postMessage(message: Said & { readonly v: 1 }): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
}

declare function acquireVsCodeApi<Kept>(): EditorApi<Kept>;

/** The one place where a page talks with its host. */
export interface Bridge<ToHost extends Said, ToView, Kept = object> {
  post<Type extends ToHost["type"]>(type: Type, body: Extract<ToHost, { readonly type: Type }>["body"]): void;
  onMessage(listener: (message: ToView) => void): void;
  /** What this page keeps by itself, and the page before it kept: also when the window is loaded anew. */
  readonly kept: Kept | undefined;
  /** Keeps these members, and the others as they are. */
  keep(members: Kept): void;
}

/** To be called once in a page: the editor hands out its side only once. */
export function createBridge<ToHost extends Said, ToView, Kept = object>(): Bridge<ToHost, ToView, Kept> {
  const editor = acquireVsCodeApi<Kept>();
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body }),
    onMessage: (listener) => window.addEventListener("message", ({ data }) => listener(data as ToView)),
    get kept() {
      return editor.getState();
    },
    keep: (members) => editor.setState({ ...editor.getState(), ...members }),
  };
}
