import { hashOf } from "../../state/ids.ts";
import { type Ask, messageText } from "../ask.ts";
import { tokensOf } from "./tokens.ts";

/** Generated log probabilities of a token, determined by the token. The best alternative is first. */
export function logprobOf(token: string, alternatives: number) {
  const [own, ...others] = candidates(token, alternatives).map(({ text, logprob }) => entry(text, logprob));
  return { ...own, top_logprobs: alternatives > 0 ? [own, ...others] : [] };
}

/** Tokens of a prompt that have probabilities; each costs about a hundred bytes. */
const mostPromptTokens = 10_000;

/**
 * The log probabilities of the prompt's first tokens, if those of the answer are asked for; else null. The spec does not show
 * their shape: this is vLLM's, a record by the token's id, and null for the first token, which nothing predicts.
 */
export function promptLogprobs({ body }: Ask): readonly (object | null)[] | null {
  if (!body.logprobs) return null;
  const entries: (object | null)[] = [];
  for (const message of body.messages)
    for (const token of tokensOf(messageText(message))) {
      if (entries.length === mostPromptTokens) return entries;
      entries.push(entries.length === 0 ? null : promptEntry(token, body.top_logprobs ?? 0));
    }
  return entries;
}

function promptEntry(token: string, alternatives: number): object {
  return Object.fromEntries(
    candidates(token, alternatives).map(({ text, logprob }, index) => [
      hashOf(text) % 100_000,
      { logprob, rank: index + 1, decoded_token: text },
    ]),
  );
}

/** The token first, and less likely ones after it. */
function candidates(
  token: string,
  alternatives: number,
): { readonly text: string; readonly logprob: number }[] {
  const own = -((hashOf(token) % 900) + 1) / 1000;
  const others = Array.from({ length: Math.max(0, alternatives - 1) }, (_, index) => ({
    text: `${token}${index + 2}`,
    logprob: own - 1 - index,
  }));
  return [{ text: token, logprob: own }, ...others];
}

function entry(token: string, logprob: number) {
  return { token, logprob, bytes: [...Buffer.from(token)] };
}
