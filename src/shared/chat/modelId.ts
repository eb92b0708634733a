import { type SuffixSwitch, suffixSwitches } from "./chatParameters.ts";

const known = new Set<string>(suffixSwitches);

export interface ModelReference {
  /** An entry of the catalog: a model id, a trait or another vendor's name. */
  readonly id: string;
  readonly features: Readonly<Partial<Record<SuffixSwitch, string>>>;
}

/** Splits `<model>:<key>=<value>&…` at its first colon. A suffix that is not a list of features belongs to the id. */
export function splitModelId(text: string): ModelReference {
  const colon = text.indexOf(":");
  if (colon < 0) return { id: text, features: {} };
  const pairs = [...new URLSearchParams(text.slice(colon + 1))];
  if (!pairs.every(([name, value]) => known.has(name) && value !== "")) return { id: text, features: {} };
  return { id: text.slice(0, colon), features: Object.fromEntries(pairs) };
}

/** The inverse of `splitModelId`. */
export function joinModelId({ id, features }: ModelReference): string {
  const suffix = new URLSearchParams(features as Record<string, string>).toString();
  return suffix === "" ? id : `${id}:${suffix}`;
}
