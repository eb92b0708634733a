import * as z from "zod";
import type { ChatChunk } from "../../../api/endpoints/chat/chatReply.ts";
import { listOf } from "../../../api/endpoints/list.ts";
import { membersOf } from "../../../shared/members.ts";
import type { TokenChance } from "../../protocol/chatMessages.ts";

const Chance = z.object({ token: z.string(), logprob: z.number() });
const Entry = Chance.extend({ top_logprobs: z.array(Chance).nullish().catch(undefined) });
const Logprobs = z.object({ content: listOf(Entry) });

interface ChancesDraft {
  readonly tokens: TokenChance[];
  /** Number of tokens and alternatives. */
  count: number;
  isCut: boolean;
}

/** Limit per answer, and for its prompt: token probabilities are stored on disk and shown as a whole. */
const mostChances = 100_000;

/** Collects the log probabilities of each token of the answers, and those of the prompt. */
export class TokenChances {
  readonly #drafts = new Map<number, ChancesDraft>();
  #prompt: ChancesDraft | undefined;

  get byChoice(): ReadonlyMap<number, Readonly<ChancesDraft>> {
    return this.#drafts;
  }

  /** Undefined if the service states none. */
  get prompt(): Readonly<ChancesDraft> | undefined {
    return this.#prompt;
  }

  add(chunks: readonly ChatChunk[]): void {
    for (const { choices, prompt_logprobs: prompt } of chunks) {
      for (const choice of choices) addChances(this.#drafts, choice);
      if (prompt !== undefined && prompt !== null) this.#prompt ??= promptDraft(prompt);
    }
  }
}

function addChances(
  drafts: Map<number, ChancesDraft>,
  { index, logprobs }: ChatChunk["choices"][number],
): void {
  const draft = drafts.get(index) ?? emptyDraft();
  if (!logprobs || draft.isCut) return;
  for (const chance of Logprobs.safeParse(logprobs).data?.content ?? []) addChance(draft, toChance(chance));
  if (draft.tokens.length > 0) drafts.set(index, draft);
}

function emptyDraft(): ChancesDraft {
  return { tokens: [], count: 0, isCut: false };
}

function addChance(draft: ChancesDraft, chance: TokenChance): void {
  draft.count += 1 + chance.others.length;
  draft.isCut ||= draft.count > mostChances;
  if (!draft.isCut) draft.tokens.push(chance);
}

function toChance({ token, logprob, top_logprobs }: z.infer<typeof Entry>): TokenChance {
  return { token, logprob, others: (top_logprobs ?? []).filter((other) => other.token !== token) };
}

/** A candidate for a token of the prompt, by the token's id. */
const Candidate = z.object({
  logprob: z.number(),
  rank: z.number().nullish().catch(undefined),
  decoded_token: z.string().nullish().catch(undefined),
});

/**
 * The spec does not show the shape of `prompt_logprobs`. Servers with such a member (vLLM) send an entry for each token, null
 * for the first one; others repeat that of `logprobs`.
 */
function promptDraft(value: unknown): ChancesDraft | undefined {
  const entries = Array.isArray(value) ? value : membersOf(value).content;
  if (!Array.isArray(entries)) return undefined;
  const draft = emptyDraft();
  for (const entry of entries) {
    if (draft.isCut) break;
    const chance = Entry.safeParse(entry);
    const read = chance.success ? toChance(chance.data) : ofCandidates(entry);
    if (read) addChance(draft, read);
  }
  return draft.tokens.length > 0 ? draft : undefined;
}

/**
 * The likeliest candidates, and the token itself if it is none of them: then its rank is beyond their number. If it is one of
 * them, the entry does not say which one, and the likeliest is taken.
 */
function ofCandidates(entry: unknown): TokenChance | undefined {
  const candidates = Object.entries(membersOf(entry)).flatMap(([id, candidate]) => {
    const { data } = Candidate.safeParse(candidate);
    if (!data) return [];
    return [{ token: data.decoded_token ?? `#${id}`, logprob: data.logprob, rank: data.rank ?? 0 }];
  });
  const ranked = candidates.toSorted((one, other) => one.rank - other.rank);
  const [first, last] = [ranked[0], ranked.at(-1)];
  const itself = last && last.rank > ranked.length ? last : first;
  if (!itself) return undefined;
  const { token, logprob } = itself;
  const others = ranked.filter((one) => one !== itself);
  return { token, logprob, others: others.map(({ rank: _, ...other }) => other) };
}
