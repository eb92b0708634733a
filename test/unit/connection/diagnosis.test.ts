import assert from "node:assert/strict";
import * as net from "node:net";
import { after, before, test } from "node:test";
import {
  findClock,
  findConnection,
  findName,
  withoutCredentials,
} from "../../../src/connection/diagnosis.ts";

const server = net.createServer((socket) => socket.end());
let port = 0;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as net.AddressInfo).port;
});
after(() => server.close());

test("resolves a host name, or reports that it does not exist", async () => {
  const found = await findName(new URL("https://localhost/"));
  assert.equal(found.ok, true);
  const missing = await findName(new URL("https://nowhere.invalid/"));
  assert.equal(missing.ok, false);
  assert.match(missing.text, /nowhere\.invalid can't be resolved here/);
});

test("connects to an open port, or names the reason", async () => {
  const open = await findConnection(new URL(`http://127.0.0.1:${port}/`));
  assert.equal(open.ok, true);
  const closed = await findConnection(new URL("http://127.0.0.1:1/"));
  assert.deepEqual([closed.ok, closed.text], [false, "port 1: ECONNREFUSED"]);
});

test("compares clocks by the Date header", () => {
  const now = Date.parse("2026-01-01T00:10:00Z");
  assert.equal(findClock(undefined, now), undefined);
  assert.equal(findClock("Thu, 01 Jan 2026 00:09:50 GMT", now)?.ok, true);
  const wrong = findClock("Thu, 01 Jan 2026 00:05:00 GMT", now);
  assert.deepEqual([wrong?.ok, wrong?.text], [false, "300 s ahead of the service's"]);
});

test("shows a proxy without its user name and password", () => {
  assert.equal(withoutCredentials("http://me:secret@proxy.example:3128/"), "http://proxy.example:3128");
  assert.equal(withoutCredentials(""), "none");
  assert.equal(withoutCredentials("secret@nowhere"), "set, but not a URL");
});
