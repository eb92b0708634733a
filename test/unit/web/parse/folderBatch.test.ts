// A run over the documents of a folder: what it leaves out is named, and what was stopped goes on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { parseDocument } from "../../../../src/sandbox/documents/parseDocument.ts";
import type { BatchDeps } from "../../../../src/web/bulk/batch.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { double, replace } from "../../vscodeDouble.ts";

const { runBatch } = await import("../../../../src/web/bulk/batch.ts");
const { folderBatch } = await import("../../../../src/web/parse/folderBatch.ts");

const document = readFileSync(new URL("../../fixtures/documents/harvest.docx", import.meta.url));
const uriOf = (path: string) => double.Uri.from({ path, scheme: "inference-memory" });

/** A folder in memory, an editor whose setting is this machine, and what is said at the end of a run. */
function opened(t: TestContext, names: readonly string[], button?: string, chosen: readonly number[] = []) {
  const files = new Map<string, Uint8Array>(names.map((name) => [`/docs/${name}`, document]));
  const said: (readonly string[])[] = [];
  const asked: string[] = [];
  const shown: string[] = [];
  const allShown = Promise.withResolvers<void>();
  const fs = {
    stat: async ({ path }: { readonly path: string }) => {
      const bytes = files.get(path);
      if (!bytes) throw Object.assign(new Error("it is not there"), { code: "FileNotFound" });
      return { mtime: 1, size: bytes.length, type: 1 };
    },
    readFile: async ({ path }: { readonly path: string }) => files.get(path),
    writeFile: async ({ path }: { readonly path: string }, bytes: Uint8Array) => void files.set(path, bytes),
    readDirectory: async () => [...files.keys()].map((path) => [path.slice("/docs/".length), 1]),
  };
  const get = (name: string) => (name.endsWith("parser") ? "machine" : undefined);
  replace("workspace", { fs, getConfiguration: () => ({ get, inspect: () => undefined }) }, t);
  const token = { onCancellationRequested: () => ({ dispose() {} }) };
  replace(
    "window",
    {
      withProgress: async (_: object, task: (progress: object, token: object) => unknown) =>
        task({ report() {} }, token),
      showQuickPick: async (
        rows: readonly { readonly label: string }[],
        { placeHolder, title = "" }: { readonly placeHolder?: string; readonly title?: string },
      ) => {
        asked.push(placeHolder ?? `${title}: ${rows.map(({ label }) => label).join(", ")}`);
        return placeHolder === undefined ? chosen.map((index) => rows[index]) : undefined;
      },
      showTextDocument: async ({ path }: { readonly path: string }) => {
        shown.push(path);
        if (shown.length === chosen.length) allShown.resolve();
      },
      showInformationMessage: async (...words: readonly string[]) => {
        said.push(words);
        return button;
      },
    },
    t,
  );
  const deps = {
    session: {
      active: { kind: "sandbox", name: "Sandbox" },
      documents: async () => ({ documentReader: { read: (bytes: Uint8Array) => parseDocument(bytes) } }),
    },
    globalStorageUri: double.Uri.file(temporaryFolder()),
  } as unknown as BatchDeps;
  const batch = (isAgreed = true) => folderBatch(deps, uriOf("/docs") as never, { isAgreed });
  return { files, said, asked, shown, allShown: allShown.promise, deps, batch };
}

const noClient = () => Promise.reject(new Error("nothing is sent"));
const { signal } = new AbortController();

test("a stopped run says how much is left, names what it leaves out, and goes on with the rest", async (t) => {
  const names = ["a.docx", "b.docx", "c.docx", "notes.txt", "more.txt", "old.rtf"];
  const { files, said, batch } = opened(t, names, "Continue (2 left)");
  const first = await batch();
  assert.deepEqual(first?.rejected, []);
  assert.ok(first?.onEnd);
  assert.deepEqual(first.items.map(first.nameOf), ["a.docx", "b.docx", "c.docx"]);
  assert.equal(first.price, undefined);
  const [item, ...left] = first.items;
  assert.ok(item);
  await first.call(item, noClient, signal);
  assert.match(Buffer.from(files.get("/docs/a.docx.md") ?? []).toString(), /^---\nsource: "a\.docx"/);
  const continued = new Promise<void>((resolve) => {
    first.onEnd?.({ done: [item], failed: [], left }, () => resolve());
  });
  await continued;
  assert.deepEqual(said, [
    [
      "1 of 3 documents read, the text beside each. Left out: 1 RTF file, 2 TXT files.",
      "Continue (2 left)",
      "Open…",
    ],
  ]);
  const second = await batch();
  assert.deepEqual(second?.items.map(second.nameOf), ["b.docx", "c.docx"]);
});

test("Open… of the summary lists the documents in their order, and opens the texts that are chosen", async (t) => {
  const { asked, shown, allShown, deps, batch } = opened(t, ["c.docx", "a.docx", "b.docx"], "Open…", [0, 2]);
  const run = await batch();
  assert.ok(run);
  // The first document is read last.
  const others = Promise.withResolvers<void>();
  let read = 0;
  const call: typeof run.call = async (item, ...more) => {
    if (run.nameOf(item) === "a.docx") await others.promise;
    const result = await run.call(item, ...more);
    if (++read === 2) others.resolve();
    return result;
  };
  await runBatch(deps, { ...run, call }, () => assert.fail("nothing is left"));
  await allShown;
  assert.deepEqual(asked, ["Open Texts: a.docx, b.docx, c.docx"]);
  assert.deepEqual(shown, ["/docs/a.docx.md", "/docs/c.docx.md"]);
});

test("a run that reads all has nothing to continue, and the next one has nothing to read", async (t) => {
  const { said, batch } = opened(t, ["a.docx"]);
  const run = await batch();
  assert.ok(run?.onEnd);
  for (const item of run.items) await run.call(item, noClient, signal);
  run.onEnd({ done: run.items, failed: [], left: [] }, () => assert.fail("nothing is left"));
  assert.deepEqual(said, [["1 of 1 documents read, the text beside each.", "Open…"]]);
  assert.equal(await batch(), undefined);
  assert.deepEqual(said.at(-1), ["All 1 documents in docs were read before."]);
});

test("the question names what is left out, and what is written, in one line of the box", async (t) => {
  const { asked, batch } = opened(t, ["a.docx", "notes.txt", "old.doc"]);
  assert.equal(await batch(false), undefined);
  assert.deepEqual(asked, ["Left out: 1 DOC file, 1 TXT file. Each text is written beside its document."]);
});
