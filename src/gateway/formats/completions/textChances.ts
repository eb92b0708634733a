import { isMembers } from "../../../shared/members.ts";

/** The chances of tokens in the shape of `text_completion`: four lists of the same length. */
export interface TextChances {
  readonly tokens: readonly string[];
  /** Natural logarithms. */
  readonly token_logprobs: readonly number[];
  readonly top_logprobs: readonly Readonly<Record<string, number>>[];
  /** Where each token begins, in UTF-16 units from the beginning of the answer. */
  readonly text_offset: readonly number[];
}

/** The chances of one chunk. `start`: units of the answer before it. Undefined if the service states none. */
export function toTextChances(logprobs: unknown, start: number): TextChances | undefined {
  const entries = isMembers(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : [];
  const chances = entries.flatMap((entry: unknown) => readChance(entry) ?? []);
  if (chances.length === 0) return undefined;
  let offset = start;
  const offsets = chances.map(({ token }) => {
    const at = offset;
    offset += token.length;
    return at;
  });
  return {
    tokens: chances.map(({ token }) => token),
    token_logprobs: chances.map(({ logprob }) => logprob),
    top_logprobs: chances.map(({ others }) => others),
    text_offset: offsets,
  };
}

/** The chances of all parts, in order; undefined without any. */
export function joinChances(parts: readonly TextChances[]): TextChances | undefined {
  if (parts.length === 0) return undefined;
  return {
    tokens: parts.flatMap(({ tokens }) => tokens),
    token_logprobs: parts.flatMap(({ token_logprobs }) => token_logprobs),
    top_logprobs: parts.flatMap(({ top_logprobs }) => top_logprobs),
    text_offset: parts.flatMap(({ text_offset }) => text_offset),
  };
}

function readChance(entry: unknown) {
  const chance = readPair(entry);
  if (!chance || !isMembers(entry)) return undefined;
  const top: readonly unknown[] = Array.isArray(entry.top_logprobs) ? entry.top_logprobs : [];
  const others = top.flatMap((one) => readPair(one) ?? []).map(({ token, logprob }) => [token, logprob]);
  return { ...chance, others: Object.fromEntries(others) as Readonly<Record<string, number>> };
}

function readPair(value: unknown): { readonly token: string; readonly logprob: number } | undefined {
  if (!isMembers(value)) return undefined;
  const { token, logprob } = value;
  return typeof token === "string" && typeof logprob === "number" ? { token, logprob } : undefined;
}
