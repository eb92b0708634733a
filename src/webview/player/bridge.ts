import type { FromPlayer, ToPlayer } from "../../shared/speechProtocol.ts";

/** What the page keeps for itself, also when the window is loaded anew. */
interface KeptByView {
  /** How fast sounds are played; 1 as they came. */
  readonly rate: number;
}

interface EditorApi {
  postMessage(message: FromPlayer): void;
  getState(): KeptByView | undefined;
  setState(state: KeptByView): void;
}

declare function acquireVsCodeApi(): EditorApi;

type BodyOf<Type extends FromPlayer["type"]> = Extract<FromPlayer, { readonly type: Type }>["body"];

/** The one place where the player talks with its host. */
export interface PlayerBridge {
  post<Type extends FromPlayer["type"]>(type: Type, body: BodyOf<Type>): void;
  onMessage(listener: (message: ToPlayer) => void): void;
  readonly kept: KeptByView;
  keep(state: KeptByView): void;
}

export function createPlayerBridge(): PlayerBridge {
  const editor = acquireVsCodeApi();
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body } as FromPlayer),
    onMessage: (listener) => window.addEventListener("message", ({ data }) => listener(data as ToPlayer)),
    kept: editor.getState() ?? { rate: 1 },
    keep: (state) => editor.setState(state),
  };
}
