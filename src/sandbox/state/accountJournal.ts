import * as z from "zod";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { dayMs, dayOf } from "../../shared/time/days.ts";
import type { LedgerEntry } from "../billing/ledger/entry.ts";
import type { KeyRecord } from "../keys/keyRecord.ts";
import { type Ids, uuidOf } from "./ids.ts";

/** A persistent journal, oldest line first. Several sandboxes may append to it at the same time. */
export interface LineJournal {
  /** The lines when the sandbox started. */
  readonly lines: readonly string[];
  append(lines: readonly string[]): void;
  /** Replaces all lines. */
  replace(lines: readonly string[]): void;
}

/** Keys and bill of earlier starts. */
export interface AccountJournal {
  /** True on the first start. */
  readonly isNew: boolean;
  /** Ids of the two keys that get new secrets at each start. */
  readonly adminKeyId: string;
  readonly inferenceKeyId: string;
  readonly keys: readonly KeyRecord[];
  /** Oldest first, with those of the example month. */
  readonly entries: readonly LedgerEntry[];
  /** Entries that the account paid for, which excludes the example month. */
  readonly paid: readonly LedgerEntry[];
  saveKey(record: KeyRecord): void;
  saveEntries(entries: readonly LedgerEntry[]): void;
  /** Stores entries that were not paid from the balance. */
  saveExample(entries: readonly LedgerEntry[]): void;
}

/** Stores nothing. */
export const noJournal: LineJournal = { lines: [], append() {}, replace() {} };

/** Analytics reach back 90 days (spec E1). Older charges, and those beyond this number, are dropped. */
const storedDays = 100;
const mostCharges = 20_000;

const Nano = z.number().int();
const EntryLine = z.looseObject({
  atMs: z.number(),
  sku: z.string(),
  pricePerUnitUsd: z.number(),
  units: z.number(),
  amount: Nano,
  currency: z.enum(["USD", "VCU", "DIEM", "BUNDLED_CREDITS"]),
  notes: z.string(),
  inferenceDetails: z.looseObject({ requestId: z.string(), inferenceExecutionTime: z.number() }).nullable(),
  keyId: z.string().nullable(),
  product: z.looseObject({ model: z.string(), modelType: z.string().nullable(), unitType: z.string() }),
});
const KeyLine = z.object({
  id: z.string(),
  digest: z.string(),
  last6Chars: z.string(),
  type: z.enum(["INFERENCE", "ADMIN"]),
  createdAtMs: z.number(),
  description: z.string(),
  caps: z.object({ usd: Nano.optional(), diem: Nano.optional(), vcu: Nano.optional() }),
  limitPeriod: z.enum(["EPOCH", "MONTH", "LIFETIME"]),
  revoked: z.boolean(),
  modelPrivacy: z.enum(["ALL", "PRIVATE_TEXT", "PRIVATE_ONLY"]).optional(),
  expiresAtMs: z.number().optional(),
  lastUsedAtMs: z.number().optional(),
});
const Line = z.union([
  z.object({ opened: z.object({ adminKeyId: z.string(), inferenceKeyId: z.string() }) }),
  z.object({ key: KeyLine }),
  z.object({ entries: z.array(EntryLine) }),
  z.object({ example: z.array(EntryLine) }),
]);
type Line = z.infer<typeof Line>;

/** Reads the journal. Skips damaged lines. */
export function openAccountJournal(journal: LineJournal, ids: Ids, nowMs: number): AccountJournal {
  const read = journal.lines.flatMap((text) => {
    const line = lineOf(text);
    return line === undefined ? [] : [{ text, line }];
  });
  const known = read.find(({ line }) => "opened" in line)?.line;
  const isNew = known === undefined;
  const opened =
    known && "opened" in known
      ? known.opened
      : { adminKeyId: uuidOf(ids.hex(32)), inferenceKeyId: uuidOf(ids.hex(32)) };
  if (isNew) journal.append([JSON.stringify({ opened })]);
  const stored = recent(read, nowMs);
  if (stored.length < read.length / 2) journal.replace(stored.map(({ text }) => text));
  const lines = stored.map(({ line }) => line);
  const paid = sorted(lines.flatMap((line) => ("entries" in line ? line.entries : [])));
  const example = lines.flatMap((line) => ("example" in line ? line.example : []));
  const keys = new Map(lines.flatMap((line) => ("key" in line ? [[line.key.id, toRecord(line.key)]] : [])));
  return {
    isNew,
    ...opened,
    keys: [...keys.values()],
    entries: sorted([...(example as unknown as LedgerEntry[]), ...paid]),
    paid,
    saveKey: (record) =>
      journal.append([JSON.stringify({ key: { ...record, digest: record.digest.toString("hex") } })]),
    saveEntries: (entries) => journal.append([JSON.stringify({ entries })]),
    saveExample(entries) {
      const byDay = Map.groupBy(entries, ({ atMs }) => dayOf(atMs));
      journal.append([...byDay.values()].map((example) => JSON.stringify({ example })));
    },
  };
}

function lineOf(text: string): Line | undefined {
  return Line.safeParse(parseJson(text)).data;
}

/** Drops charges that are too old or too many, and all but the last state of each key. */
function recent<One extends { readonly line: Line }>(read: readonly One[], nowMs: number): readonly One[] {
  const lastOfKey = new Map(read.map(({ line }, at) => ["key" in line ? line.key.id : "", at]));
  let charges = 0;
  return read
    .toReversed()
    .filter(({ line }, fromEnd) => {
      if ("opened" in line) return true;
      if ("key" in line) return lastOfKey.get(line.key.id) === read.length - 1 - fromEnd;
      const [first] = "entries" in line ? line.entries : line.example;
      return first !== undefined && nowMs - first.atMs < storedDays * dayMs && ++charges <= mostCharges;
    })
    .toReversed();
}

function toRecord(line: z.infer<typeof KeyLine>): KeyRecord {
  const { caps, digest, ...rest } = line;
  return {
    ...rest,
    expiresAtMs: rest.expiresAtMs,
    lastUsedAtMs: rest.lastUsedAtMs,
    modelPrivacy: rest.modelPrivacy,
    caps: { usd: caps.usd, diem: caps.diem, vcu: caps.vcu },
    digest: Buffer.from(digest, "hex"),
  };
}

/** Two sandboxes that run at the same time interleave their lines. */
function sorted(entries: readonly object[]): readonly LedgerEntry[] {
  return (entries as readonly LedgerEntry[]).toSorted((a, b) => a.atMs - b.atMs);
}

/** The spent part of the account's money: DIEM since the start of the UTC day, USD since the start of the UTC month. */
export function spentOf(
  paid: readonly LedgerEntry[],
  nowMs: number,
): { readonly usd: number; readonly diem: number } {
  const month = new Date(nowMs).toISOString().slice(0, 7);
  let [usd, diem] = [0, 0];
  for (const { atMs, amount, currency } of paid) {
    if (currency === "DIEM" && dayOf(atMs) === dayOf(nowMs)) diem -= amount;
    if (currency === "USD" && new Date(atMs).toISOString().startsWith(month)) usd -= amount;
  }
  return { usd, diem };
}
