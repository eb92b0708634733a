import type { ChainHelp } from "../../../src/tools/chain/chainHelp.ts";

/** Nothing is decoded, and no node runs on this machine. */
export const noChain: ChainHelp = {
  decode: async () => ({}),
  hasLocalNode: async () => false,
  sendLocally: () => Promise.reject(new Error("there is no node")),
};
