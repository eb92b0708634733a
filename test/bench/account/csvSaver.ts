// Its own process, so that its memory grows by the export only. Arguments: how, base URL, key, file.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { billing } from "../../../src/api/endpoints/account/billing.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import { usageCsv } from "../../../src/api/usageCsv.ts";
import { watchRss } from "../rss.ts";

const [, , how = "", baseUrl = "", key = "", path = ""] = process.argv;
const range = { start: "2000-01-01T00:00:00Z", end: "2100-01-01T00:00:00Z" };

async function* ours(): AsyncGenerator<Uint8Array> {
  const options = { baseUrl, apiKey: async () => key, dialect: dialects.standard, timeouts: defaultTimeouts };
  const api = createApi({ billing }, createUndiciTransport(), options);
  for await (const { bytes } of usageCsv(api, range)) yield bytes;
}

/** The same pages, unread. */
async function* raw(): AsyncGenerator<Uint8Array> {
  const headers = { authorization: `Bearer ${key}`, accept: "text/csv" };
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { start: startDate, end: endDate } = range;
    const query = new URLSearchParams({
      startDate,
      endDate,
      limit: "500",
      page: `${page}`,
      sortOrder: "asc",
    });
    const reply = await fetch(`${baseUrl}/billing/usage?${query}`, { headers });
    pages = Number(reply.headers.get("x-pagination-total-pages"));
    if (!reply.ok || !reply.body) throw new Error(`page ${page}: HTTP ${reply.status}`);
    yield* reply.body;
  }
}

const rss = watchRss();
const startMs = performance.now();
const file = createWriteStream(path);
for await (const bytes of how === "ours" ? ours() : raw()) {
  if (!file.write(bytes)) await once(file, "drain");
}
file.end();
await finished(file);
const ms = performance.now() - startMs;
process.send?.({ ms, grown: rss.stop() }, () => process.exit());
