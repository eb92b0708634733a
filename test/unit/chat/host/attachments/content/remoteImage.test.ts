import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { Verdict } from "../../../../../../src/api/transport/boundedFetch.ts";
import { fetchPicture } from "../../../../../../src/chat/host/attachments/content/remoteImage.ts";

// The servers of these tests are on this machine, which is refused otherwise.
const limits = {
  maxBytes: 1024 * 1024,
  timeoutMs: 20_000,
  mayAsk: async ({ hostname }: URL) => (hostname === "127.0.0.1" ? "allowed" : "private") as Verdict,
};
const fetchHere = (url: string) => fetchPicture(url, limits);
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

test("an image is fetched as a data URL of its actual type, without identifying headers", async (t) => {
  let asked: IncomingMessage | undefined;
  const url = await serve(t, (request, response) => {
    asked = request;
    response.setHeader("content-type", "text/html").end(png);
  });
  assert.deepEqual(await fetchHere(url), { src: `data:image/png;base64,${png.toString("base64")}` });
  assert.equal(asked?.headers.referer, undefined);
  assert.equal(asked?.headers.cookie, undefined);
});

test("an SVG is accepted if its server declares it, an HTML page never", async (t) => {
  const types = ["image/svg+xml; charset=utf-8", "text/html", "image/png"];
  const url = await serve(t, (_, response) => {
    response.setHeader("content-type", types.shift() ?? "").end("<svg xmlns='http://www.w3.org/2000/svg'/>");
  });
  assert.match(JSON.stringify(await fetchHere(url)), /^\{"src":"data:image\/svg\+xml;base64,/);
  assert.deepEqual(await fetchHere(url), { problem: "not loaded: it is not an image" });
  assert.deepEqual(await fetchHere(url), { problem: "not loaded: it is not an image" });
});

test("reports images that are too large, too slow, refused or missing", async (t) => {
  const large = await serve(t, (_, response) => void response.write(Buffer.alloc(2 * 1024 * 1024)));
  assert.deepEqual(await fetchHere(large), {
    problem: "not loaded: it is larger than 1 MB",
  });
  const silent = await serve(t, () => {});
  assert.deepEqual(await fetchPicture(silent, { ...limits, timeoutMs: 200 }), {
    problem: "not loaded: no answer in time",
  });
  const refusing = await serve(t, (_, response) => void response.writeHead(403).end());
  assert.deepEqual(await fetchHere(refusing), { problem: "not loaded: the server answered 403" });
  assert.deepEqual(await fetchHere("http://127.0.0.1:1/x"), {
    problem: "not loaded: the server can't be reached",
  });
});

test("sends no request to this machine or its network, also not after a redirect", async (t) => {
  const asked: (string | undefined)[] = [];
  const url = await serve(t, ({ url: path }, response) => {
    asked.push(path);
    const target = path === "/x" ? "http://localhost/admin" : path === "/again" ? "/end" : undefined;
    if (target) response.writeHead(302, { location: target }).end();
    else response.end(png);
  });
  const problem = "not loaded: its server is not public";
  for (const address of [
    url,
    url.replace("127.0.0.1", "localhost"),
    url.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    url.replace("127.0.0.1", "2130706433"),
    "http://169.254.169.254/latest/meta-data/",
    "http://192.168.1.1/reboot",
    "http://router.lan/",
  ])
    assert.deepEqual(await fetchPicture(address), { problem }, address);
  assert.deepEqual(asked, []);
  assert.deepEqual(await fetchHere(url), { problem });
  assert.match(JSON.stringify(await fetchHere(url.replace("/x", "/again"))), /^{"src":"data:image/);
  assert.deepEqual(asked, ["/x", "/again", "/end"]);
});
