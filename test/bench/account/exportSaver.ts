// Its own process, so that its memory grows by the export only. Arguments: format, base URL, key, file.

import type { ExportFormat } from "../../../src/account/host/export/exportFile.ts";
import { exportUsage } from "../../../src/account/host/export/exportUsage.ts";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { billing } from "../../../src/api/endpoints/account/billing.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import { watchRss } from "../rss.ts";

const [, , format = "", baseUrl = "", key = "", path = ""] = process.argv;
const range = { start: "2000-01-01T00:00:00Z", end: "2100-01-01T00:00:00Z" };
const options = { baseUrl, apiKey: async () => key, dialect: dialects.standard, timeouts: defaultTimeouts };
const api = createApi({ billing }, createUndiciTransport(), options);

const rss = watchRss();
const startMs = performance.now();
const { signal } = new AbortController();
const { records } = await exportUsage(api, { range, format: format as ExportFormat, path }, { signal });
process.send?.({ ms: performance.now() - startMs, records, grown: rss.stop() }, () => process.exit());
