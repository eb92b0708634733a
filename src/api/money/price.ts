import { augmentationUsd } from "../../shared/money/augmentationUsd.ts";

/**
 * Price rule of a call. Flat prices are given here; others come from the list of models or from the RPC rules
 * (`money/`).
 */
export type CallPrice =
  | { readonly by: "nothing" }
  | { readonly by: "request"; readonly usd: number }
  | { readonly by: "tokens" }
  | { readonly by: "inputTokens" }
  | { readonly by: "characters" }
  | { readonly by: "image" }
  | { readonly by: "credits" };

export const free: CallPrice = { by: "nothing" };

/** Search, scrape and text parser (spec E2, E4, E9). */
export const augmentation = { by: "request", usd: augmentationUsd } as const satisfies CallPrice;
