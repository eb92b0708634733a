import type { Api, CallOptions } from "./call/client.ts";
import type { billing, Currency, UsageRecord } from "./endpoints/account/billing.ts";
import { type ApiError, isApiError } from "./errors/errors.ts";
import { malformed } from "./validate.ts";

export type BillingApi = Api<{ billing: typeof billing }>;

/** The records of the bill to read, oldest first. */
export interface UsageRange {
  /** ISO date-times with a zone; the end is exclusive. */
  readonly start: string;
  readonly end: string;
  readonly currency?: Currency | undefined;
}

/** The state after a page. */
export interface UsagePageEnd {
  /** Cursor of the next page; undefined after the last. Pass it as `from` to resume after a failure. */
  readonly next: string | undefined;
  /** Records in the range, if the service counts them. */
  readonly total: number | undefined;
  readonly warningMessage: string | undefined;
}

export interface UsagePage extends UsagePageEnd {
  readonly records: readonly UsageRecord[];
}

/** `from` is the `next` of an earlier page. */
export type UsageOptions = CallOptions & { readonly from?: string };

const pageSize = 500;
const historyMark = "cursor:";
const usageMark = "page:";

/** The usage records of a range, page by page. */
export async function* usagePages(
  api: BillingApi,
  range: UsageRange,
  options: UsageOptions = {},
): AsyncGenerator<UsagePage> {
  let records: UsageRecord[] = [];
  for await (const end of eachUsageRecord(api, range, (record) => void records.push(record), options)) {
    yield { ...end, records };
    records = [];
  }
}

/**
 * Yields the usage records of a range one by one and marks the end of each page. Uses GET /billing/usage (spec E8), or
 * its successor (wire.md section 6) if that is retired. If a page fails, its records are yielded again when it is read
 * again.
 */
export async function* eachUsageRecord(
  api: BillingApi,
  range: UsageRange,
  onRecord: (record: UsageRecord) => void,
  options: UsageOptions = {},
): AsyncGenerator<UsagePageEnd> {
  const { from, ...callOptions } = options;
  let count = 0;
  // The row's schema has validated each record.
  const onItem = (record: unknown) => {
    count += 1;
    onRecord(record as UsageRecord);
  };
  const read = new Set<string>();
  let next: string | undefined = from ?? `${usageMark}1`;
  while (next !== undefined) {
    read.add(next);
    const before = count;
    const end: UsagePageEnd = await readPage(api, range, next, { ...callOptions, onItem });
    yield end;
    next = end.next;
    // A background view reads all pages, so endless or circular cursors must stop.
    if (next !== undefined && (count === before || read.has(next)))
      throw malformed("billing", "the pages of the bill have no end", {});
  }
}

async function readPage(
  api: BillingApi,
  range: UsageRange,
  from: string,
  options: CallOptions,
): Promise<UsagePageEnd> {
  if (from.startsWith(historyMark)) return readHistory(api, range, from.slice(historyMark.length), options);
  const page = Number(from.slice(usageMark.length));
  const read = () => readUsage(api, range, page, options);
  return page === 1 ? orSuccessor(read, () => readHistory(api, range, "", options)) : read();
}

/**
 * Reads the first page of a route, or of its successor if it is retired or missing. The cursors of both differ, so a
 * later page is not read of another route.
 */
export async function orSuccessor<Page>(
  read: () => Promise<Page>,
  readSuccessor: () => Promise<Page>,
): Promise<Page> {
  try {
    return await read();
  } catch (error) {
    if (!isMoved(error)) throw error;
    // Without a status only the dialect says that it is retired. This service may be older.
    const isAssumed = error.details.status === undefined;
    return readSuccessor().catch((later: unknown) => {
      if (isAssumed && isMoved(later)) return read();
      throw later;
    });
  }
}

function isMoved(error: unknown): error is ApiError {
  return isApiError(error) && (error.kind === "gone" || error.kind === "not-found");
}

async function readUsage(
  api: BillingApi,
  { start, end, currency }: UsageRange,
  page: number,
  options: CallOptions,
): Promise<UsagePageEnd> {
  const reply = await api.billing.usage(
    { startDate: start, endDate: end, currency, page, limit: pageSize, sortOrder: "asc" },
    options,
  );
  return {
    next: page < reply.pagination.totalPages ? `${usageMark}${page + 1}` : undefined,
    total: reply.pagination.total,
    warningMessage: reply.warningMessage ?? undefined,
  };
}

async function readHistory(
  api: BillingApi,
  { start, end, currency }: UsageRange,
  cursor: string,
  options: CallOptions,
): Promise<UsagePageEnd> {
  const query =
    cursor === "" ? { startTimestamp: start, endTimestamp: end, currency, pageSize } : ({ cursor } as const);
  const reply = await api.billing.history(query, options);
  return {
    next: reply.nextCursor ? historyMark + reply.nextCursor : undefined,
    total: undefined,
    warningMessage: reply.warningMessage ?? undefined,
  };
}
