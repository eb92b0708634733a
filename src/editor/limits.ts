import type { ChosenModel } from "../session/requestModel.ts";
import { formatCount } from "./usageFormat.ts";

/** Limits in characters. */
export const limits = {
  /** An edit repeats its whole selection: beyond this it is slow, costly and seldom right. */
  edit: 60_000,
  /** Context sent before and after a selection, each. */
  context: 4_000,
  /** A selection sent to the chat. */
  ask: 200_000,
  commitDiff: 80_000,
} as const;

/** A low estimate, to leave some room: code has about three characters per token. */
const charactersPerToken = 3;

function toTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Error sentence if a selection is too long for an edit; undefined otherwise. */
export function refuseEdit(characters: number): string | undefined {
  if (characters <= limits.edit) return undefined;
  return `The selection has ${formatCount(characters)} characters; at most ${formatCount(limits.edit)} are edited in place. Select less, or ask about it in the chat.`;
}

export function refuseAsk(characters: number): string | undefined {
  if (characters <= limits.ask) return undefined;
  return `The selection has ${formatCount(characters)} characters; at most ${formatCount(limits.ask)} go to the chat. Select less.`;
}

/** Error sentence if question and answer exceed the model's context; undefined if they fit or the size is unknown. */
export function refuseWindow(model: ChosenModel, promptCharacters: number, answerCharacters: number) {
  const needed = toTokens(promptCharacters + answerCharacters);
  if (model.contextTokens === undefined || needed <= model.contextTokens) return undefined;
  return `This needs about ${formatCount(needed)} tokens, and ${model.name} holds ${formatCount(model.contextTokens)}. Select less, or choose another model in the chat.`;
}

/** Characters of a diff that fit beside the rest of the prompt and the answer. */
export function diffCharacters({ contextTokens }: ChosenModel): number {
  const reservedTokens = 2_000;
  const fit = ((contextTokens ?? Number.POSITIVE_INFINITY) - reservedTokens) * charactersPerToken;
  return Math.max(1_000, Math.min(limits.commitDiff, Math.floor(fit)));
}
