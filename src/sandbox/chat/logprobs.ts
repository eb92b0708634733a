import { hashOf } from "../ids.ts";

/** Generated log probabilities of a token, determined by the token. The best alternative is first. */
export function logprobOf(token: string, alternatives: number) {
  const own = entry(token, -((hashOf(token) % 900) + 1) / 1000);
  const others = Array.from({ length: Math.max(0, alternatives - 1) }, (_, index) =>
    entry(`${token}${index + 2}`, own.logprob - 1 - index),
  );
  return { ...own, top_logprobs: alternatives > 0 ? [own, ...others] : [] };
}

function entry(token: string, logprob: number) {
  return { token, logprob, bytes: [...Buffer.from(token)] };
}
