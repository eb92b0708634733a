import assert from "node:assert/strict";
import { describe, it } from "node:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import type { Json, RpcOutput } from "../../../../src/rpc/output/rpcOutput.ts";
import type { RpcResultView } from "../../../../src/shared/rpc/resultView.ts";
import { type RendererPage, useRendererPage } from "./rendererPage.ts";
import {
  alice,
  block,
  callTrace,
  feeHistory,
  lineOf,
  mainnet,
  outputOf,
  receipt,
  result,
  testnet,
  transferEvent,
} from "./samples.ts";

declare const pwned: unknown;

const markup = `<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>\u202eevil`;

/** The same text in every place that a node, a contract or a notebook controls. */
function everywhere(text: string): readonly RpcOutput[] {
  const inside: Json = { [text]: text, list: [text, { [text]: [text] }], rows: [{ [text]: text }] };
  const event = {
    name: text,
    values: [{ name: text, type: text, value: [{ name: text, type: "string", value: text }] }],
  };
  const trace = {
    ...callTrace,
    type: text,
    to: text,
    input: text,
    error: text,
    calls: [{ type: text, from: text }],
  };
  const fees = { ...feeHistory, oldestBlock: text };
  const values: readonly [RpcResultView, Json, object?][] = [
    ["any", text],
    ["data", text],
    ["json", inside],
    [
      "block",
      {
        ...block,
        number: text,
        miner: text,
        [text]: text,
        transactions: [{ from: text, hash: text }, { from: text }],
      },
    ],
    [
      "receipt",
      { ...receipt, type: text, logs: [{ topics: [text], data: text, address: text }] },
      { decoded: { kind: "events", events: [event] } },
    ],
    ["trace", trace],
    ["trace", [{ txHash: text, result: trace }]],
    ["feeHistory", fees],
    ["table", [inside, inside]],
    ["data", text, { decoded: { kind: "values", values: event.values } }],
  ];
  const around = {
    source: text,
    name: text,
    note: text,
    changed: [text],
    changes: [{ path: text, before: text, now: text }],
  };
  const singles = values.map(([view, value, more]) =>
    outputOf([lineOf(text, result(view, value, more), around)]),
  );
  const failure = {
    kind: "error",
    code: 3,
    message: text,
    data: { [text]: text },
    revert: { name: text, reason: text, values: event.values },
  } as const;
  const lines = [
    lineOf(text, failure, around),
    lineOf(text, { kind: "unsent", reason: text }, { ...around, line: 1 }),
  ];
  const odd = { slug: text, isMainnet: false, coin: text };
  return [
    ...singles,
    outputOf(lines, {
      networks: [odd],
      problem: {
        sentence: text,
        actions: [{ id: "retry", label: text }],
        topUp: { steps: [text], balanceUsd: text, payments: [{ payTo: alice, network: text }] },
      },
    }),
    outputOf([lineOf(text, failure, { ...around, network: text })], { networks: [odd, testnet] }),
    outputOf([lineOf(text, failure)], {
      polling: { everyMs: 1, round: 1, rounds: 1, history: [{ atMs: 0, credits: 1, values: [text] }] },
    }),
  ];
}

describe("input from nodes and contracts", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage((one) => {
    opened = one;
    page = one.page;
  });

  const drawOpen = async (output: unknown) => {
    await opened.draw(output);
    await page.evaluate(openAll);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  };
  const size = () => page.evaluate(measure);

  it("is shown as text only, wherever it is", async () => {
    for (const output of everywhere(markup)) {
      await drawOpen(output);
      const { elements, text } = await size();
      assert.deepEqual(elements, []);
      assert.ok(text.includes("<script>globalThis.pwned=1</script>"));
      assert.ok(!text.includes("\u202e"));
    }
    assert.equal(await page.evaluate(() => typeof pwned), "undefined");
    assert.deepEqual(opened.problems, []);
  });

  it("is bounded, wherever it is", async () => {
    for (const output of everywhere("x".repeat(300_000))) {
      await drawOpen(output);
      const { text, nodes } = await size();
      assert.ok(text.length < 60_000, `${text.length} characters of ${output.lines[0]?.outcome.kind}`);
      assert.ok(nodes < 3000, `${nodes} elements`);
    }
  });

  it("may have members of any name", async () => {
    const value = JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": 2, "toString": "3", "": 4}',
    ) as Json;
    for (const view of ["any", "json", "block", "receipt", "trace", "feeHistory"] as const) {
      await drawOpen(outputOf([lineOf("m", result(view, value))]));
      const { text } = await size();
      assert.ok(text.includes("__proto__") && text.includes("constructor"), view);
    }
    await drawOpen(outputOf([lineOf("m", result("table", [value, value]))]));
    assert.ok((await size()).text.includes("__proto__"));
    assert.equal(await page.evaluate(() => "polluted" in {}), false);
  });

  const shapes: readonly [string, Json][] = [
    [
      "an object of other members",
      { transactions: 5, number: [], baseFeePerGas: "x", oldestBlock: {}, logs: [1], calls: 3 },
    ],
    ["a list of odd things", [null, [], {}, "x", { action: 1, traceAddress: "no" }]],
    ["logs without topics", [{ topics: null, data: {} }]],
    ["null", null],
    ["an empty text", ""],
    ["a float", 1.5e300],
  ];
  const views = [
    "block",
    "transaction",
    "receipt",
    "logs",
    "feeHistory",
    "trace",
    "table",
    "json",
    "wei",
    "felt",
    "any",
  ] as const;
  for (const [name, value] of shapes) {
    it(`${name} is rendered by every view`, async () => {
      for (const view of views) {
        await opened.draw(outputOf([lineOf("eth_anything", result(view, value))]));
        assert.equal(await page.getByText("can't be displayed").count(), 0, view);
        await page.locator(".line").waitFor();
      }
      assert.deepEqual(opened.problems, []);
    });
  }

  it("may be a thousand levels deep, or a list of 100,000", async () => {
    let deep: Json = 1;
    for (let level = 0; level < 1000; level++) deep = level % 2 ? [deep] : { a: deep };
    for (const view of ["any", "json", "trace", "table", "block"] as const) {
      await drawOpen(outputOf([lineOf("m", result(view, deep))]));
      await page.locator(".line").waitFor();
    }
    for (const item of [1, { a: 1 }, "0x12"]) {
      const list = Array.from({ length: 100_000 }, () => item);
      await drawOpen(outputOf([lineOf("m", result("any", list))]));
      const { nodes } = await size();
      assert.ok(nodes < 3000, `${nodes} elements`);
    }
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, at]));
    for (const value of [wide, [wide, wide]]) {
      await drawOpen(outputOf([lineOf("m", result("any", value))]));
      assert.ok((await size()).nodes < 3000);
    }
    assert.deepEqual(opened.problems, []);
  });

  it("fits a narrow notebook, and axe finds no violation", async () => {
    await page.setViewportSize({ width: 280, height: 700 });
    await page.addScriptTag({ content: axe.source }).catch(() => page.evaluate(axe.source));
    const lines = [
      lineOf("eth_getBlockByNumber", result("block", block as unknown as Json), { changed: ["number"] }),
      lineOf("eth_feeHistory", result("feeHistory", feeHistory), { line: 1 }),
      lineOf(
        "eth_getTransactionReceipt",
        result("receipt", receipt, { decoded: { kind: "events", events: [transferEvent, null] } }),
        { line: 2 },
      ),
    ];
    const compared = [mainnet, testnet].flatMap(({ slug }) =>
      lineOf("debug_traceCall", result("trace", callTrace), { network: slug }),
    );
    for (const output of [outputOf(lines), outputOf(compared, { networks: [mainnet, testnet] })]) {
      await drawOpen(output);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 280);
      // The colours belong to the theme, which this page lacks; landmarks belong to a page, not to an output.
      const rules = {
        "color-contrast": { enabled: false },
        region: { enabled: false },
        "document-title": { enabled: false },
        "html-has-lang": { enabled: false },
        "landmark-one-main": { enabled: false },
        "page-has-heading-one": { enabled: false },
      };
      const found = await page.evaluate(
        async (options) =>
          (await (window as unknown as { axe: typeof axe }).axe.run(document, options)).violations.map(
            ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
          ),
        { rules },
      );
      assert.deepEqual(found, []);
    }
  });
});

/** Runs in the page: expands everything, three times, because expanded parts may contain others. */
function openAll(): void {
  const root = document.getElementById("output")?.shadowRoot;
  for (let times = 0; times < 3; times++) {
    for (const details of root?.querySelectorAll("details") ?? []) details.open = true;
    for (const opener of root?.querySelectorAll<HTMLElement>('.opener[aria-expanded="false"]') ?? [])
      opener.click();
  }
}

/** Runs in the page. */
function measure() {
  const root = document.getElementById("output")?.shadowRoot;
  const all = [...(root?.querySelectorAll("*") ?? [])];
  const titles = all.map((element) => element.getAttribute("title") ?? "").join("");
  return {
    elements: all
      .filter((element) => element.matches("img, script, iframe, a, style, link"))
      .map(({ tagName }) => tagName),
    text: (root?.textContent ?? "") + titles,
    nodes: all.length,
  };
}
