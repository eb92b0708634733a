import type * as z from "zod";
import type { Dialect } from "../../../api/dialect/dialect.ts";
import { memberProblem } from "../../../api/endpoint.ts";
import type { keys, ModelPrivacy } from "../../../api/endpoints/account/keys.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { fromZonedText, zonedText } from "../../../shared/time/zonedTime.ts";
import type { KeyDetails } from "./keyRow.ts";

/** Draft of a new key (spec E6). */
export interface KeyDraft {
  readonly type: "INFERENCE" | "ADMIN";
  readonly description: string;
  /** As typed; empty for none. */
  readonly usd: string;
  readonly diem: string;
  readonly period: FormPeriod;
  /** Unix time in milliseconds; undefined for never. */
  readonly expiresAtMs: number | undefined;
  /** Undefined if the service has no such rule, or for all models. */
  readonly privacy: ModelPrivacy | undefined;
}

export type FormPeriod = "EPOCH" | "MONTH" | "LIFETIME";
export type NewKey = z.input<typeof keys.create.input>;

export const emptyKeyDraft: KeyDraft = {
  type: "INFERENCE",
  description: "",
  usd: "",
  diem: "",
  period: "MONTH",
  expiresAtMs: undefined,
  privacy: undefined,
};

export const periodTexts: readonly {
  readonly period: FormPeriod;
  readonly label: string;
  readonly detail: string;
}[] = [
  { period: "EPOCH", label: "Day", detail: "The limit resets each UTC day (EPOCH)." },
  { period: "MONTH", label: "Month", detail: "The limit resets on the 1st of each UTC calendar month." },
  { period: "LIFETIME", label: "Lifetime", detail: "The limit never resets." },
];

export const privacyTexts: readonly {
  readonly privacy: ModelPrivacy;
  readonly label: string;
  readonly detail: string;
}[] = [
  { privacy: "ALL", label: "All Models", detail: "Private and anonymized models." },
  {
    privacy: "PRIVATE_TEXT",
    label: "Private Text Models",
    detail: "Text models must be private. Image and audio models may be any.",
  },
  { privacy: "PRIVATE_ONLY", label: "Private Models Only", detail: "All other models are refused." },
];

const route = "POST /api_keys";

/** True if keys of this service can be limited to some models. */
export function takesPrivacy({ rules }: Dialect): boolean {
  return memberProblem(rules, route, "modelPrivacy", "ALL") === undefined;
}

export const expiryPresets: readonly { readonly label: string; readonly days: number | undefined }[] = [
  { label: "Never", days: undefined },
  { label: "Tomorrow", days: 1 },
  { label: "In 7 days", days: 7 },
  { label: "In 30 days", days: 30 },
  { label: "In 90 days", days: 90 },
];

/** The error in a typed limit; undefined if it is valid. Empty means no limit. */
export function limitProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const amount = typedAmount(text);
  if (amount === undefined) return "Enter an amount such as 5 or 0.25, or leave it empty for no limit.";
  return Number(amount) > 1e9 ? "The limit is too large." : undefined;
}

/** Asks for an expiry in the user's own time. `zone` is an IANA name. */
export function expiryPrompt(nowMs: number, zone: string): string {
  return `Day and time in your time zone, where it is ${zonedText(nowMs, zone)} now. A day alone means 00:00.`;
}

/** The error in a typed expiry. */
export function expiryProblem(text: string, nowMs: number, zone: string): string | undefined {
  const typed = fromZonedText(text, zone);
  return "problem" in typed ? typed.problem : pastProblem(typed.atMs, nowMs, zone);
}

/** The error of an expiry that has passed, even if it was chosen before. "Never" has no error. */
export function pastProblem(
  expiresAtMs: number | undefined,
  nowMs: number,
  zone: string,
): string | undefined {
  if (expiresAtMs === undefined || expiresAtMs > nowMs) return undefined;
  return `The expiry must be in the future; ${zonedText(expiresAtMs, zone)} has passed.`;
}

/** The instant of an expiry without a problem. */
export function typedExpiryOf(text: string, zone: string): number {
  const typed = fromZonedText(text, zone);
  return "problem" in typed ? Number.NaN : typed.atMs;
}

/** The error in a typed id of a key, which is UUID-shaped (spec, API key record). A secret must not go out as an id. */
export function keyIdProblem(text: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim())
    ? undefined
    : "Enter an id such as 12345678-90ab-cdef-1234-567890abcdef. The secret of a key is not its id.";
}

export function descriptionProblem({ rules }: Dialect, text: string): string | undefined {
  const typed = text.trim();
  if (typed === "") return "Enter a name that says what the key is for.";
  const broken = typed.length > 200 ? "at most 200 characters" : undefined;
  const rule = memberProblem(rules, route, "description", typed) ?? broken;
  return rule && `A name may have ${rule}; this one has ${typed.length}.`;
}

export function hasLimit({ usd, diem }: KeyDraft): boolean {
  return usd.trim() !== "" || diem.trim() !== "";
}

type Limits = NonNullable<NewKey["consumptionLimit"]>;

/**
 * A change of limits with the key's other limits: a service may take limits as a whole, and then those that are left out
 * would be lost, such as one in the deprecated VCU.
 */
export function withOtherLimits(limits: KeyDetails["limits"], change: Limits): Limits {
  const known = Object.entries(limits).flatMap(([member, limit]) =>
    limit === undefined ? [] : [[member, Number(limit.digits())] as const],
  );
  return { ...Object.fromEntries(known), ...change };
}

/** The request, without empty members. */
export function toNewKey(draft: KeyDraft): NewKey {
  const { type, description, usd, diem, period, expiresAtMs, privacy } = draft;
  const limits = {
    ...(usd.trim() === "" ? {} : { usd: Number(usd) }),
    ...(diem.trim() === "" ? {} : { diem: Number(diem) }),
  };
  return {
    apiKeyType: type,
    description: description.trim(),
    ...(hasLimit(draft) ? { consumptionLimit: limits, limitPeriod: period } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
    ...(privacy === undefined ? {} : { modelPrivacy: privacy }),
  };
}

/** Summary of the new key, by line. */
export function summaryOf(draft: KeyDraft, zone: string): string {
  const { type, description, usd, diem, period, expiresAtMs, privacy } = draft;
  const models = privacyTexts.find((one) => one.privacy === privacy)?.label.toLowerCase();
  const limits = [usd.trim() && `$${usd.trim()}`, diem.trim() && `${diem.trim()} DIEM`]
    .filter(Boolean)
    .join(" and ");
  const periodText = periodTexts.find((one) => one.period === period)?.label.toLowerCase();
  return [
    `Name: ${description.trim()}`,
    `Type: ${type}${type === "ADMIN" ? ", can do everything" : ", calls models only"}`,
    `Limit: ${hasLimit(draft) ? `${limits} per ${periodText}` : "none"}`,
    `Expires: ${expiresAtMs === undefined ? "never" : zonedText(expiresAtMs, zone)}`,
    ...(models ? [`May call: ${models}`] : []),
  ].join("\n");
}

/** Active keys that a user may have (spec, Other limits). */
export const maxKeys = 500;

const perMinute = 20;
const minuteMs = 60_000;

/** Delay before another key can be created: 20 a minute (spec, Other limits). */
export function creationPauseMs(createdAtMs: readonly number[], nowMs: number): number {
  const recent = createdAtMs.filter((atMs) => nowMs - atMs < minuteMs).sort((a, b) => a - b);
  const first = recent.at(-perMinute);
  return first === undefined ? 0 : first + minuteMs - nowMs;
}
