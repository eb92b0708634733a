// Its own process, so that its memory grows by the upload only. Arguments: base URL, file.

import { uploadFromBytes, uploadFromFile } from "../../../src/api/call/body/upload.ts";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { augment } from "../../../src/api/endpoints/augment.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { watchRss } from "../rss.ts";

const [, , baseUrl = "", path = ""] = process.argv;
const api = createApi({ augment }, createHostTransport(), {
  baseUrl,
  apiKey: async () => "key",
  dialect: dialects.standard,
  timeouts: defaultTimeouts,
});
// A small one first, so that loading fetch and zod and connecting are not measured.
await api.augment.parse({ file: uploadFromBytes("small.txt", "text/plain", Buffer.alloc(100_000, 65)) });
const file = await uploadFromFile(path, "application/pdf");
const rss = watchRss();
const { text } = await api.augment.parse({ file });
const grown = rss.stop();
if (Number(text) < file.size) throw new Error(`${text} bytes arrived`);
process.send?.(grown, () => process.exit());
