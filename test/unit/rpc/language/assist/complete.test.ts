import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { marked } from "marked";
import { complete } from "../../../../../src/rpc/language/assist/complete.ts";
import { describeHex, hover } from "../../../../../src/rpc/language/assist/hover.ts";
import { inlayHints, nameAt, placesOf, signatureAt } from "../../../../../src/rpc/language/assist/outline.ts";
import type { Project } from "../../../../../src/rpc/language/project.ts";
import { lineHints } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { projectOf } from "../../notebook.ts";

/** The notebook of these cells, the last of them with the cursor at `|`. */
function at(...cells: string[]): readonly [Project, number, number] {
  const last = cells.at(-1) ?? "";
  const texts = [...cells.slice(0, -1), last.replace("|", "")];
  return [projectOf(texts), cells.length - 1, last.indexOf("|")];
}

const labels = (...cells: string[]) => complete(...at(...cells)).map(({ label }) => label);

describe("completion", () => {
  test("methods of the network's family, with tier and price; refused ones last and struck through", () => {
    const items = complete(...at("eth_|"));
    const balance = items.find(({ label }) => label === "eth_getBalance");
    assert.equal(balance?.detail, "1x · 20 credits — address block?");
    const filter = items.find(({ label }) => label === "eth_newFilter");
    assert.ok(filter?.refused && filter.rank > (balance?.rank ?? 9) && filter.insert === "eth_getLogs");
    assert.ok(!items.some(({ label }) => label.startsWith("zks_")));
    assert.ok(labels("@network zksync-mainnet\nzks|").includes("zks_L1ChainId"));
    assert.ok(labels("@network starknet-mainnet\n|").includes("starknet_call"));
    assert.ok(!labels("@network starknet-mainnet\n|").includes("eth_call"));
  });

  test("parameters by their type", () => {
    assert.ok(labels("eth_getBalance 0xaa |").includes("latest"));
    assert.ok(labels("eth_getBlockByNumber latest |").includes("true"));
    assert.deepEqual(labels("eth_call { |").slice(0, 2), ["from", "to"]);
    assert.ok(!labels("eth_call { to: 0xaa, | }").includes("to"));
    assert.ok(labels("eth_getLogs { fromBlock: | }").includes("latest"));
    assert.ok(labels("debug_traceTransaction 0xaa { tracer: | }").includes("callTracer"));
    assert.ok(labels("call 0xaa |").includes("balanceOf(address)(uint256)"));
    assert.ok(labels("logs 0xaa |").some((label) => label.startsWith("Transfer(")));
    assert.ok(labels("logs 0xaa Transfer(address) |").includes("from:"));
  });

  test("names with a value, directives and networks", () => {
    assert.ok(labels("token = 0x12", "eth_getBalance $|").includes("$token"));
    assert.ok(!labels("eth_getBalance $|\nlater = 0x12").includes("$later"));
    assert.ok(labels("@|").includes("every"));
    assert.ok(labels("@network |").includes("base-mainnet"));
  });

  test("methods in JSON", () => {
    const [project, index, offset] = at('{"jsonrpc":"2.0","method":"eth_|"}');
    assert.ok(complete(project, index, offset).some(({ insert }) => insert === '"eth_chainId"'));
  });

  test("any cursor position has valid suggestions", () => {
    const text = fc.string({
      unit: fc.constantFrom(...'eth_call @network $x={}[]()",:0x1 -\n#'.split("")),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.nat(40), (cell, cursor) => {
        const offset = Math.min(cursor, cell.length);
        for (const { start, end } of complete(projectOf([cell]), 0, offset)) {
          assert.ok(0 <= start && start <= offset && offset <= end && end <= cell.length);
        }
        hover(projectOf([cell]), 0, offset);
        signatureAt(projectOf([cell]), 0, offset);
      }),
      { numRuns: randomCases(3_000) },
    );
  });
});

describe("hover", () => {
  const said = (...cells: string[]) => hover(...at(...cells))?.lines.join("\n") ?? "";

  test("methods: parameters, result, price", () => {
    assert.match(said("trace_|block latest"), /trace_block\(block: block\) → trace[\s\S]*2x · 40 credits/);
    assert.match(said("eth_|sign"), /Sign locally/);
  });

  test("values: decimal, units, time, checksum", () => {
    assert.match(said("eth_getBalance 0x|de0b6b3a7640000"), /1,000,000,000,000,000,000[\s\S]*1 ether/);
    assert.match(said("x = 1.|5 gwei"), /0x59682f00/);
    assert.deepEqual(describeHex("0x65920080"), [
      "Number",
      "1,704,067,200",
      "1.7040672 gwei, 0.0000000017040672 ether",
      "As a time: 2024-01-01T00:00:00Z",
    ]);
    assert.match(said("head = eth_blockNumber", "eth_getBlockByNumber $he|ad false"), /no value yet/);
  });
});

test("no text of a notebook's file is markup in a hover", () => {
  const picture = "![p](https://evil.example/x.png)";
  const cells = [
    [`x = "0xaa" # \` ${picture} \``, "eth_getCode $|x"],
    [`@network a${picture}\neth_|chainId`],
    [JSON.stringify({ method: `eth_x\n\`\`\`\n${picture}`, params: [] }).replace("eth_x", "eth|_x")],
  ];
  for (const texts of cells) {
    const html = (hover(...at(...texts))?.lines ?? []).map((line) => String(marked.parse(line))).join("");
    assert.notEqual(html, "", texts.join("\n"));
    assert.doesNotMatch(html, /<img|<a /, html);
  }
});

describe("names across cells", () => {
  test("all places, from any of them", () => {
    const texts = [
      "me = 0x12\neth_getBalance $me latest",
      "eth_getCode $me latest\nme = 0x34\neth_getCode $me latest",
    ];
    const project = projectOf(texts);
    const first = nameAt(project, 0, 1);
    assert.ok(first);
    assert.deepEqual(
      placesOf(project, first.definition).map(({ cell, start }) => [cell, start]),
      [
        [0, 0],
        [0, texts[0]?.indexOf("$me") === undefined ? -1 : texts[0].indexOf("$me") + 1],
        [1, 13],
      ],
    );
    const second = nameAt(project, 1, (texts[1]?.lastIndexOf("$me") ?? 0) + 2);
    assert.equal(placesOf(project, second?.definition ?? first.definition).length, 2);
  });
});

test("signature help marks the current parameter", () => {
  assert.equal(signatureAt(...at("eth_getBalance 0x12 |"))?.active, 1);
  assert.equal(signatureAt(...at("eth_getBalance |"))?.active, 0);
  assert.equal(signatureAt(...at("eth_get|Balance")), undefined);
});

test("inlay hints show the wire values", () => {
  const hints = inlayHints(
    projectOf([
      "eth_getBlockByNumber 19_000_000 false\neth_getBlockByNumber -5 false\nlogs 0xaa from:-2\neth_call { to: 0xaa, value: 0.1 ether, list: [1] } latest",
    ]),
    0,
  );
  assert.deepEqual(
    hints.map(({ text }) => text),
    [" 0x121eac0", " head -5", " head -2", " 0x16345785d8a0000"],
  );
});

test("lines show their cost where it differs", () => {
  const text = "eth_chainId\nx = 1\ntrace_block latest";
  const texts = (...on: string[]) => lineHints(planCell(projectOf([text], on), 0)).map(({ text }) => text);
  assert.deepEqual(texts("ethereum-mainnet"), [" 20 credits", " 40 credits"]);
  assert.deepEqual(texts("ethereum-mainnet", "zksync-mainnet"), [" 50 credits", " 100 credits"]);
  assert.deepEqual(
    lineHints(planCell(projectOf([text], ["ethereum-mainnet"]), 0)).map(({ at }) => at),
    [11, text.length],
  );
  assert.deepEqual(texts("local"), []);
  assert.deepEqual(
    lineHints(planCell(projectOf(["eth_chainId\neth_gasPrice"], ["ethereum-mainnet"]), 0)),
    [],
  );
  assert.deepEqual(lineHints(planCell(projectOf(['{"method":"eth_chainId"}'], ["ethereum-mainnet"]), 0)), []);
});
