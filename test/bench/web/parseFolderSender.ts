// Its own process, so that its memory grows by the run only. Argument: service and paths as JSON.
import { dirname, join } from "node:path";
import { type FileBuffers, uploadFromBytes, uploadFromFile } from "../../../src/api/call/body/upload.ts";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { augment } from "../../../src/api/endpoints/augment.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { createTemporaryFiles } from "../../../src/platform/files/durable/temporaryFiles.ts";
import { runMany } from "../../../src/web/bulk/runMany.ts";
import { withParsed } from "../../../src/web/parse/tempFiles.ts";
import { writeParsed } from "../../../src/web/parse/writeParsed.ts";
import { watchRss } from "../rss.ts";

const { baseUrl, apiKey, paths } = JSON.parse(process.argv[2] ?? "{}") as {
  baseUrl: string;
  apiKey: string;
  paths: string[];
};
const api = createApi({ augment }, createHostTransport(), {
  baseUrl,
  apiKey: async () => apiKey,
  dialect: dialects.standard,
  timeouts: defaultTimeouts,
});
const client = { api } as unknown as Parameters<typeof withParsed>[0]["client"];
const { signal } = new AbortController();
// A small one first, so that loading fetch and zod and connecting are not measured.
await api.augment.parse({ file: uploadFromBytes("small.txt", "text/plain", Buffer.alloc(100_000, 65)) });
const buffers: FileBuffers = [];
const rss = watchRss();
const { done, failed } = await runMany({
  items: paths,
  concurrency: 3,
  signal,
  run: async (path) => {
    const into = { folder: join(dirname(path), "arriving"), client, format: "json", signal } as const;
    await withParsed(into, await uploadFromFile(path, "text/plain", buffers), (parsed) =>
      writeParsed(parsed, `${path}.md`, path, createTemporaryFiles(undefined)),
    );
  },
});
const grown = rss.stop();
if (done.length !== paths.length) throw new Error(`${failed.length} failed: ${String(failed[0]?.error)}`);
process.send?.(grown, () => process.exit());
