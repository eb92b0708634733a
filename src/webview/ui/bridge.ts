/** A message of a page: its type, and the content that belongs to the type. */
interface PageMessage {
  readonly type: string;
  readonly body: unknown;
}

interface EditorApi<State> {
  postMessage(message: PageMessage & { readonly v: 1 }): void;
  getState(): State | undefined;
  setState(state: State): void;
}

declare function acquireVsCodeApi<State>(): EditorApi<State>;

/** The messages between a page and its host, and the state that VS Code stores for the page. */
export interface Bridge<
  ToHost extends PageMessage,
  ToView extends { readonly type: string },
  State = object,
> {
  post<Type extends ToHost["type"]>(type: Type, body: Extract<ToHost, { readonly type: Type }>["body"]): void;
  onMessage(listener: (message: ToView) => void): void;
  /** Messages of one type only. */
  on<Type extends ToView["type"]>(
    type: Type,
    listener: (message: Extract<ToView, { readonly type: Type }>) => void,
  ): void;
  /** The state that this page stored, or the same page before the window was reloaded. */
  readonly kept: State | undefined;
  /** Stores these members; the others stay. */
  keep(members: State): void;
}

/** Called once per page, because VS Code gives out its API only once. */
export function createBridge<
  ToHost extends PageMessage,
  ToView extends { readonly type: string },
  State = object,
>(): Bridge<ToHost, ToView, State> {
  const editor = acquireVsCodeApi<State>();
  const onMessage = (listener: (message: ToView) => void) =>
    window.addEventListener("message", ({ data }) => listener(data as ToView));
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body }),
    onMessage,
    on: (type, listener) =>
      onMessage((message) => {
        if (message.type === type) listener(message as Parameters<typeof listener>[0]);
      }),
    get kept() {
      return editor.getState();
    },
    keep: (members) => editor.setState({ ...editor.getState(), ...members }),
  };
}
