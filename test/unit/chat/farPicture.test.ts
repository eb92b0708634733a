import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { fetchPicture } from "../../../src/features/chat/farPicture.ts";

const png = Buffer.from("89504e470d0a1a0a0000", "hex");

async function serve(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
}

test("a picture comes as a data URL of what it is, without telling who asks", async (t) => {
  let asked: IncomingMessage | undefined;
  const url = await serve(t, (request, response) => {
    asked = request;
    response.setHeader("content-type", "text/html").end(png);
  });
  assert.deepEqual(await fetchPicture(url), { src: `data:image/png;base64,${png.toString("base64")}` });
  assert.equal(asked?.headers.referer, undefined);
  assert.equal(asked?.headers.cookie, undefined);
});

test("a drawing is taken for one where its server says so, a page is none whatever it says", async (t) => {
  const types = ["image/svg+xml; charset=utf-8", "text/html", "image/png"];
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", types.shift() ?? "").end("<svg xmlns='http://www.w3.org/2000/svg'/>");
  });
  assert.match(JSON.stringify(await fetchPicture(url)), /^\{"src":"data:image\/svg\+xml;base64,/);
  assert.deepEqual(await fetchPicture(url), { problem: "not loaded: it is no picture" });
  assert.deepEqual(await fetchPicture(url), { problem: "not loaded: it is no picture" });
});

test("what is too large, too late, refused or not there is said", async (t) => {
  const limits = { maxBytes: 1024 * 1024, timeoutMs: 200 };
  const large = await serve(t, (_, response) => void response.write(Buffer.alloc(2 * 1024 * 1024)));
  assert.deepEqual(await fetchPicture(large, { ...limits, timeoutMs: 20_000 }), {
    problem: "not loaded: it is larger than 1 MB",
  });
  const silent = await serve(t, () => {});
  assert.deepEqual(await fetchPicture(silent, limits), { problem: "not loaded: no answer in time" });
  const refusing = await serve(t, (_, response) => void response.writeHead(403).end());
  assert.deepEqual(await fetchPicture(refusing), { problem: "not loaded: the server answered 403" });
  assert.deepEqual(await fetchPicture("http://127.0.0.1:1/x"), {
    problem: "not loaded: the server can't be reached",
  });
});
