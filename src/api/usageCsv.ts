import type { BinaryReply } from "./binary.ts";
import type { CallOptions } from "./call/client.ts";
import { type BillingApi, orSuccessor, type UsageRange } from "./usagePages.ts";

/** A chunk of the service's CSV, with the cursor of the next page at the end of a page. */
export interface CsvPiece {
  readonly bytes: Uint8Array;
  /**
   * Set on the last chunk of a page; `next` is undefined after the last page. Pass it as `from` to resume after a
   * failure.
   */
  readonly pageEnd?: { readonly next: string | undefined };
}

const usagePageSize = 500;
const historyPageSize = 1000;
const historyMark = "cursor:";
const usageMark = "page:";
const lineFeed = 10;

/**
 * The service's CSV of a range (columns: wire.md section 6), oldest first, as one file: the header row is kept only
 * once. Only the current chunk is in memory. `from` resumes at a page that `pageEnd` named.
 */
export async function* usageCsv(
  api: BillingApi,
  range: UsageRange,
  options: CallOptions & { readonly from?: string } = {},
): AsyncGenerator<CsvPiece> {
  const { from, ...callOptions } = options;
  let hasHeader = from !== undefined;
  for (let at: string | undefined = from ?? `${usageMark}1`; at !== undefined; ) {
    const page: CsvPage = await openPage(api, range, at, callOptions);
    for await (const bytes of withoutHeader(page.reply.body, hasHeader)) yield { bytes };
    hasHeader = true;
    at = page.next;
    yield { bytes: new Uint8Array(), pageEnd: { next: at } };
  }
}

interface CsvPage {
  readonly reply: BinaryReply;
  readonly next: string | undefined;
}

async function openPage(
  api: BillingApi,
  range: UsageRange,
  at: string,
  options: CallOptions,
): Promise<CsvPage> {
  if (at.startsWith(historyMark)) return openHistory(api, range, at.slice(historyMark.length), options);
  const page = Number(at.slice(usageMark.length));
  const open = () => openUsage(api, range, page, options);
  // A retired route fails before any output, so its successor starts from the beginning.
  return page === 1 ? orSuccessor(open, () => openHistory(api, range, "", options)) : open();
}

async function openUsage(
  api: BillingApi,
  { start, end, currency }: UsageRange,
  page: number,
  options: CallOptions,
): Promise<CsvPage> {
  const reply = await api.billing.usageCsv(
    { startDate: start, endDate: end, currency, page, limit: usagePageSize, sortOrder: "asc" },
    options,
  );
  const pages = Number(reply.headers.get("x-pagination-total-pages") ?? Number.NaN);
  return { reply, next: page < pages ? `${usageMark}${page + 1}` : undefined };
}

async function openHistory(
  api: BillingApi,
  { start, end, currency }: UsageRange,
  cursor: string,
  options: CallOptions,
): Promise<CsvPage> {
  const first = { startTimestamp: start, endTimestamp: end, currency, pageSize: historyPageSize };
  const reply = await api.billing.historyCsv(cursor === "" ? first : { cursor }, options);
  const next = reply.headers.get("x-next-cursor");
  return { reply, next: next ? historyMark + next : undefined };
}

/** The body, without its first line if `drops` is set. Always ends with a line feed. */
async function* withoutHeader(body: AsyncIterable<Uint8Array>, drops: boolean): AsyncGenerator<Uint8Array> {
  let dropping = drops;
  let last = lineFeed;
  for await (const piece of body) {
    const end = dropping ? piece.indexOf(lineFeed) : -1;
    if (dropping && end < 0) continue;
    const rest = dropping ? piece.subarray(end + 1) : piece;
    dropping = false;
    if (rest.byteLength === 0) continue;
    last = rest[rest.byteLength - 1] ?? lineFeed;
    yield rest;
  }
  if (last !== lineFeed) yield Uint8Array.of(lineFeed);
}
