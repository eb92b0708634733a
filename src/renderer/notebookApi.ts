import type { RpcOutputMessage } from "../shared/rpcOutput.ts";

/** What the editor hands to a renderer, as far as it is used here. */
export interface RendererContext {
  /** Missing where the output is shown without its extension. */
  readonly postMessage?: (message: RpcOutputMessage) => void;
}

export interface OutputItem {
  readonly id: string;
  text(): string;
}

export interface Renderer {
  renderOutputItem(item: OutputItem, element: HTMLElement): void;
  disposeOutputItem(id?: string): void;
}
