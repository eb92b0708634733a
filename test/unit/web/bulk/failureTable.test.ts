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
import { ApiError } from "../../../../src/api/errors/errors.ts";
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
    "locked.pdf is locked with a password. Parse it on this machine, which asks for the password, or save a copy without one.",
  );
  assert.match((await document("scanned.pdf")) ?? "", /^There is no text in scanned\.pdf/);
  assert.equal(failureWords("a", new Error("else")), undefined);
});

test("a page that could not be read is named in the words of its site", () => {
  const words = (url: string, message: string) =>
    failureWords(url, new ApiError("unavailable", message, { endpoint: "augment.scrape" }));
  const failed = (reason: string) => `The page can't be read: e.org could not be reached: ${reason}`;
  const url = "https://user:pw@e.org/a";
  assert.equal(words(url, failed("ENOTFOUND")), "e.org has no address. Check its spelling.");
  assert.match(words(url, failed("ECONNREFUSED")) ?? "", /^e\.org accepts no connections/);
  assert.match(words(url, failed("no answer within 20 s")) ?? "", /^e\.org did not answer/);
  assert.match(words(url, failed("CERT_HAS_EXPIRED")) ?? "", /^e\.org has no valid certificate/);
  assert.match(words(url, "e.org redirects more than 5 times") ?? "", /in a circle/);
  assert.match(
    words(url, "url: This page has its text only with JavaScript") ?? "",
    /^https:\/\/e\.org\/a has its text only with JavaScript.*browser\. Nothing was charged\.$/,
  );
  assert.match(words(url, "Must be a page of text, this is application/pdf") ?? "", /Parse Documents/);
  assert.match(
    words(url, "Must be a page of text, this is image/png") ?? "",
    /no page of text \(image\/png\)/,
  );
  assert.equal(words(url, "something else"), undefined);
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
