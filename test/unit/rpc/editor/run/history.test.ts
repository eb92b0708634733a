import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { NotebookCell, NotebookDocument } from "vscode";
import { changesBetween, History, HistoryFiles } from "../../../../../src/rpc/editor/run/history.ts";
import type { RpcOutput } from "../../../../../src/rpc/output/rpcOutput.ts";
import { bounded } from "../../../../../src/rpc/run/bounded.ts";
import type { CellRun } from "../../../../../src/rpc/run/cellRun.ts";

const output = (runId: string): RpcOutput => ({
  version: 1,
  runId,
  atMs: 0,
  done: true,
  networks: [],
  lines: [],
  calls: [],
  total: { credits: 0, usd: 0, estimatedCredits: 0, ms: 0 },
});

function unexpected(error: unknown): void {
  assert.fail(String(error));
}

describe("stored runs", () => {
  test("are read as written, the last of several writes", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "rpc-history-"));
    t.after(() => rm(folder, { recursive: true }));
    const files = new HistoryFiles(folder, unexpected);
    for (let count = 0; count < 20; count++) files.write("a", { "name head": [output(`run ${count}`)] });
    files.write("b", {});
    assert.deepEqual(await files.read("a"), { "name head": [output("run 19")] });
    assert.deepEqual(await files.read("b"), {});
    assert.deepEqual(await files.read("c"), {});
    assert.deepEqual((await readdir(folder)).length, 2);
  });

  test("the runs of all cells of a notebook are stored once, and those of a long run meanwhile", async (t) => {
    let nowMs = 0;
    t.mock.method(performance, "now", () => nowMs);
    const writes: number[] = [];
    const files = {
      read: async () => ({}),
      write: (_: string, runs: object) => void writes.push(Object.keys(runs).length),
    };
    const history = new History(files);
    const notebook = { uri: "file:///a.rpc.md", isUntitled: false };
    const add = (text: string) => {
      const cell = { notebook, metadata: {}, document: { getText: () => text } } as unknown as NotebookCell;
      history.add(cell, output(text), { rounds: [] } as unknown as CellRun, () => output(text));
      return cell.notebook;
    };
    const settled = () => new Promise(setImmediate);
    for (let cell = 0; cell < 500; cell++) add(`${cell}`);
    await settled();
    assert.deepEqual(writes, []);
    history.save(add("last"));
    await settled();
    assert.deepEqual(writes.splice(0), [501]);
    // Nothing is new.
    history.save(add("last"));
    await settled();
    history.save(notebook as unknown as NotebookDocument);
    await settled();
    assert.deepEqual(writes.splice(0), [501]);
    for (let cell = 0; cell < 5; cell++) {
      add(`${cell}`);
      nowMs += 600;
    }
    await settled();
    assert.deepEqual(writes, [501]);
  });

  for (const isClosedBefore of [true, false])
    test(`those of an untitled notebook go on with the file that it is saved as, ${isClosedBefore ? "after" : "before"} it closes`, async () => {
      const written: string[] = [];
      const files = {
        read: async () => ({}),
        write: (name: string, runs: object) => void written.push(name, ...Object.keys(runs)),
      };
      const history = new History(files);
      const notebookOf = (uri: string, texts: readonly string[]) => {
        const notebook = { uri, isUntitled: uri.startsWith("untitled:"), getCells: () => cells };
        const cells = texts.map(
          (text) =>
            ({ notebook, metadata: {}, document: { getText: () => text } }) as unknown as NotebookCell,
        );
        return { notebook: notebook as unknown as NotebookDocument, cells };
      };
      const texts = ["eth_blockNumber", "eth_gasPrice"];
      const untitled = notebookOf("untitled:a.rpc.md", texts);
      for (const cell of untitled.cells)
        history.add(cell, output(cell.document.getText()), { rounds: [] } as unknown as CellRun, () =>
          output(""),
        );
      if (isClosedBefore) history.forget(untitled.notebook);
      const saved = notebookOf("file:///a.rpc.md", texts);
      const other = notebookOf("file:///b.rpc.md", ["eth_blockNumber"]);
      await history.load(saved.notebook);
      await history.load(other.notebook);
      const shown = [...saved.cells, ...other.cells].map((cell) => history.of(cell).at(-1)?.output.runId);
      assert.deepEqual(shown, [...texts, undefined]);
      await new Promise(setImmediate);
      assert.deepEqual(written, ["file:///a.rpc.md", ...texts.map((text) => `text  ${text}`)]);
    });

  test("a damaged file is moved aside, an invalid run is omitted", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "rpc-history-"));
    t.after(() => rm(folder, { recursive: true }));
    const files = new HistoryFiles(folder, unexpected);
    files.write("a", { x: [output("1"), { odd: true } as unknown as RpcOutput] });
    assert.deepEqual(await files.read("a"), { x: [output("1")] });
    const [name = ""] = await readdir(folder);
    const path = join(folder, name);
    await writeFile(path, (await readFile(path, "utf8")).slice(0, 20));
    assert.deepEqual(await files.read("a"), {});
    assert.match((await readdir(folder)).join(), /\.bad$/);
  });
});

test("a difference to the run before is named by its path, with the old and the new value", () => {
  assert.deepEqual(changesBetween({ a: 1, b: [1, { c: 2 }], d: 1 }, { a: 1, b: [1, { c: 3 }], e: null }), [
    { path: "b[1].c", before: 2, now: 3 },
    { path: "d", before: 1 },
    { path: "e", now: null },
  ]);
  assert.deepEqual(changesBetween("0x1", "0x2"), [{ path: "", before: "0x1", now: "0x2" }]);
  assert.deepEqual(changesBetween([1, 2], [1, 2]), []);
  assert.deepEqual(
    changesBetween({}, { toString: 1 }).map(({ path }) => path),
    ["toString"],
  );
});

test("large results are cut to what can be shown, with their full size", () => {
  const value = {
    block: {
      transactions: Array.from({ length: 5_000 }, (_, at) => ({
        hash: `0x${at}`,
        data: "0x".padEnd(200, "0"),
      })),
    },
    number: "0x1",
  };
  const { value: cut, bytes, cut: isCut, whole } = bounded(value, 10_000);
  assert.deepEqual(whole, [{ path: ["block", "transactions"], length: 5_000 }]);
  assert.deepEqual(bounded("0x".padEnd(5_000, "1"), 100).whole, [{ path: [], length: 5_000 }]);
  const nested = bounded([["a".repeat(3_000)], [1]], 200);
  assert.deepEqual(nested.whole, [
    { path: [], length: 2 },
    { path: [0, 0], length: 3_000 },
  ]);
  assert.ok(isCut && bytes > 1_000_000);
  assert.ok(JSON.stringify(cut).length < 11_000);
  assert.equal((cut as typeof value).number, "0x1");
  assert.ok((cut as typeof value).block.transactions.length > 10);
  assert.deepEqual(bounded({ a: 1 }, 100), {
    value: { a: 1 },
    bytes: 7,
    cut: false,
    whole: [],
  });
  assert.ok(String(bounded("0x".padEnd(50_000, "1"), 1_000).value).length < 1_100);
});
