// Tables are filtered, sorted and exported as CSV over all their rows.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import axe from "axe-core";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import type { Page } from "playwright-core";
import type { Json } from "../../../../../src/rpc/output/rpcOutput.ts";
import type { Writing } from "../../../../../src/rpc/renderer/data/fields/fieldText.ts";
import {
  type Column,
  filterTexts,
  matchingRows,
  ordered,
  toCsv,
} from "../../../../../src/rpc/renderer/data/tableRows.ts";
import { type RendererPage, useRendererPage } from "../rendererPage.ts";
import { lineOf, log, outputOf, result, transferEvent } from "../samples.ts";

const writing: Writing = { radix: "decimal", coin: "ETH", atMs: 0 };
type Values = readonly (Json | undefined)[];
const columnAt = (at: number, name = `c${at}`): Column<Values> => ({ name, read: (row) => row[at] });
const one = columnAt(0);
const orderOf = (values: Values, descending = false) =>
  ordered(
    values.map((_, at) => at),
    values.map((value) => [value]),
    one,
    descending,
  );

describe("rows of a table", () => {
  it("are in the order of their exact values, hex and decimal alike, with missing values last", () => {
    const big = 2n ** 200n;
    const values = [`${big + 1n}`, `0x${big.toString(16)}`, "9", "0xa", 1.5, -3n, undefined, "text", null];
    assert.deepEqual(orderOf(values), [5, 4, 2, 3, 1, 0, 7, 6, 8]);
    assert.deepEqual(orderOf(values, true), [7, 0, 1, 3, 2, 4, 5, 6, 8]);
  });

  it("of equal value keep their order in both directions", () => {
    const some = fc.array(fc.bigInt({ min: -3n, max: 3n }), { maxLength: 40 });
    fc.assert(
      fc.property(some, fc.boolean(), (numbers, descending) => {
        const values = numbers.map((number, at) =>
          at % 2 || number < 0n ? number : `0x${number.toString(16)}`,
        );
        const shown = orderOf(values, descending);
        const sign = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
        const wanted = numbers
          .map((number, at) => ({ number, at }))
          .toSorted((a, b) => (descending ? sign(b.number, a.number) : sign(a.number, b.number)))
          .map(({ at }) => at);
        assert.deepEqual(shown, wanted);
      }),
    );
  });

  it("are found by the received and by the shown text", () => {
    const rows: Values[] = [["0x4d2"], ["0xABCDEF0000000000000000000000000000abcdef"], [{ to: "Alice" }]];
    const texts = filterTexts(rows, [one], writing);
    for (const [filter, at] of [
      ["1,234", 0],
      ["1234", 0],
      ["0x4D2", 0],
      ["0000abcdef", 1],
      [" alice ", 2],
    ] as const)
      assert.deepEqual(matchingRows(texts, filter), [at], filter);
    assert.deepEqual(matchingRows(texts, "no row"), []);
  });

  it("come back from CSV as they were written, and no cell is a formula", () => {
    const piece = fc.constantFrom(
      "=",
      "+",
      "-",
      "@",
      "\t",
      "\r",
      "\n",
      '"',
      ",",
      ";",
      "'",
      "1",
      "a",
      "é",
      "𝄞",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        const csv = toCsv<Values>(rows, [columnAt(0), columnAt(1)], { ...writing, radix: "hex" });
        const read = parse(csv, { record_delimiter: "\r\n" }) as string[][];
        assert.deepEqual(read[0], ["c0", "c1"]);
        const cells = read.slice(1).flat();
        for (const cell of cells) assert.doesNotMatch(cell, /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
        const plain = cells.map((cell, at) => (cell === rows.flat()[at] ? cell : cell.replace(/^'/, "")));
        assert.deepEqual(plain, rows.flat());
      }),
    );
  });

  it("have exact numbers in CSV, decimal or as received", () => {
    const row: Values = ["0xde0b6b3a7640001", -5n, 2n ** 70n, null, "0x12", true];
    const columns = row.map((_, at) => columnAt(at, at === 4 ? "data" : `c${at}`));
    const csv = (radix: Writing["radix"]) => toCsv([row], columns, { ...writing, radix }).split("\r\n")[1];
    assert.equal(csv("decimal"), `1000000000000000001,-5,${2n ** 70n},,0x12,true`);
    assert.equal(csv("hex"), `0xde0b6b3a7640001,-5,${2n ** 70n},,0x12,true`);
  });
});

describe("a table of results", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage(async (one) => {
    opened = one;
    page = one.page;
    await page.evaluate(stubClipboard);
  });

  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const rows = () => page.getByRole("region", { name: "Logs" }).locator("tbody tr");
  const count = 10_000;
  const logs = Array.from({ length: count }, (_, at) => ({
    ...log,
    blockNumber: `0x${(((at * 7919) % count) + 1).toString(16)}`,
    transactionHash: `0x${at.toString(16).padStart(64, "0")}`,
    ...(at === 3 ? { removed: true } : {}),
  })) as unknown as Json;
  const decoded = { kind: "events", events: Array.from({ length: count }, () => transferEvent) } as const;
  const draw = () => opened.draw(outputOf([lineOf("eth_getLogs", result("logs", logs, { decoded }))]));

  it("filters ten thousand logs, not only the drawn ones", async () => {
    await draw();
    assert.equal(await rows().count(), 25);
    const last = count - 1;
    await page.getByRole("searchbox", { name: "Filter Logs" }).fill(last.toString(16).padStart(64, "0"));
    await page.getByRole("status").filter({ hasText: "1 of 10,000 rows" }).waitFor();
    assert.match(await rows().first().innerText(), new RegExp(`^${last}\\b`));
    await button("Copy as CSV").click();
    await page.getByRole("status").filter({ hasText: "Copied 1 row as CSV." }).waitFor();
    const copied = parse(await page.evaluate(() => (window as unknown as Copied).copied)) as string[][];
    assert.deepEqual(copied[0]?.slice(0, 5), ["Block", "Transaction", "Contract", "Event", "from"]);
    assert.equal(copied[1]?.[1], `0x${last.toString(16).padStart(64, "0")}`);
    await button("Save as CSV…").click();
    assert.deepEqual(
      opened.messages.map((message) => [message.type, "name" in message && message.name]),
      [["saveCsv", "Logs"]],
    );
  });

  it("says what a cut result lacks, after a copy and to the host that saves it", async () => {
    const cutText = `0x${"ab".repeat(40)}…`;
    const here = [log, { ...log, data: cutText }] as unknown as Json;
    const whole = [
      { path: [], length: 1_500 },
      { path: [1, "data"], length: 90_000 },
    ];
    await opened.draw(outputOf([lineOf("eth_getLogs", result("logs", here, { cut: true, whole }))]));
    await button("Copy as CSV").click();
    const said =
      "Copied 2 rows as CSV. Not included: 1,498 more rows of the result, and the end of 1 long value.";
    await page.getByRole("status").filter({ hasText: said }).waitFor();
    await button("Save as CSV…").click();
    const message = opened.messages.at(-1);
    assert.ok(message?.type === "saveCsv");
    assert.deepEqual(message.extent, { rows: 2, cutRows: 1_498, cutValues: 1 });
    await draw();
  });

  it("is ordered by the keyboard: up, down, and as received", async () => {
    await draw();
    const head = page.getByRole("columnheader", { name: "Block" });
    const firstBlock = () => rows().first().locator("td").first().innerText();
    const states: (readonly [string | null, string])[] = [];
    for (let press = 0; press < 4; press++) {
      if (press > 0) await button("Block").press("Enter");
      states.push([await head.getAttribute("aria-sort"), await firstBlock()]);
    }
    assert.deepEqual(states, [
      ["none", "1"],
      ["ascending", "1"],
      ["descending", "10,000"],
      ["none", "1"],
    ]);
    assert.match(await rows().nth(3).innerText(), /removed by a reorganization/);
  });

  it("has names for a screen reader, and fits a narrow notebook", async () => {
    await page.setViewportSize({ width: 260, height: 700 });
    await draw();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 260);
    await page.addScriptTag({ content: axe.source }).catch(() => page.evaluate(axe.source));
    const only = ["button-name", "label", "aria-allowed-attr", "aria-valid-attr-value", "aria-allowed-role"];
    const found = await page.evaluate(
      async (values) =>
        (
          await (window as unknown as { axe: typeof axe }).axe.run(document, {
            runOnly: { type: "rule", values },
          })
        ).violations.map(({ id }) => id),
      only,
    );
    assert.deepEqual(found, []);
  });

  it("of a batch is ordered by exact results", async () => {
    const balances = ["0x16345785d8a0001", "0x16345785d8a0000", "0x1"];
    await opened.draw(
      outputOf(balances.map((value, line) => lineOf("eth_getBalance", result("wei", value), { line }))),
    );
    await button("Result").click();
    const order = page.getByRole("region", { name: "Results, line by line" }).getByRole("rowheader");
    assert.deepEqual(await order.allInnerTexts(), ["3", "2", "1"]);
  });
});

interface Copied {
  copied: string;
}

/** Runs in the page, whose origin has no clipboard. */
function stubClipboard(): void {
  const writeText = async (text: string) => {
    (window as unknown as Copied).copied = text;
  };
  Object.defineProperty(navigator, "clipboard", { value: { writeText } });
}
