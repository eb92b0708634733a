import type { Evm } from "./evm.ts";

/** Ethereum encodings, in a separate bundle that is loaded on first use. */
export interface EvmLoader {
  load(): Promise<Evm>;
  /** Undefined before the first load. */
  readonly loaded: Evm | undefined;
}

export function createEvmLoader(): EvmLoader {
  let loaded: Evm | undefined;
  return {
    async load() {
      loaded ??= (await import("./evm.ts")).evm;
      return loaded;
    },
    get loaded() {
      return loaded;
    },
  };
}
