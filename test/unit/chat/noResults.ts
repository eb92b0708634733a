import { maxSentTokens } from "../../../src/chat/host/tools/results/resultText.ts";

/** Stores no contents. */
export const noResults = {
  blobs: { put: async () => "", read: async () => undefined },
  maxTokens: () => maxSentTokens,
};
