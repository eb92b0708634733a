import type * as z from "zod";
import type { Dialect } from "../../../../api/dialect/dialect.ts";
import type { keys } from "../../../../api/endpoints/account/keys.ts";
import { dayMs } from "../../../../shared/time/days.ts";
import { descriptionProblem, type FormPeriod } from "../keyForm.ts";
import { namedKey, withOwner, withPrefix } from "../keyOwner.ts";
import type { KeyRow } from "../keyRow.ts";

/** One change of many keys. */
export type BulkChange =
  | { readonly of: "usd" | "diem"; readonly limit: number | null }
  | { readonly of: "period"; readonly period: FormPeriod }
  /** Undefined for never. */
  | { readonly of: "expiry"; readonly expiresAtMs: number | undefined }
  | { readonly of: "extension"; readonly days: number }
  | { readonly of: "prefix"; readonly prefix: string }
  | { readonly of: "owner"; readonly owner: string };

type EditedMembers = Omit<z.input<typeof keys.update.input>, "id">;

export interface PlannedEdit {
  readonly id: string;
  readonly name: string;
  readonly change: EditedMembers;
}

export interface EditPlan {
  readonly edits: readonly PlannedEdit[];
  /** Keys that are left as they are, with the reason. */
  readonly skipped: readonly (readonly [name: string, reason: string])[];
}

/** Works out the change of each key once, so that doing it again changes nothing more. */
export function planEdits(
  rows: readonly KeyRow[],
  change: BulkChange,
  { dialect, nowMs }: { readonly dialect: Dialect; readonly nowMs: number },
): EditPlan {
  const edits: PlannedEdit[] = [];
  const skipped: (readonly [string, string])[] = [];
  for (const row of rows) {
    const name = namedKey(row);
    const planned = changeOf(row, change, dialect, nowMs);
    if (typeof planned === "string") skipped.push([name, planned]);
    else edits.push({ id: row.id, name, change: planned });
  }
  return { edits, skipped };
}

/** The members to change, or the reason that the key stays as it is. */
function changeOf(row: KeyRow, change: BulkChange, dialect: Dialect, nowMs: number): EditedMembers | string {
  switch (change.of) {
    case "usd":
    case "diem":
      return { consumptionLimit: { [change.of]: change.limit } };
    case "period":
      return { limitPeriod: change.period };
    case "expiry": {
      const { expiresAtMs } = change;
      return { expiresAt: expiresAtMs === undefined ? "" : new Date(expiresAtMs).toISOString() };
    }
    case "extension":
      return extended(row, change.days, nowMs);
    case "prefix":
      return renamed(row, withPrefix(row.description, change.prefix), dialect);
    case "owner":
      return renamed(row, withOwner(row.description, change.owner), dialect);
  }
}

/** From its own end, or from now if that has passed. */
function extended({ details }: KeyRow, days: number, nowMs: number): EditedMembers | string {
  if (!details) return "its record could not be read";
  if (details.expiresAtMs === undefined) return "it never expires";
  return { expiresAt: new Date(Math.max(details.expiresAtMs, nowMs) + days * dayMs).toISOString() };
}

function renamed({ description }: KeyRow, wanted: string, dialect: Dialect): EditedMembers | string {
  if (wanted === description) return "it has this name already";
  return descriptionProblem(dialect, wanted) ?? { description: wanted };
}
