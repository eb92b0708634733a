import type { Disposable } from "vscode";
import { Lazy } from "../lazy.ts";

/**
 * Starts what adds itself to a running window, such as hovers, in the turn after the activation, which must not wait for
 * it. What it returns is disposed with this.
 */
export function afterActivation(start: () => Promise<unknown>, report: (error: unknown) => void): Disposable {
  const started = new Lazy(start);
  const starting = setImmediate(() => void started.get().catch(report));
  return {
    dispose() {
      clearImmediate(starting);
      started.dispose();
    },
  };
}
