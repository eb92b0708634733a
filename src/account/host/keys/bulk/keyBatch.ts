import type { Dialect } from "../../../../api/dialect/dialect.ts";
import { localZone } from "../../../../shared/time/zonedTime.ts";
import { descriptionProblem, type KeyDraft, type NewKey, summaryOf, toNewKey } from "../keyForm.ts";
import { withOwner } from "../keyOwner.ts";

/** Many keys that differ in the number in their name. */
export interface KeyBatch extends KeyDraft {
  /** As typed. */
  readonly count: string;
  /** Empty for none. */
  readonly owner: string;
}

const mostNewKeys = 100;
const mark = "{n}";

/** The names of the keys: `worker-{n}` becomes `worker-01` to `worker-12`. */
export function namesOf({ description, count, owner }: KeyBatch): readonly string[] {
  const total = Number(count);
  const pattern = description.trim();
  const whole = pattern.includes(mark) ? pattern : `${pattern} ${mark}`;
  const digits = String(total).length;
  return Array.from({ length: total }, (_, index) =>
    withOwner(whole.replaceAll(mark, String(index + 1).padStart(digits, "0")), owner),
  );
}

export function countProblem(text: string): string | undefined {
  const count = Number(text.trim());
  if (/^\d+$/.test(text.trim()) && count >= 2 && count <= mostNewKeys) return undefined;
  return `Enter a number from 2 to ${mostNewKeys}.`;
}

/** The error in the longest name. */
export function namesProblem(dialect: Dialect, batch: KeyBatch): string | undefined {
  return descriptionProblem(dialect, namesOf(batch).at(-1) ?? "");
}

export function newKeysOf(batch: KeyBatch): readonly NewKey[] {
  return namesOf(batch).map((description) => toNewKey({ ...batch, description }));
}

/** The summary without the name of a single key. */
export function batchSummary(batch: KeyBatch): string {
  const [, ...lines] = summaryOf(batch, localZone()).split("\n");
  return lines.join("\n");
}

/** A key with its secret, which the service shows only now. */
export interface MadeKey {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** One variable per key, by its name: `WORKER_01=…`. Names that come out the same get a number. */
export function envText(made: readonly MadeKey[]): string {
  const taken = new Set<string>();
  return made
    .map(({ name, secret }) => {
      const base = name
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, "_")
        .replace(/^_+|_+$/g, "");
      const plain = /^[A-Z]/.test(base) ? base : `KEY_${base}`;
      let variable = plain;
      for (let count = 2; taken.has(variable); count++) variable = `${plain}_${count}`;
      taken.add(variable);
      return `${variable}=${secret}\n`;
    })
    .join("");
}
