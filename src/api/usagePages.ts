import type { Api, CallOptions } from "./client.ts";
import type { billing, Currency, UsageRecord } from "./endpoints/billing.ts";
import { isApiError } from "./errors.ts";

/** Which entries of the bill to read, oldest first. */
export interface UsageRange {
  /** ISO date-times with a zone; the end is not part of the range. */
  readonly start: string;
  readonly end: string;
  readonly currency?: Currency | undefined;
}

export interface UsagePage {
  readonly records: readonly UsageRecord[];
  /** Where the next page begins; undefined after the last. Give it back to go on after a failure. */
  readonly next: string | undefined;
  /** Records in the range, where the service counts them. */
  readonly total: number | undefined;
  readonly warningMessage: string | undefined;
}

const pageSize = 500;
const historyMark = "cursor:";
const usageMark = "page:";

/**
 * The usage records of a range, page by page, from whichever route the service has: GET /billing/usage (spec E8), or
 * its successor (wire.md section 6) once that one is gone. `from` is the `next` of a page that was read before.
 */
export async function* usagePages(
  api: Api<{ billing: typeof billing }>,
  range: UsageRange,
  options: CallOptions & { readonly from?: string } = {},
): AsyncGenerator<UsagePage> {
  const { from, ...callOptions } = options;
  let next: string | undefined = from ?? `${usageMark}1`;
  while (next !== undefined) {
    const page: UsagePage = await readPage(api, range, next, callOptions);
    yield page;
    next = page.next;
  }
}

async function readPage(
  api: Api<{ billing: typeof billing }>,
  range: UsageRange,
  from: string,
  options: CallOptions,
): Promise<UsagePage> {
  if (from.startsWith(historyMark)) return readHistory(api, range, from.slice(historyMark.length), options);
  const page = Number(from.slice(usageMark.length));
  try {
    return await readUsage(api, range, page, options);
  } catch (error) {
    // Moved on by the service between two pages: the ranges of both routes differ in order only by their cursor, so
    // the successor is asked only where nothing has been handed out yet.
    const moved = isApiError(error) && (error.kind === "gone" || error.kind === "not-found");
    if (moved && page === 1) return readHistory(api, range, "", options);
    throw error;
  }
}

async function readUsage(
  api: Api<{ billing: typeof billing }>,
  { start, end, currency }: UsageRange,
  page: number,
  options: CallOptions,
): Promise<UsagePage> {
  const reply = await api.billing.usage(
    { startDate: start, endDate: end, currency, page, limit: pageSize, sortOrder: "asc" },
    options,
  );
  return {
    records: reply.data,
    next: page < reply.pagination.totalPages ? `${usageMark}${page + 1}` : undefined,
    total: reply.pagination.total,
    warningMessage: reply.warningMessage ?? undefined,
  };
}

async function readHistory(
  api: Api<{ billing: typeof billing }>,
  { start, end, currency }: UsageRange,
  cursor: string,
  options: CallOptions,
): Promise<UsagePage> {
  const query =
    cursor === "" ? { startTimestamp: start, endTimestamp: end, currency, pageSize } : ({ cursor } as const);
  const reply = await api.billing.history(query, options);
  return {
    records: reply.data,
    next: reply.nextCursor ? historyMark + reply.nextCursor : undefined,
    total: undefined,
    warningMessage: reply.warningMessage ?? undefined,
  };
}
