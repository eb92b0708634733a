import * as z from "zod";
import type { ChatChunk } from "../../../api/endpoints/chatReply.ts";
import { listOf } from "../../../api/endpoints/list.ts";
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

/** Limit per answer: token probabilities are stored on disk and shown as a whole. */
const mostChances = 100_000;

/** Collects the log probabilities of each token. */
export function createTokenChances() {
  const drafts = new Map<number, ChancesDraft>();
  return {
    byChoice: drafts as ReadonlyMap<number, Readonly<ChancesDraft>>,
    add(chunks: readonly ChatChunk[]): void {
      for (const { choices } of chunks) for (const choice of choices) addChances(drafts, choice);
    },
  };
}

function addChances(
  drafts: Map<number, ChancesDraft>,
  { index, logprobs }: ChatChunk["choices"][number],
): void {
  const draft = drafts.get(index) ?? { tokens: [], count: 0, isCut: false };
  if (!logprobs || draft.isCut) return;
  for (const chance of Logprobs.safeParse(logprobs).data?.content ?? []) addChance(draft, chance);
  if (draft.tokens.length > 0) drafts.set(index, draft);
}

function addChance(draft: ChancesDraft, { token, logprob, top_logprobs }: z.infer<typeof Entry>): void {
  const others = (top_logprobs ?? []).filter((other) => other.token !== token);
  draft.count += 1 + others.length;
  draft.isCut ||= draft.count > mostChances;
  if (!draft.isCut) draft.tokens.push({ token, logprob, others });
}
