import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { RpcEvent } from "../output/rpcOutput.ts";
import type { RpcLookUp, RpcOutputMessage } from "../output/rpcOutputMessage.ts";
import type { Writing } from "./data/fields/fieldText.ts";

/** Shared by the views of one output. */
export interface OutputContext extends Writing {
  /** Posts to the extension; undefined without it. */
  readonly post: ((message: RpcOutputMessage) => void) | undefined;
  /** Choices of the user by name, such as opened rows. They survive the updates of a running cell. */
  readonly stored: Map<string, unknown>;
  /** Opens the complete result in an editor; undefined if that is impossible. */
  readonly openWhole?: () => void;
  /** Adds a cell that looks something up; undefined for chains without such methods. */
  readonly lookUp?: (kind: RpcLookUp, value: string) => void;
  /** Gets the ABI of the contract at an address; undefined for chains without ABIs. */
  readonly getAbi?: (address: string) => void;
  /** Decoded calls of the shown result, by calldata. */
  readonly calldata?: ReadonlyMap<string, RpcEvent>;
}

export const DrawingContext = createContext<OutputContext>({
  radix: "decimal",
  coin: "ETH",
  atMs: 0,
  post: undefined,
  stored: new Map(),
});

export function useDrawing(): OutputContext {
  return useContext(DrawingContext);
}

/** State that is preserved when the view of the run is updated. */
export function useStored<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const { stored } = useDrawing();
  const [, redraw] = useState(0);
  // Without a choice the initial value applies, which may change when the result arrives.
  const value = stored.has(name) ? (stored.get(name) as Value) : initial;
  const store = (next: Value) => {
    if (next === value) return;
    stored.set(name, next);
    redraw((count) => count + 1);
  };
  return [value, store];
}
