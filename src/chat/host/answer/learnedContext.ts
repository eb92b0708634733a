import { type ApiError, isApiError } from "../../../api/errors/errors.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";

type CardOf = (model: string) => ModelCard | undefined;

/** Sizes of contexts as refusals showed them. */
export interface LearnedContext {
  /** The card of a model, with a context no larger than was learned. */
  readonly cardOf: CardOf;
  /** Learns from an error of a request with about so many tokens, as this extension estimates them. */
  take(model: string, error: unknown, sentTokens: number): void;
}

/** Share of a refused request that the next one may have. Without it a retry would send the same again. */
const nextShare = 0.8;

/**
 * Many servers do not state the size of a context, and tokens are estimated. So a request that was refused for its length
 * bounds the next one, until the list states another size.
 */
export function createLearnedContext(cardOf: CardOf): LearnedContext {
  const learned = new Map<string, { readonly tokens: number; readonly listed: number | undefined }>();
  return {
    cardOf(model) {
      const card = cardOf(model);
      const known = learned.get(model);
      if (!card || !known || known.listed !== card.contextTokens) return card;
      return { ...card, contextTokens: Math.min(known.tokens, card.contextTokens ?? known.tokens) };
    },
    take(model, error, sentTokens) {
      if (!isApiError(error) || !isTooLong(error)) return;
      const bound = Math.max(1, Math.floor(sentTokens * nextShare));
      learned.set(model, {
        tokens: Math.min(bound, statedSize(error.message) ?? bound),
        listed: cardOf(model)?.contextTokens,
      });
    },
  };
}

/** A body may also be too large in bytes, of which tokens say nothing. */
function isTooLong({ kind, message, details }: ApiError): boolean {
  return (
    kind === "too-large" && (details.serviceCode === "TOO_MANY_TOKENS" || /token|context/i.test(message))
  );
}

/** "maximum context length is 4096 tokens", "available context size (8192 tokens)". */
function statedSize(message: string): number | undefined {
  const [, digits] =
    /context (?:length|size|window)(?: of| is|:)?(?: only)? ?\(?([\d,]{3,11})\b/i.exec(message) ?? [];
  const size = Number(digits?.replaceAll(",", ""));
  return Number.isInteger(size) && size >= 256 ? size : undefined;
}
