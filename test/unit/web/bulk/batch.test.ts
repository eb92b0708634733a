// What a run says of the only document when it could not be read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import type { BatchDeps } from "../../../../src/web/bulk/batch.ts";
import { replace } from "../../vscodeDouble.ts";

const { runBatch } = await import("../../../../src/web/bulk/batch.ts");

test("a locked document names the step of its button, which asks for the password", async (t) => {
  const said: (readonly string[])[] = [];
  const token = { onCancellationRequested: () => ({ dispose() {} }) };
  replace(
    "window",
    {
      withProgress: async (_: object, task: (progress: object, token: object) => unknown) =>
        task({ report() {} }, token),
      showWarningMessage: async (...words: readonly string[]) => {
        said.push(words);
        return words[1];
      },
    },
    t,
  );
  const details = { endpoint: "augment.parse", mayHaveArrived: false };
  const locked = new ApiError("invalid-request", "The document is locked with a password.", details);
  const unlocked = Promise.withResolvers<string>();
  const batch = {
    items: ["a.pdf"],
    nameOf: (name: string) => name,
    rejected: [],
    price: undefined,
    title: "Reading a.pdf",
    failedTitle: "Documents not read",
    call: () => Promise.reject(locked),
    unlock: unlocked.resolve,
  };
  const deps = { session: {}, results: {}, log: {} } as unknown as BatchDeps;
  await runBatch(deps, batch, () => assert.fail("nothing is tried again"));
  assert.equal(await unlocked.promise, "a.pdf");
  const sentence =
    "a.pdf is locked with a password. Enter it to read the document on this machine, or save a copy without one.";
  assert.deepEqual(said, [[sentence, "Enter Password…"]]);
});
