import { knownMembers, type SpendSource } from "../../api/money/charge.ts";
import { isKeyEnding } from "../../shared/keyEnding.ts";
import { optionalMember } from "../../shared/members.ts";
import { type Amounts, type AmountTexts, amountIn, fromAmountTexts } from "../../shared/money/amounts.ts";
import { Counted, isDollars } from "../../shared/money/budgetRule.ts";
import { type PromptCounts, type PromptLine, promptLine, readPrompt } from "./promptCounts.ts";
import { boundedName, readTags, type SpendTags } from "./scopes/spendTags.ts";

/** Who made a recorded call. */
interface EntrySource {
  readonly kind: SpendSource["kind"] | (string & {});
  /** Bounded, because programs outside of this extension name themselves. */
  readonly client?: string;
  /** Task of an agent, and its round. */
  readonly task?: string;
  readonly round?: number;
  /** The subagent of the task that made it. */
  readonly subagent?: string;
}

/** A billable call of this extension with its recorded charge. */
export interface SpentEntry {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  /** `resource.call`. */
  readonly endpoint: string;
  readonly model?: string;
  /** The id that the model's name stood for, if it is another; known if a budget asked for it. */
  readonly modelId?: string;
  readonly requestId?: string;
  /** The caller, from the call's options. */
  readonly caller?: string;
  /** Absent in entries of older versions. A newer version may have more kinds. */
  readonly source?: EntrySource;
  /** Name of the workspace folder. */
  readonly folder?: string;
  /** As of the tags of a call. */
  readonly folderId?: string;
  /** Git branch of the folder at the end of the call, or when it was reserved under a budget of a part of the calls. */
  readonly branch?: string;
  /**
   * The end of the key that paid, as the service shows it. Absent in entries of older versions, if a wallet paid, and for a
   * key that is too short to show a part of it.
   */
  readonly keyEnding?: string;
  /** For chain RPC, if the service states them. */
  readonly credits?: number;
  /** Absent in entries of older versions, and of calls without a prompt. */
  readonly prompt?: PromptCounts;
  /** Its price when it ended; undefined if it is unknown. The price in USD, unless it was stated in DIEM alone. */
  readonly cost: Amounts | undefined;
  /**
   * The service had not said yet in which currency calls are paid, so its cost is the price in USD. The book shows it in the
   * currency that the service says now.
   */
  readonly isUnitOpen?: true;
  /** What the bill says was paid for it, from whichever balance; absent until its record was read. */
  readonly paid?: Amounts;
  /** Its upper bound, if only that is known. */
  readonly most?: Counted;
}

/** What is known of the cost of a call: the bill's figure, else the price. */
export function paidFor({ paid, cost }: SpentEntry): Amounts | undefined {
  return paid ?? cost;
}

/** Money reserved for a call in progress. */
export interface Hold {
  readonly id: string;
  readonly window: string;
  readonly atMs: number;
  readonly most: Counted;
  /** Id of the task that the call belongs to. */
  readonly task?: string;
  /** As of the source of an entry. */
  readonly subagent?: string;
  /** As of an entry. */
  readonly keyEnding?: string;
  /** What budgets can name of the call. Without them it may be any, so that each budget counts it. */
  readonly tags?: SpendTags;
}

interface SpentLine {
  readonly t: "spent";
  readonly id: string;
  readonly atMs: number;
  readonly endpoint: string;
  readonly model?: string;
  readonly modelId?: string;
  readonly requestId?: string;
  readonly caller?: string;
  readonly source?: EntrySource;
  readonly folder?: string;
  readonly folderId?: string;
  readonly branch?: string;
  readonly keyEnding?: string;
  readonly credits?: number;
  readonly prompt?: PromptLine;
  readonly isUnitOpen?: true;
  /** What budgets count of the cost. */
  readonly usd?: string;
  /** The cost, if it is not in USD. */
  readonly cost?: AmountTexts;
  readonly mostUsd?: string;
}
/** A line of the journal: one JSON object. */
export type Line =
  | SpentLine
  | HeldLine
  | { readonly t: "released"; readonly ids: readonly string[] }
  | { readonly t: "alive"; readonly window: string; readonly atMs: number }
  /** The currency in which the service says that calls are paid now. */
  | { readonly t: "paidIn"; readonly currency: string }
  /** Entries that are on the bill, with what was paid; null if the bill has no record of it. */
  | { readonly t: "onBill"; readonly entries: readonly (readonly [string, AmountTexts | null])[] }
  /**
   * Older versions wrote `billed` and `bill`, without currencies. They are ignored, so that the bill is read again.
   */
  | {
      readonly t: "billDays";
      readonly asOfMs: number;
      readonly days: readonly (readonly [number, AmountTexts])[];
    };

interface HeldLine {
  readonly t: "held";
  readonly id: string;
  readonly window: string;
  readonly atMs: number;
  readonly usd: string;
  readonly task?: string;
  readonly subagent?: string;
  readonly keyEnding?: string;
  readonly tags?: SpendTags;
}

/** Records an entry and settles the hold with its id. */
export function lineOfEntry({ cost, paid: _, most, prompt, ...entry }: SpentEntry): string {
  const line: SpentLine = {
    t: "spent",
    ...entry,
    ...optionalMember("prompt", prompt && promptLine(prompt)),
    ...(cost === undefined ? {} : { usd: Counted.of(cost).digits() }),
    ...(cost === undefined || isDollars(cost) ? {} : { cost: cost.toTexts() }),
    ...(most === undefined ? {} : { mostUsd: most.digits() }),
  };
  return JSON.stringify(line);
}

/** Reserves money for a call of a window until it is settled or released, or the window stops sending heartbeats. */
export function lineOfHold({ most, ...hold }: Hold): string {
  return JSON.stringify({ t: "held", ...hold, usd: most.digits() } satisfies Line);
}

export function lineOfPaidIn(currency: string): string {
  return JSON.stringify({ t: "paidIn", currency } satisfies Line);
}

export function lineOfRelease(hold: string): string {
  return JSON.stringify({ t: "released", ids: [hold] } satisfies Line);
}

/** The heartbeat of a window with calls in progress. */
export function lineOfHeartbeat(window: string, atMs: number): string {
  return JSON.stringify({ t: "alive", window, atMs } satisfies Line);
}

/** An unreadable source, place or key is left out: the amount of the line counts all the same. */
export function toEntry({
  t: _,
  usd,
  cost,
  mostUsd,
  source,
  folder,
  folderId,
  branch,
  keyEnding,
  modelId,
  prompt,
  isUnitOpen,
  ...entry
}: SpentLine): SpentEntry {
  const inUsd = usd === undefined ? undefined : amountIn("USD", usd);
  return {
    ...entry,
    ...readSource(source),
    ...knownMembers({
      folder: readName(folder),
      folderId: readName(folderId),
      branch: readName(branch),
      modelId: readName(modelId),
    }),
    ...(isKeyEnding(keyEnding) ? { keyEnding } : {}),
    ...optionalMember("prompt", readPrompt(prompt)),
    ...(isUnitOpen === true ? { isUnitOpen } : {}),
    cost: fromAmountTexts(cost) ?? inUsd,
    ...(mostUsd === undefined ? {} : { most: Counted.parse(mostUsd) }),
  };
}

/** An unreadable key and unreadable tags are left out: the money is reserved all the same. */
export function toHold({ t: _, usd, keyEnding, tags, ...hold }: HeldLine): Hold {
  const known = {
    ...(isKeyEnding(keyEnding) ? { keyEnding } : {}),
    ...optionalMember("tags", readTags(tags)),
  };
  return { ...hold, ...known, most: Counted.parse(usd) };
}

const decimal = /^-?\d+(\.\d+)?$/;

/** A line of the journal; undefined if it is invalid. */
export function parseLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return isLine(line) ? line : undefined;
  } catch {
    // A line of another version, or one that a crash truncated.
    return undefined;
  }
}

function isLine(line: Line): boolean {
  switch (line?.t) {
    case "spent": {
      const { id, atMs, endpoint, usd, mostUsd } = line;
      const isPriced = [usd, mostUsd].every((amount) => amount === undefined || decimal.test(amount));
      const isCounted = line.credits === undefined || typeof line.credits === "number";
      const isNamed = typeof id === "string" && typeof endpoint === "string";
      return isNamed && typeof atMs === "number" && isPriced && isCounted;
    }
    case "held":
      return (
        typeof line.id === "string" &&
        isSign(line) &&
        decimal.test(line.usd) &&
        isName(line.task) &&
        isName(line.subagent)
      );
    case "alive":
      return isSign(line);
    case "paidIn":
      return typeof line.currency === "string";
    case "released":
      return Array.isArray(line.ids);
    case "onBill":
      return Array.isArray(line.entries) && line.entries.every(isOnBill);
    case "billDays":
      return typeof line.asOfMs === "number" && Array.isArray(line.days) && line.days.every(isDay);
    default:
      return false;
  }
}

/** Lines of older versions have none. */
function readSource(source: unknown): Pick<SpentEntry, "source"> {
  if (typeof source !== "object" || source === null || !("kind" in source)) return {};
  const kind = readName(source.kind);
  const client = "client" in source ? readName(source.client) : undefined;
  const task = "task" in source ? readName(source.task) : undefined;
  const subagent = "subagent" in source ? readName(source.subagent) : undefined;
  const round = "round" in source && typeof source.round === "number" ? { round: source.round } : {};
  return kind ? { source: { kind, ...knownMembers({ client, task, subagent }), ...round } } : {};
}

function isName(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function readName(value: unknown): string | undefined {
  return typeof value === "string" ? boundedName(value) : undefined;
}

function isSign({ window, atMs }: { readonly window: string; readonly atMs: number }): boolean {
  return typeof window === "string" && typeof atMs === "number";
}

function isDay(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "number" && fromAmountTexts(value[1]) !== undefined;
}

function isOnBill(value: unknown): boolean {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  return value[1] === null || fromAmountTexts(value[1]) !== undefined;
}
