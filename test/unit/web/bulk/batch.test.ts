// What a run says at its end: of the only document when it could not be read, and of many what was read and paid.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import type { Batch, BatchDeps } from "../../../../src/web/bulk/batch.ts";
import type { StoredResult } from "../../../../src/web/results/storedResult.ts";
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

const pageOf = (url: string): StoredResult => ({ id: url, kind: "page", url, title: url, atMs: 1 });

for (const [button, does] of [
  ["Open…", "pick"],
  ["Save All…", "save"],
  ["Send to Chat", "toChat"],
] as const)
  test(`the summary of a run has ${button} for all that was read, in the order that was asked for`, async (t) => {
    const said: (readonly string[])[] = [];
    const token = { onCancellationRequested: () => ({ dispose() {} }) };
    replace(
      "window",
      {
        withProgress: async (_: object, task: (progress: object, token: object) => unknown) =>
          task({ report() {} }, token),
        showInformationMessage: async (...words: readonly string[]) => {
          said.push(words);
          return button;
        },
      },
      t,
    );
    const items = ["d", "a", "c", "b", "e"];
    // The later an item was asked for, the earlier it is read.
    const turns = items.map(() => Promise.withResolvers<void>());
    const atMs = new Map<string, number>();
    const batch: Batch<string> = {
      items,
      nameOf: (name) => name,
      rejected: [],
      price: undefined,
      title: "Reading",
      failedTitle: "Pages not read",
      plural: "pages",
      earlier: [pageOf("stored")],
      call: async (item, _client, _signal, time) => {
        const index = items.indexOf(item);
        if (index >= 2) turns[index - 2]?.resolve();
        if (index < items.length - 2) await turns[index]?.promise;
        atMs.set(item, time ?? 0);
        if (item === "c")
          throw new ApiError("unavailable", "no", { endpoint: "augment.scrape", mayHaveArrived: false });
        return pageOf(item);
      },
    };
    const used = Promise.withResolvers<readonly [string, readonly unknown[]]>();
    const take = (name: string) => (all: readonly unknown[]) => used.resolve([name, all]);
    const revealed: unknown[] = [];
    const results = {
      pick: take("pick"),
      save: take("save"),
      toChat: take("toChat"),
      reveal: (result: unknown) => revealed.push(result),
    };
    const tables: unknown[] = [];
    const failures = { show: async ({ rows }: { readonly rows: unknown }) => void tables.push(rows) };
    const deps = { session: {}, results, failures, log: { error() {} } } as unknown as BatchDeps;
    await runBatch(deps, batch, () => assert.fail("nothing is tried again"));
    const [name, all] = await used.promise;
    const read = ["d", "a", "b", "e", "stored"].map(pageOf);
    assert.equal(name, does);
    assert.deepEqual(all, does === "pick" ? read : read.map((result) => ({ type: "result", result })));
    assert.deepEqual(revealed, [pageOf("d")]);
    assert.deepEqual(said, [
      ["4 of 5 pages read, free, 1 not read, 1 stored before, free.", "Open…", "Save All…", "Send to Chat"],
    ]);
    // Results are listed by their time, the newest first.
    const listed = [...atMs].toSorted(([, one], [, other]) => other - one).map(([item]) => item);
    assert.deepEqual(listed, items);
  });
