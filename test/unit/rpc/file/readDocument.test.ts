import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readDocument } from "../../../../src/rpc/file/readDocument.ts";
import { type WrittenCell, writeDocument } from "../../../../src/rpc/file/writeDocument.ts";
import { randomCases } from "../../../runner/cases.ts";

const sample = `---
network: base-mainnet
---
# Base health
Head block and fees.

\`\`\`rpc name=head
eth_blockNumber
eth_gasPrice
\`\`\`

\`\`\`rpc network=ethereum-mainnet, optimism-mainnet view=table
eth_feeHistory 10 latest [25, 75]
\`\`\`

One.

<!-- cell -->
Two.

\`\`\`json
{"prose": true}
\`\`\`
`;

function rewritten(text: string): string {
  const { head, cells } = readDocument(text);
  return writeDocument(head, cells);
}

describe("reading", () => {
  test("prose and cells, with the attributes of their opening lines", () => {
    const { head, cells } = readDocument(sample);
    assert.equal(head, "---\nnetwork: base-mainnet\n---\n");
    assert.deepEqual(
      cells.map(({ kind, text, facts }) => ({ kind, text, ...facts })),
      [
        { kind: "markup", text: "# Base health\nHead block and fees." },
        { kind: "request", text: "eth_blockNumber\neth_gasPrice", name: "head" },
        {
          kind: "request",
          text: "eth_feeHistory 10 latest [25, 75]",
          networks: ["ethereum-mainnet", "optimism-mainnet"],
          view: "table",
        },
        { kind: "markup", text: "One." },
        { kind: "markup", text: 'Two.\n\n```json\n{"prose": true}\n```' },
      ],
    );
  });

  test("a block inside a longer fence, and an unclosed one, are prose", () => {
    for (const text of ["````\n```rpc\neth_blockNumber\n```\n````\n", "```rpc\neth_blockNumber\n"]) {
      assert.deepEqual(
        readDocument(text).cells.map(({ kind }) => kind),
        ["markup"],
      );
    }
  });

  test("a file that consists of opening lines takes linear time", () => {
    assert.equal(readDocument("```rpc\n``` x\n".repeat(50_000)).cells.length, 1);
  });
});

describe("writing", () => {
  const { head, cells } = readDocument(sample);
  const changed = (index: number, cell: Partial<WrittenCell>) =>
    writeDocument(
      head,
      cells.map((one, at) => (at === index ? { ...one, ...cell } : one)),
    );

  test("a changed cell changes its own lines only", () => {
    assert.equal(
      changed(1, { text: "eth_chainId" }),
      sample.replace("eth_blockNumber\neth_gasPrice", "eth_chainId"),
    );
  });

  test("another network changes the opening line only", () => {
    assert.equal(
      changed(1, { facts: { name: "head", networks: ["bsc-mainnet"] } }),
      sample.replace("rpc name=head", "rpc name=head network=bsc-mainnet"),
    );
  });

  test("a body with a fence gets a longer fence", () => {
    const text = 'str("x")\n```\n# still here';
    const reread = readDocument(changed(1, { text }));
    assert.equal(reread.cells[1]?.text, text);
    assert.equal(reread.cells.length, cells.length);
  });

  test("prose with an open fence does not swallow a cell", () => {
    const reread = readDocument(changed(0, { text: "```\nnot closed" }));
    assert.deepEqual(
      reread.cells.map(({ kind }) => kind),
      cells.map(({ kind }) => kind),
    );
  });

  test("line ends stay those of the file", () => {
    const crlf = sample.replaceAll("\n", "\r\n");
    const read = readDocument(crlf);
    const text = writeDocument(read.head, [
      ...read.cells,
      { kind: "request", text: "net_version\n", facts: {} },
    ]);
    assert.ok(text.startsWith(crlf));
    assert.ok(!/[^\r]\n/.test(text));
  });
});

const line = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...sample.split("\n")) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "```",
      "````",
      "~~~",
      "```rpc",
      "~~~rpc name=x",
      "  ```rpc",
      "````rpc",
      "---",
      "<!-- cell -->",
      "<<<<<<< HEAD",
      "=======",
      ">>>>>>> main",
      "",
      "   ",
      "eth_blockNumber",
      "```json",
      "text",
      "\ufeff",
      "\u2028",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);
const ending = fc.oneof(
  { weight: 8, arbitrary: fc.constant("\n") },
  { weight: 3, arbitrary: fc.constant("\r\n") },
  { weight: 1, arbitrary: fc.constantFrom("\r", "") },
);
const document = fc
  .tuple(
    fc.constantFrom("", "", "\ufeff", "---\nnetwork: x\n---\n", "\ufeff---\r\n---\r\n"),
    fc.array(fc.tuple(line, ending), { maxLength: 40 }),
  )
  .map(([start, lines]) => start + lines.map(([text, end]) => text + end).join(""));

test("100,000 documents are written back byte for byte", () => {
  fc.assert(
    fc.property(document, (text) => assert.equal(rewritten(text), text)),
    { numRuns: randomCases(100_000) },
  );
});

const cell: fc.Arbitrary<WrittenCell> = fc.record({
  kind: fc.constantFrom("markup", "request"),
  text: fc
    .array(fc.constantFrom("text", "", "```", "~~~~", "eth_blockNumber", "---", "  x"), { maxLength: 6 })
    .map((all) => all.join("\n")),
  facts: fc.constant({}),
});

test("inserted cells are read back unchanged", () => {
  fc.assert(
    fc.property(
      document,
      fc.array(cell, { maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      (text, fresh, order) => {
        const read = readDocument(text);
        const all: WrittenCell[] = [...read.cells];
        for (const one of fresh)
          all.splice((order.next().value ?? 0) % (all.length + 1), (order.next().value ?? 0) % 2, one);
        const requests = all.filter(({ kind }) => kind === "request").map((one) => one.text);
        const reread = readDocument(writeDocument(read.head, all)).cells;
        // Prose that opens a cell without closing it may become one more; none is lost and none is changed.
        for (const { kind, text: one } of reread)
          if (kind === "request" && one === requests[0]) requests.shift();
        assert.deepEqual(requests, []);
      },
    ),
    { numRuns: randomCases(20_000) },
  );
});
