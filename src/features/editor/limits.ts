import { formatCount } from "../../shared/usageFormat.ts";
import type { ChosenModel } from "./models.ts";

/** In characters. */
export const limits = {
  /** An edit repeats all of its selection: beyond this it is slow, costly and seldom right. */
  edit: 60_000,
  /** What goes along before and after a selection, each. */
  context: 4_000,
  /** A selection that goes to the chat. */
  ask: 200_000,
  commitDiff: 80_000,
} as const;

/** Characters per token that leave some room: code has about three. */
const charactersPerToken = 3;

function toTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Why a selection of so many characters can't be edited in place; undefined where it can. */
export function refuseEdit(characters: number): string | undefined {
  if (characters <= limits.edit) return undefined;
  return `The selection has ${formatCount(characters)} characters; at most ${formatCount(limits.edit)} are edited in place. Select less, or ask about it in the chat.`;
}

export function refuseAsk(characters: number): string | undefined {
  if (characters <= limits.ask) return undefined;
  return `The selection has ${formatCount(characters)} characters; at most ${formatCount(limits.ask)} go to the chat. Select less.`;
}

/** Why question and answer do not fit the model; undefined where they do, or nobody knows. */
export function refuseWindow(model: ChosenModel, promptCharacters: number, answerCharacters: number) {
  const needed = toTokens(promptCharacters + answerCharacters);
  if (model.contextTokens === undefined || needed <= model.contextTokens) return undefined;
  return `This needs about ${formatCount(needed)} tokens, and ${model.name} holds ${formatCount(model.contextTokens)}. Select less, or choose another model in the chat.`;
}

/** Characters of a diff that fit the model beside the rest of the prompt and the answer. */
export function diffCharacters({ contextTokens }: ChosenModel): number {
  const reservedTokens = 2_000;
  const fit = ((contextTokens ?? Number.POSITIVE_INFINITY) - reservedTokens) * charactersPerToken;
  return Math.max(1_000, Math.min(limits.commitDiff, Math.floor(fit)));
}
