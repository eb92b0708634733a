import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { RpcEvent, RpcOutputMessage } from "../shared/rpcOutput.ts";
import type { Writing } from "./fieldText.ts";

/** What the views of one output share. */
export interface OutputContext extends Writing {
  /** Tells the extension; undefined where nobody listens. */
  readonly post: ((message: RpcOutputMessage) => void) | undefined;
  /** What a person opened or chose, by name: a run that goes on is drawn anew again and again. */
  readonly kept: Map<string, unknown>;
  /** Shows the whole of a result that is cut here; undefined where that can't be. */
  readonly openWhole?: () => void;
  /** Decoded calls of the shown result, by calldata. */
  readonly calldata?: ReadonlyMap<string, RpcEvent>;
}

export const DrawingContext = createContext<OutputContext>({
  radix: "decimal",
  coin: "ETH",
  atMs: 0,
  post: undefined,
  kept: new Map(),
});

export function useDrawing(): OutputContext {
  return useContext(DrawingContext);
}

/** State that outlives its view for as long as the run is drawn. */
export function useStored<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const { kept: stored } = useDrawing();
  const [, redraw] = useState(0);
  // Until somebody chooses, it follows the result: a line that waits has nothing to open yet.
  const value = stored.has(name) ? (stored.get(name) as Value) : initial;
  const keep = (next: Value) => {
    if (next === value) return;
    stored.set(name, next);
    redraw((times) => times + 1);
  };
  return [value, keep];
}
