import type { Evm } from "./evm/evm.ts";

/** The library for Ethereum's encodings: a bundle of its own, loaded when something first asks for it. */
export interface EvmLoader {
  load(): Promise<Evm>;
  /** Undefined until it was asked for. */
  readonly loaded: Evm | undefined;
}

export function createEvmLoader(): EvmLoader {
  let loaded: Evm | undefined;
  return {
    async load() {
      loaded ??= (await import("./evm/evm.ts")).evm;
      return loaded;
    },
    get loaded() {
      return loaded;
    },
  };
}
