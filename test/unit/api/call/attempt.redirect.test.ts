// A key goes only to the origin it was entered for, so redirects are not followed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clientOf, failureOf, question, serve, transports } from "../client.ts";

for (const { name, create } of transports) {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`${name}: ${status} is an error, and nothing is sent to its location`, async (t) => {
      const elsewhere = await serve(t, (_, response) => response.end("{}"));
      const server = await serve(t, (_, response) => {
        response.writeHead(status, { location: `${elsewhere.origin}/api/v1/chat/completions` }).end();
      });
      const { api } = clientOf(t, server.origin, { transport: create() });
      for (const call of [() => api.chat.complete(question), () => api.account.rateLimits({})]) {
        const error = await failureOf(call());
        assert.equal(error.kind, "network");
        assert.equal(error.details.reason, "redirect");
        assert.equal(error.details.status, status);
      }
      assert.equal(elsewhere.connections, 0);
      assert.equal(server.received.length, 2);
    });
  }
}
