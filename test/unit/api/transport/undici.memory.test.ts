// What answers leave behind until the next full collection, which a process of short-lived objects seldom makes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { listen } from "../../../loopback/server.ts";

test("an answer has no getter of its own: V8 stores that among the old objects, where it keeps the answer", async (t) => {
  const service = await listen((_, response) => response.end("answer"));
  const transport = createUndiciTransport();
  t.after(async () => {
    await transport.close();
    await service.close();
  });
  const { signal } = new AbortController();
  const response = await transport.send({ method: "GET", url: service.origin, headers: {}, signal });
  for await (const _ of response.body);
  assert.equal(response.headers.get("content-length"), "6");
  const members = Object.values(Object.getOwnPropertyDescriptors(response));
  assert.ok(members.every(({ get }) => get === undefined));
});
