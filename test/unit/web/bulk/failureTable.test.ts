import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { uploadFromBytes } from "../../../../src/api/call/body/upload.ts";
import { apiRoot } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { failureWords } from "../../../../src/web/bulk/failureTable.ts";
import { manyText } from "../../../../src/web/bulk/runMany.ts";
import { typedUrls } from "../../../../src/web/scrape/findUrls.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../api/client.ts";

test("failures of pages and documents have their own messages", async (t) => {
  const service = await startTestSandbox({ limits: "none" });
  t.after(() => service.close());
  const { api } = clientOf(t, service.baseUrl, {
    baseUrl: apiRoot(service.baseUrl),
    apiKey: async () => service.apiKey,
    dialect: dialects.standard,
  });
  const site = createServer(({ url }, response) => response.writeHead(Number(url?.slice(1))).end());
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  t.after(() => site.close());
  const { port } = site.address() as AddressInfo;
  const wordsOf = async (name: string, work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return failureWords(name, error);
  };
  const page = (status: number) => {
    const url = `http://127.0.0.1:${port}/${status}`;
    return wordsOf(url, api.augment.scrape({ url }));
  };
  const document = (name: string) => {
    const bytes = readFileSync(join(import.meta.dirname, "../../fixtures/documents", name));
    const file = uploadFromBytes(name, "application/pdf", bytes);
    return wordsOf(name, api.augment.parse({ file }, { onText: async () => {} }));
  };
  const base = `http://127.0.0.1:${port}`;
  assert.equal(
    await page(404),
    `There is no page at ${base}/404: 127.0.0.1:${port} answered 404. Check the address.`,
  );
  assert.match((await page(403)) ?? "", /need a sign-in/);
  assert.equal(await page(503), `${base}/503 can't be read now: 127.0.0.1:${port} answered 503.`);
  assert.equal(
    await document("locked.pdf"),
    "locked.pdf is protected by a password. Save a copy without a password and read that.",
  );
  assert.match((await document("scanned.pdf")) ?? "", /^There is no text in scanned\.pdf/);
  assert.equal(failureWords("a", new Error("else")), undefined);
});

test("a run of many never counts a failure as read", () => {
  const reported: (string | undefined)[] = [];
  const report = manyText(10, ({ message }) => reported.push(message));
  report({ ended: 0, failed: 0 });
  report({ ended: 7, failed: 7 });
  report({ ended: 10, failed: 7 });
  assert.deepEqual(reported, ["0 of 10 read", "0 of 10 read, 7 failed", "3 of 10 read, 7 failed"]);
});

test("invalid typed addresses are one message", () => {
  assert.match(typedUrls("not a url").problem ?? "", /“not a url” is not a web address/);
  assert.match(typedUrls("https://e.org/ nonsense").problem ?? "", /“nonsense” is not a web address/);
  assert.match(typedUrls(" ").problem ?? "", /Type an address/);
  assert.deepEqual(typedUrls("example.org http://10.0.0.1/ example.org"), {
    urls: ["https://example.org", "http://10.0.0.1/"],
  });
});
