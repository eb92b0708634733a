// The client finds and remembers the other path of a service (spec E11).
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestSandbox } from "../serviceKit/testSandbox.ts";
import { apiOf, failureOf, transports } from "./suite/suite.ts";
import { targetOf } from "./suite/target.ts";

test("images are requested at the second path once the first is not found", async (t) => {
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
