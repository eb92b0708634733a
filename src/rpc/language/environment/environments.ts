import { hexDigits } from "../../../shared/rpc/hex.ts";
import { asciiLowerCase } from "../../../shared/text/asciiLowerCase.ts";
import { memo } from "../memo.ts";
import { durations, type Name, units, type Value } from "../parse/nodes.ts";
import type { EnvFile, Variable } from "./envFile.ts";

/** The environments of a notebook. */
export interface Environments {
  /** The environment of cells without @env. */
  readonly chosen?: string;
  /** The names of the files that exist. */
  readonly offered: readonly string[];
  /** Files by environment. One that is not read yet has no entry. */
  readonly files: ReadonlyMap<string, EnvFile>;
  /** Variables from outside of files, which have precedence. */
  readonly given: ReadonlyMap<string, Variable>;
}

/** A variable and its file, or why it has no value; undefined while its file is being read. */
export type FoundVariable =
  | { readonly variable: Variable; readonly path?: string; readonly uri?: string }
  | { readonly problem: string };

export function findVariable(
  { files, given }: Environments,
  environment: string | undefined,
  name: string,
): FoundVariable | undefined {
  const variable = given.get(name);
  if (variable) return { variable };
  if (environment === undefined)
    return { problem: `{{${name}}} has no value, because no environment is chosen. Write @env NAME above` };
  const file = files.get(environment);
  if (!file) return undefined;
  if ("problem" in file) return { problem: `{{${name}}} has no value. ${file.problem}` };
  const { variables, ...place } = file;
  const found = variables.get(name);
  if (found) return { variable: found, ...place };
  return { problem: `{{${name}}} is not defined in the environment ${environment} (${file.path})` };
}

/** The variables that cells with this environment can use. */
export function variablesIn(
  { files, given }: Environments,
  environment: string | undefined,
): ReadonlyMap<string, Variable> {
  const file = files.get(environment ?? "");
  return new Map([...(file && "variables" in file ? file.variables : []), ...given]);
}

type LiteralKind = "string" | "number" | "hex" | "literal";
type Literal = Value extends infer One
  ? One extends { readonly kind: LiteralKind }
    ? Omit<One, "start" | "end">
    : never
  : never;

const number = /^(-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:[ \t]*([a-z]+))?$/;
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/**
 * The value of a variable as one literal of the language: a number or an amount, hex, `true`, `false`, `null`, else text.
 * It is never parsed as lines, so that a value can't add requests.
 */
const literalOf = memo(({ value }: Variable): Literal => {
  if (/^0[xX]\w*$/.test(value)) return { kind: "hex", text: value };
  const constant = constants.get(value);
  if (constant !== undefined) return { kind: "literal", value: constant, text: value };
  const [, text, unit] = number.exec(value) ?? [];
  const isUnit = unit === undefined || Object.hasOwn(units, unit) || Object.hasOwn(durations, unit);
  if (text === undefined || !isUnit) return { kind: "string", value };
  return { kind: "number", text, ...(unit === undefined ? {} : { unit: { text: unit, start: 0, end: 0 } }) };
});

/** Shorter secrets can't be told from other text in results. */
const leastSecret = 6;

/** The literal of `{{NAME}}`, with the unit that follows it, or why it can't be used. */
export function useVariable(
  found: FoundVariable,
  name: string,
  unit?: Name,
): { readonly literal: Literal; readonly length: number } | { readonly problem: string } {
  if ("problem" in found) return found;
  const { value, isSecret } = found.variable;
  if (value === "") return { problem: `The value of {{${name}}} is empty` };
  if (isSecret && value.length < leastSecret)
    return {
      problem: `The value of {{${name}}} is too short to be hidden in results. Use at least ${leastSecret} characters, or a name that is not that of a secret`,
    };
  const literal = literalOf(found.variable);
  if (!unit) return { literal, length: value.length };
  if (literal.kind !== "number")
    return { problem: `${unit.text} follows {{${name}}}, whose value is not a number` };
  if (literal.unit) return { problem: `{{${name}}} already has a unit, so ${unit.text} can't follow it` };
  return { literal: { ...literal, unit }, length: value.length };
}

interface Hiding {
  readonly hide: HideSecrets | undefined;
}

/** Replaces secrets in a text. */
export type HideSecrets = (text: string) => string;
/** Stands in their place. */
export const hidden = "***";

/**
 * Hides the secrets of all environments of a notebook, also as hex digits of text and number, because nodes quote
 * calldata in errors. Undefined without secrets.
 */
export const hidingOf = memo(({ files, given }: Environments): Hiding => {
  const all = [...files.values()].flatMap((file) =>
    "variables" in file ? [...file.variables.values()] : [],
  );
  const secrets = [...all, ...given.values()].filter(({ isSecret }) => isSecret);
  const forms = new Set(secrets.flatMap(({ value }) => secretForms(value)));
  return { hide: forms.size === 0 ? undefined : hidingForms([...forms]) };
});

/** Hides these forms of secrets. */
export function hidingForms(forms: readonly string[]): HideSecrets {
  // The longest first, so that no part of it is left.
  const sorted = forms.toSorted((a, b) => b.length - a.length);
  return (text) => sorted.reduce(hideForm, text);
}

function hideForm(text: string, form: string): string {
  const lower = asciiLowerCase(text);
  let found = lower.indexOf(form);
  if (found < 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (; found >= 0; found = lower.indexOf(form, from)) {
    parts.push(text.slice(from, found));
    from = found + form.length;
  }
  return [...parts, text.slice(from)].join(hidden);
}

/** The forms in which a node may quote a secret, in lower case. Empty for one that is too short. */
export function secretForms(value: string): string[] {
  if (value.length < leastSecret) return [];
  const digits = /^0[xX]([0-9a-fA-F]+)$/.exec(value)?.[1];
  const decimal = /^\d{6,200}$/.test(value) ? BigInt(value).toString(16) : undefined;
  const text = hexDigits(new TextEncoder().encode(value));
  const json = JSON.stringify(value).slice(1, -1);
  return [value, json, digits, decimal, text]
    .filter((form) => form !== undefined && form.length >= leastSecret)
    .map((form = "") => asciiLowerCase(form));
}
