import type { Dialect } from "../../../api/dialect/dialect.ts";
import type { ModelPrivacy } from "../../../api/endpoints/account/keys.ts";
import { ask, choose } from "../../../platform/editor/dialogs/ask.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { dayMs } from "../../../shared/time/days.ts";
import { localZone, zonedText } from "../../../shared/time/zonedTime.ts";
import {
  descriptionProblem,
  expiryPresets,
  expiryProblem,
  expiryPrompt,
  type FormPeriod,
  hasLimit,
  type KeyDraft,
  limitProblem,
  periodTexts,
  privacyTexts,
  typedExpiryOf,
} from "./keyForm.ts";

/** Context of a step besides the draft. */
export interface Asking {
  readonly title: string;
  readonly dialect: Dialect;
  readonly step: number;
  readonly totalSteps: number;
}

/** Asks for one property of a draft. */
export type Step<Draft> = (draft: Draft, asking: Asking) => Promise<Draft | "back" | undefined>;

/** Asks step by step, and back, from `first` on. Without a limit there is no question of its period. */
export async function askSteps<Draft extends KeyDraft>(
  draft: Draft,
  steps: readonly Step<Draft>[],
  {
    title,
    dialect,
    first = 1,
  }: { readonly title: string; readonly dialect: Dialect; readonly first?: number },
): Promise<Draft | "back" | undefined> {
  const totalSteps = first - 1 + steps.length;
  let answered = draft;
  for (let step = 0; step < steps.length; ) {
    const answer = await steps[step]?.(answered, { title, dialect, step: first + step, totalSteps });
    if (answer === undefined) return undefined;
    if (answer !== "back") answered = answer;
    step += answer === "back" ? -1 : 1;
    if (steps[step] === askPeriod && !hasLimit(answered)) step += answer === "back" ? -1 : 1;
    if (step < 0) return "back";
  }
  return answered;
}

/** The title and the number of a question. */
export function headerOf({ title, step, totalSteps }: Asking) {
  return { title, step, totalSteps };
}

/** The draft with the answer applied. Back and cancel are passed on. */
export function taken<Value, Draft>(
  answer: { readonly value: Value } | "back" | undefined,
  into: (value: Value) => Draft,
): Draft | "back" | undefined {
  return typeof answer === "object" ? into(answer.value) : answer;
}

/** What a new key may do, or "several" for many keys. */
export async function askType(asking: Asking, active: KeyDraft["type"]) {
  return choose<KeyDraft["type"] | "several">({
    ...headerOf(asking),
    placeholder: "What may the key do?",
    active,
    items: [
      {
        label: "$(key) Inference",
        detail: "Calls models. Can't read the bill or manage keys.",
        value: "INFERENCE" as const,
      },
      {
        label: "$(shield) Admin",
        detail: "Can do everything: call models, read the bill, create and revoke keys.",
        value: "ADMIN" as const,
      },
      {
        label: "$(list-ordered) Several Keys…",
        detail: "For inference, with the same limits and numbered names.",
        value: "several" as const,
      },
    ],
  });
}

export async function askName<Draft extends KeyDraft>(draft: Draft, asking: Asking) {
  const { dialect } = asking;
  const answer = await ask({
    ...headerOf(asking),
    prompt: "Name of the key, as shown in lists and usage. An owner can follow after “ · ”: ci · ana.",
    placeholder: "ci, my laptop …",
    value: draft.description,
    problem: (value) => descriptionProblem(dialect, value),
  });
  return taken(answer, (description) => ({ ...draft, description }));
}

function askLimit(member: "usd" | "diem", currency: string) {
  return async <Draft extends KeyDraft>(draft: Draft, asking: Asking) => {
    const answer = await ask({
      ...headerOf(asking),
      prompt: `Limit in ${currency}. Leave it empty for no limit.`,
      value: draft[member],
      problem: limitProblem,
    });
    return taken(answer, (limit) => ({ ...draft, [member]: typedAmount(limit) ?? "" }));
  };
}

export const askUsd = askLimit("usd", "USD");
export const askDiem = askLimit("diem", "DIEM");

export async function askPeriod<Draft extends KeyDraft>(draft: Draft, asking: Asking) {
  const answer = await choose<FormPeriod>({
    ...headerOf(asking),
    placeholder: "Select the period of the limit",
    active: draft.period,
    items: periodTexts.map(({ period, label, detail }) => ({ label, detail, value: period })),
  });
  return taken(answer, (period) => ({ ...draft, period }));
}

export async function askExpiry<Draft extends KeyDraft>(
  draft: Draft,
  asking: Asking,
): Promise<Draft | "back" | undefined> {
  const nowMs = Date.now();
  const zone = localZone();
  const answer = await choose<number | "date" | undefined>({
    ...headerOf(asking),
    placeholder: "When does the key expire?",
    items: [
      ...expiryPresets.map(({ label, days }) => ({
        label,
        value: days,
        ...(days === undefined ? {} : { description: zonedText(nowMs + days * dayMs, zone) }),
      })),
      { label: "On a day, at a time…", description: zone, value: "date" as const },
    ],
  });
  if (typeof answer !== "object") return answer;
  if (answer.value !== "date") {
    const expiresAtMs = answer.value === undefined ? undefined : nowMs + answer.value * dayMs;
    return { ...draft, expiresAtMs };
  }
  const date = await ask({
    ...headerOf(asking),
    prompt: expiryPrompt(nowMs, zone),
    placeholder: "YYYY-MM-DD HH:MM",
    problem: (value) => expiryProblem(value, Date.now(), zone),
  });
  if (date === "back") return askExpiry(draft, asking);
  return date && { ...draft, expiresAtMs: typedExpiryOf(date.value, zone) };
}

export async function askPrivacy<Draft extends KeyDraft>(draft: Draft, asking: Asking) {
  const answer = await choose<ModelPrivacy>({
    ...headerOf(asking),
    placeholder: "Which models may the key call?",
    active: draft.privacy ?? "ALL",
    items: privacyTexts.map(({ privacy, label, detail }) => ({ label, detail, value: privacy })),
  });
  return taken(answer, (privacy) => ({ ...draft, privacy }));
}

/** One text without further steps; undefined if the user cancels. */
export async function askText(
  title: string,
  prompt: string,
  value: string,
  problem: (value: string) => string | undefined,
): Promise<string | undefined> {
  const answer = await ask({ title, prompt, value, problem });
  return typeof answer === "object" ? answer.value.trim() : undefined;
}
