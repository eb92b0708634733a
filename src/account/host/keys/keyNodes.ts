import { nothing } from "../../../shared/money/amounts.ts";
import type { AnyMoney, Money, MoneyIn } from "../../../shared/money/money.ts";
import { fullMoneyText, moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { spanText } from "../../../shared/time/days.ts";
import { utcText } from "../../../shared/time/whenText.ts";
import { localZone, zonedText } from "../../../shared/time/zonedTime.ts";
import type { AccountData, KeyList } from "../accountData.ts";
import { lastDays, limitResetMs, maxAnalyticsDays, periodOfLimit } from "../accountData.ts";
import { type AccountNode, type Fact, type RowTooltip, shareBar } from "../tree/treeNode.ts";
import { type AnalyticsTotals, byWorth, type KeySpend } from "../usage/analyticsTotals.ts";
import { commonUnit, unitsText } from "../usage/unitsText.ts";
import { soonMs } from "./health/keyHealth.ts";
import { reviewNodes } from "./health/reviewNodes.ts";
import { privacyTexts } from "./keyForm.ts";
import { byOwner, countOfKeys } from "./keyOwner.ts";
import type { KeyDetails, KeyRow } from "./keyRow.ts";

/** Without a list of keys, each record takes one request. This many are read before the user opens one. */
export const readAhead = 15;
/** Days of the spend that is shown with each key. */
const spendDays = 30;

export const keyOrders = ["spend", "name", "lastUsed", "expiry", "owner"] as const;
export type KeyOrder = (typeof keyOrders)[number];

/** A key before its record is read. */
interface Listed {
  readonly row: KeyRow;
  readonly spend: KeySpend | undefined;
  /** Its spend and units in words; undefined if it has none, or they could not be read. */
  readonly spendText: string | undefined;
}

/**
 * All keys of the account in this order, and those that were looked up by their id. The tree view's own search finds
 * each. Throws if they can't be read.
 */
export async function keyNodes(
  data: AccountData,
  order: KeyOrder = "spend",
): Promise<readonly AccountNode[]> {
  const { value, error } = await data.keys.load();
  const known = new Set(value?.keys.map(({ id }) => id));
  const lookedUp = [...data.lookedUpKeys]
    .filter((id) => !known.has(id))
    .map((id): KeyRow => ({ id, description: "", source: "lookedUp" }));
  if (!value && lookedUp.length === 0) throw error;
  const rows = [...lookedUp, ...(value?.keys ?? [])];
  if (rows.length === 0) return [];
  const { value: usage } = await data.analytics(lastDays(spendDays, data.now())).load();
  const spends = new Map(usage?.keys.map((key) => [key.id, key]));
  const listed = rows
    .map((row): Listed => {
      const spend = spends.get(row.id);
      return { row, spend, spendText: usage && spend && keyUsageText(spend, usage) };
    })
    .sort((a, b) => comparers[order](a, b) || byName(a.row.description, b.row.description));
  const nodes = await Promise.all(
    listed.map((one, at) =>
      one.row.details || one.row.source === "lookedUp" || at < readAhead
        ? keyNode(data, one)
        : unreadNode(data, one),
    ),
  );
  const source = value ? sourceNode(value, order) : unlistedNode;
  const named = listed.map(({ row }, index) => ({ row, node: nodes[index] as AccountNode }));
  const review = reviewNodes(
    listed.map(({ row, spend }, index) => ({
      row,
      node: nodes[index] as AccountNode,
      hasSpent: usage && spend !== undefined,
    })),
    data.now(),
  );
  return [source, ...review, ...(order === "owner" ? ownerNodes(named) : nodes)];
}

/** The keys of each owner in a group of their own, unless no key names one. */
function ownerNodes(
  keys: readonly { readonly row: KeyRow; readonly node: AccountNode }[],
): readonly AccountNode[] {
  const groups = byOwner(keys, ({ row }) => row.details?.description ?? row.description);
  if (groups.every(([owner]) => owner === undefined)) return keys.map(({ node }) => node);
  return groups.map(([owner, own]) => ({
    id: `owner:${owner ?? ""}`,
    label: owner ?? "No owner",
    description: countOfKeys(own.length),
    icon: "person",
    isOpen: true,
    kind: "keyGroup",
    copyText: owner ?? "",
    keyIds: own.map(({ row }) => row.id),
    children: async () => own.map(({ node }) => node),
  }));
}

/** Where the keys come from, and their order. */
function sourceNode({ keys, isListed }: KeyList, order: KeyOrder): AccountNode {
  return isListed
    ? {
        id: "source",
        label: countOfKeys(keys.length),
        description: `listed by the service, ${orderTexts[order]}`,
        icon: "info",
        tint: "quiet",
      }
    : {
        id: "source",
        label: `${countOfKeys(keys.length)} known`,
        description: `created here or used in the last 90 days, ${orderTexts[order]}`,
        tooltip: {
          notes: [
            "This service does not list keys. The view shows the keys that were created here, those in the usage of the last 90 days, and those that you look up by their id.",
          ],
        },
        icon: "info",
        tint: "quiet",
      };
}

/** The keys could not be listed, but some were looked up. */
const unlistedNode: AccountNode = {
  id: "source",
  label: "The other keys could not be read",
  icon: "warning",
  tint: "warning",
  command: "refresh",
};

const orderTexts: Readonly<Record<KeyOrder, string>> = {
  spend: `by spend in ${spendDays} days`,
  name: "by name",
  lastUsed: "most recently used first",
  expiry: "next to expire first",
  owner: "by owner",
};

/** Key 2 is sorted before key 10. */
const byName = new Intl.Collator(undefined, { numeric: true }).compare;
const spendOf = ({ spend }: Listed) => ({ spend: spend?.spend ?? nothing });
const descending = <Value extends bigint | number>(a: Value, b: Value) => (a < b ? 1 : a > b ? -1 : 0);
const comparers: Readonly<Record<KeyOrder, (a: Listed, b: Listed) => number>> = {
  spend: (a, b) => byWorth(spendOf(a), spendOf(b)),
  name: () => 0,
  owner: () => 0,
  lastUsed: (a, b) => descending(a.row.details?.lastUsedAtMs ?? 0, b.row.details?.lastUsedAtMs ?? 0),
  expiry: (a, b) =>
    descending(
      -(a.row.details?.expiresAtMs ?? Number.MAX_VALUE),
      -(b.row.details?.expiresAtMs ?? Number.MAX_VALUE),
    ),
};

function spentText(spend: KeySpend | undefined): string {
  return spend && spend.spend.size > 0 ? spendText(spend.spend) : "";
}

/** The id of a key's row. VS Code finds a row by its id. */
export function keyRowOf(id: string): AccountNode {
  return { id: `key:${id}`, label: id };
}

/** A key whose record is read when the user opens it. */
function unreadNode(data: AccountData, { row, spend, spendText: spentIn }: Listed): AccountNode {
  return {
    id: `key:${row.id}`,
    keyId: row.id,
    copyText: row.id,
    label: row.description || row.id,
    description: spentText(spend),
    tooltip: { notes: ["Expand to read its record."] },
    icon: "key",
    kind: "key",
    children: async () => {
      const { value: details } = await data.key(row.id).load();
      const facts = details
        ? factNodes(row, factsOf(details, await usedOf(data, row.id, details), spentIn, data.now()))
        : [unknownNode(row.id, "The record of this key could not be read")];
      return withUsage(facts, await usageOfKey(data, row.id));
    },
  };
}

function unknownNode(id: string, label: string): AccountNode {
  return { id: `key:${id}:unknown`, label, icon: "warning", tint: "warning" };
}

async function keyNode(data: AccountData, { row, spend, spendText: spentIn }: Listed): Promise<AccountNode> {
  const { value: details, error } = row.details
    ? { value: row.details, error: undefined }
    : await data.key(row.id).load();
  const base = { id: `key:${row.id}`, keyId: row.id, copyText: row.id };
  if (!details) {
    const isGone = error === undefined;
    return {
      ...base,
      label: row.description || row.id,
      description: [isGone ? "revoked" : "could not be read", spentText(spend)].filter(Boolean).join("  "),
      tooltip: {
        notes: [
          isGone
            ? "The service no longer has this key. Its usage stays on the bill."
            : "The record of this key could not be read. Refresh to try again.",
        ],
      },
      icon: isGone ? "circle-slash" : "warning",
      tint: isGone ? "quiet" : "warning",
      kind: "revokedKey",
      children: async () => [(await usageOfKey(data, row.id)).node],
    };
  }
  const used = await usedOf(data, row.id, details);
  const facts = factsOf(details, used, spentIn, data.now());
  return {
    ...base,
    label: details.description,
    // Warnings come first because a narrow view cuts off the rest.
    description: [
      expiryText(details, data.now()) ?? "",
      ...used.map(({ share }) => (share === undefined ? "" : shareBar(share))).slice(0, 1),
      spentText(spend),
      details.last6 ? `…${details.last6}` : "",
      details.type ?? "",
    ]
      .filter(Boolean)
      .join("  "),
    tooltip: tooltipOf(row, details, facts),
    ...appearanceOf(details, used, data.now()),
    kind: "key",
    children: async () => withUsage(factNodes(row, facts), await usageOfKey(data, row.id)),
  };
}

interface Used {
  readonly limit: MoneyIn<keyof typeof limitNames>;
  /** Undefined if the usage of the key could not be read. The service counts no VCU by key. */
  readonly spent: AnyMoney | undefined;
  readonly share: number | undefined;
}

/** Used share of a key's limits in the current period; empty for a key without limits. */
async function usedOf(data: AccountData, id: string, { limits, period }: KeyDetails): Promise<Used[]> {
  if (Object.values(limits).every((limit) => limit === undefined)) return [];
  const { value } = await data.analytics(periodOfLimit(period, data.now())).load();
  const spend = value?.keys.find((key) => key.id === id);
  const { usd, diem, vcu } = limits;
  const spent = value && (spend?.spend ?? nothing);
  const all: Used[] = [
    ...(usd ? [{ limit: usd, ...partOf(usd, spent?.in("USD")) }] : []),
    ...(diem ? [{ limit: diem, ...partOf(diem, spent?.in("DIEM")) }] : []),
    ...(vcu ? [{ limit: vcu, spent: undefined, share: undefined }] : []),
  ];
  return all.sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
}

function partOf<Currency extends string>(
  limit: Money<Currency>,
  spent: Money<Currency> | undefined,
): Pick<Used, "spent" | "share"> {
  return { spent, share: spent && (limit.sign === 0 ? 1 : spent.toNumber() / limit.toNumber()) };
}

function appearanceOf(
  { type, expiresAtMs }: KeyDetails,
  used: readonly Used[],
  nowMs: number,
): Pick<AccountNode, "icon" | "tint"> {
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) return { icon: "circle-slash", tint: "quiet" };
  if ((used[0]?.share ?? 0) >= 1) return { icon: "key", tint: "error" };
  const isSoon = expiresAtMs !== undefined && expiresAtMs - nowMs < soonMs;
  if (isSoon || (used[0]?.share ?? 0) >= 0.8)
    return { icon: type === "ADMIN" ? "shield" : "key", tint: "warning" };
  return { icon: type === "ADMIN" ? "shield" : "key" };
}

function expiryText({ expiresAtMs }: KeyDetails, nowMs: number): string | undefined {
  if (expiresAtMs === undefined) return undefined;
  if (expiresAtMs <= nowMs) return "expired";
  return expiresAtMs - nowMs < soonMs ? `expires in ${spanText(expiresAtMs - nowMs)}` : undefined;
}

const periods: Readonly<Record<string, string>> = {
  EPOCH: "a UTC day",
  MONTH: "a calendar month (UTC)",
  LIFETIME: "its lifetime",
};

function periodText(period: string): string {
  return Object.hasOwn(periods, period) ? (periods[period] ?? period) : period;
}

function privacyText(privacy: string): string {
  return privacyTexts.find((one) => one.privacy === privacy)?.label.toLowerCase() ?? privacy;
}

function limitText({ limit, spent }: Used, period: string): string {
  if (limit.currency === "VCU") return `${moneyText(limit)}; the service does not count VCU by key`;
  const prefix = period === "LIFETIME" ? "at least " : "";
  if (spent === undefined) return `unknown part of ${moneyText(limit)}`;
  return `${prefix}${moneyText(spent)} of ${moneyText(limit)}`;
}

const sources: Readonly<Record<KeyRow["source"], string>> = {
  list: "the service's list",
  created: "created here",
  usage: "the usage of the last 90 days",
  lookedUp: "looked up by its id",
};

/** The facts with those of the row itself. */
function allFacts(row: KeyRow, facts: readonly Fact[]): readonly Fact[] {
  return [["ID", row.id], ...facts, ["Source", sources[row.source]]];
}

function tooltipOf(row: KeyRow, { description }: KeyDetails, facts: readonly Fact[]): RowTooltip {
  return { title: description, facts: allFacts(row, facts), isBelow: true };
}

/** `spentIn`: spend and units of the last days, in words. */
function factsOf(
  details: KeyDetails,
  used: readonly Used[],
  spentIn: string | undefined,
  nowMs: number,
): readonly Fact[] {
  const { type, last6, period, privacy, expiresAtMs, createdAtMs, sevenDays } = details;
  const reset = limitResetMs(period, nowMs);
  return [
    ["Type", type ?? "unknown"],
    ["Ends in", last6 ? `…${last6}` : "unknown"],
    ...used.map((one) => [limitNames[one.limit.currency], limitText(one, period)] as const),
    ...(used.length === 0 ? [["Limit", "none"] as const] : []),
    ["Limit period", periodText(period)],
    ...(used.length > 0 && reset !== undefined ? [["Resets in", spanText(reset - nowMs)] as const] : []),
    ...(privacy === undefined ? [] : [["May call", privacyText(privacy)] as const]),
    ["Expires", expiresAtMs === undefined ? "never" : zonedText(expiresAtMs, localZone())],
    [lastUsed, lastUsedText(details, spentIn !== undefined, nowMs)],
    ["Created", createdAtMs === undefined ? "unknown" : utcText(createdAtMs)],
    ["Last 7 days", sevenDays ? spendText(sevenDays, fullMoneyText) : "unknown"],
    ...(spentIn === undefined ? [] : [[`Last ${spendDays} days`, spentIn] as const]),
  ];
}

const limitNames = {
  USD: "Limit in USD",
  DIEM: "Limit in DIEM",
  VCU: "Limit in VCU (deprecated)",
} as const;

const lastUsed = "Last used";
const never = "never";
const unknownTime = "unknown";

/** A service may not have the time, although the key has spent something. */
function lastUsedText({ lastUsedAtMs, sevenDays }: KeyDetails, hasUsage: boolean, nowMs: number): string {
  if (lastUsedAtMs !== undefined) return `${spanText(nowMs - lastUsedAtMs)} ago`;
  return hasUsage || (sevenDays && sevenDays.size > 0) ? unknownTime : never;
}

/** With the usage of 90 days, beside which no key was never used. */
function withUsage(facts: readonly AccountNode[], { node, hasUsage }: UsageOfKey): readonly AccountNode[] {
  const isWrong = ({ label, description }: AccountNode) => label === lastUsed && description === never;
  const corrected = facts.map((fact) =>
    hasUsage && isWrong(fact) ? { ...fact, description: unknownTime, copyText: unknownTime } : fact,
  );
  return [...corrected, node];
}

const factIcons: Readonly<Record<string, string>> = {
  ID: "tag",
  Type: "symbol-enum",
  "Ends in": "ellipsis",
  "May call": "eye-closed",
  Expires: "calendar",
  "Last used": "history",
  Created: "add",
  "Last 7 days": "graph",
  [`Last ${spendDays} days`]: "graph",
  Source: "info",
  "Resets in": "refresh",
};

function factNodes(row: KeyRow, facts: readonly Fact[]): AccountNode[] {
  return allFacts(row, facts).map(([name, value]) => ({
    id: `key:${row.id}:${name}`,
    label: name,
    description: value,
    icon: factIcons[name] ?? "dashboard",
    kind: "fact",
    copyText: value,
  }));
}

const unread = "– could not be read; refresh to try again";

function keyUsageText({ spend, units }: KeySpend, { models }: AnalyticsTotals): string {
  return `${spendText(spend)}, ${unitsText(units, commonUnit(models))}`;
}

interface UsageOfKey {
  readonly node: AccountNode;
  readonly hasUsage: boolean;
}

async function usageOfKey(data: AccountData, id: string): Promise<UsageOfKey> {
  const { value } = await data.analytics(lastDays(maxAnalyticsDays, data.now())).load();
  const spend: KeySpend | undefined = value?.keys.find((key) => key.id === id);
  const text = !value ? unread : spend ? keyUsageText(spend, value) : "nothing";
  return {
    hasUsage: spend !== undefined,
    node: {
      id: `key:${id}:90`,
      label: "Last 90 days",
      description: text,
      icon: "graph",
      kind: "fact",
      copyText: text,
    },
  };
}
