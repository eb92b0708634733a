// A service that has the other spelling of a path (spec E11): the client finds it, and remembers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestSandbox } from "../serviceKit/testSandbox.ts";
import { apiOf, failureOf, transports } from "./suite.ts";
import { targetOf } from "./target.ts";

test("pictures are asked for under the other spelling once the first is not found", async (t) => {
  const sandbox = await startTestSandbox({ otherPaths: true });
  const transport = transports.host();
  t.after(async () => {
    await sandbox.close();
    await transport.close();
  });
  const api = apiOf(
    targetOf(sandbox, "standard", Date.now, () => {}),
    transport,
  );
  const paths = () => sandbox.requests.map(({ path }) => path.replace("/api/v1", ""));
  const draw = () => api.images.generate({ prompt: "sea", size: "256x256" });
  assert.equal((await draw()).data.length, 1);
  assert.deepEqual(paths(), ["/images/generations", "/image/generations"]);
  assert.equal((await draw()).data.length, 1);
  assert.equal(paths().at(-1), "/image/generations");
  assert.equal(sandbox.requestCount, 3, "the first is not tried again");
  sandbox.setFaults([{ kind: "status", status: 404 }]);
  assert.equal((await failureOf(draw())).kind, "not-found");
});
