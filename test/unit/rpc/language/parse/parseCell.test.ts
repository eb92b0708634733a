import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { formatCell, type TextEdit } from "../../../../../src/rpc/language/assist/formatCell.ts";
import type { Statement } from "../../../../../src/rpc/language/parse/nodes.ts";
import { type Cell, type LinesCell, parseCell } from "../../../../../src/rpc/language/parse/parseCell.ts";
import { randomCases } from "../../../../runner/cases.ts";

function lines(text: string): LinesCell {
  const cell = parseCell(text);
  assert.equal(cell.form, "lines");
  return cell as LinesCell;
}

function only(text: string): Statement {
  const [first, ...others] = lines(text).statements;
  assert.ok(first && others.length === 0, text);
  return first.statement;
}

const sample = `@network base-mainnet
usdc = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913       # a constant
me   = 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
call $usdc balanceOf(address)(uint256) $me
logs $usdc Transfer(address,address,uint256) from:-200 to:latest
eth_getBlockByNumber 19_000_000 false                    # decimal
eth_estimateGas { from: $me, to: $usdc, value: 0.1 ether }
head = eth_blockNumber
eth_getLogs {
  address: $usdc,

  topics: [topic("Transfer(address,address,uint256)"), null],
}
eth_feeHistory
  10 latest
  [25, 75]
@every 6s
`;

describe("lines", () => {
  test("a cell of every form has no problem", () => {
    const { statements } = lines(sample);
    assert.deepEqual(
      statements.flatMap(({ statement }) => statement.problems),
      [],
    );
    assert.deepEqual(
      statements.map(({ line, statement: { kind } }) => `${line} ${kind}`),
      [
        "0 directive",
        "1 constant",
        "2 constant",
        "3 request",
        "4 request",
        "5 request",
        "6 request",
        "7 request",
        "8 request",
        "13 request",
        "16 directive",
      ],
    );
  });

  test("a request has its name, its method and its values", () => {
    const head = only("head = eth_getBlockByNumber latest false");
    assert.ok(head.kind === "request");
    assert.equal(head.name?.text, "head");
    assert.equal(head.method.text, "eth_getBlockByNumber");
    assert.deepEqual(
      head.args.map(({ kind }) => kind),
      ["word", "literal"],
    );
  });

  test("units, with a space or without", () => {
    for (const text of ["x = 1.5 ether", "x = 1.5ether"]) {
      const statement = only(text);
      assert.ok(statement.kind === "constant" && statement.value.kind === "number");
      assert.equal(statement.value.text, "1.5");
      assert.equal(statement.value.unit?.text, "ether");
    }
  });

  test("references have paths into results", () => {
    const statement = only("eth_getBlockByHash $logs[2].blockHash true");
    assert.ok(statement.kind === "request" && statement.args[0]?.kind === "reference");
    assert.deepEqual(statement.args[0].path, [2, "blockHash"]);
  });

  test("a signature is one value, whatever it returns", () => {
    for (const text of [
      "balanceOf(address)(uint256)",
      "f((uint256,address)[],bytes)(bool)",
      "name() view returns (string)",
    ]) {
      const statement = only(`call 0x1 ${text} $me`);
      assert.ok(statement.kind === "request");
      assert.deepEqual(
        statement.args.map(({ kind }) => kind),
        ["hex", "signature", "reference"],
      );
    }
  });

  test("missing tokens are reported at their position", () => {
    const cases: readonly (readonly [string, number, RegExp])[] = [
      ["x =", 3, /value is missing/],
      ["eth_call { to: }", 14, /value of to is missing/],
      ["eth_call { to: 0x1", 9, /not closed/],
      ["eth_call [1, 2", 9, /not closed/],
      ['web3_sha3 "abc', 10, /not closed/],
      ["@", 1, /name of a directive/],
      ["0x12", 0, /must start with a method/],
      ["eth_call $", 9, /name is missing/],
      ["x = 3 parsec", 6, /one value/],
      ["eth_call 3parsec", 10, /not a unit/],
    ];
    for (const [text, start, message] of cases) {
      const [problem] = only(text).problems;
      assert.match(problem?.message ?? "none", message, text);
      assert.equal(problem?.start, start, text);
    }
  });

  test("an open bracket does not affect the next statement", () => {
    const { statements } = lines("eth_call { to: 0x1,\neth_blockNumber\n");
    assert.deepEqual(
      statements.map(({ statement }) => statement.problems.length),
      [1, 0],
    );
  });
});

describe("literal cells", () => {
  test("comments are allowed, and items have their positions", () => {
    const text =
      '// two\n[{"jsonrpc":"2.0","method":"eth_chainId","id":1}, {"method":"net_version", "id":2,},]';
    const cell = parseCell(text);
    assert.ok(cell.form === "literal");
    assert.deepEqual(
      cell.items.map(({ method }) => method && text.slice(method.start, method.end)),
      ['"eth_chainId"', '"net_version"'],
    );
    assert.deepEqual(cell.problems, []);
  });

  test("brackets alone do not exhaust the stack", () => {
    for (const bracket of ["[", "{", '{"a":']) {
      const cell = parseCell(bracket.repeat(100_000));
      assert.ok(cell.form === "literal" && cell.problems.length > 0);
    }
    const [problem] = only(`eth_call ${"[".repeat(100_000)}`).problems;
    assert.match(problem?.message ?? "", /nested too deep/);
  });
});

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...sample.split(/(?<=\n)|(?<= )/)) },
  { weight: 3, arbitrary: fc.constantFrom(..."{}[](),:=@.$_#\"'\\ \t\n\r-0123456789xabc".split("")) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\r\n", "\n  ", "//", "eth_", "call ", "0x", "1.5 gwei", "keccak(", "$a.b"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

describe("any text", () => {
  test("is parsed completely: no throw, no gap, positions inside", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = parseCell(text);
        if (cell.form === "literal") return;
        let offset = 0;
        for (const placed of cell.statements) {
          assert.equal(placed.offset, offset);
          assert.ok(placed.statement.length > 0);
          for (const { start, end } of placed.statement.problems) {
            assert.ok(0 <= start && start <= end && end <= placed.statement.length);
          }
          offset += placed.statement.length;
        }
        assert.equal(offset, text.length);
      }),
      { numRuns: randomCases(20_000) },
    );
  });

  test("an incremental parse equals a complete one", () => {
    const edit = fc.record({ at: fc.nat(2_000), removed: fc.nat(30), added: anyText });
    fc.assert(
      fc.property(anyText, fc.array(edit, { minLength: 1, maxLength: 4 }), (start, edits) => {
        let text = start;
        let cell: Cell = parseCell(text);
        for (const { at, removed, added } of edits) {
          const from = Math.min(at, text.length);
          text = text.slice(0, from) + added + text.slice(from + removed);
          cell = parseCell(text, cell);
          const fresh = parseCell(text);
          if (cell.form === "lines") assert.deepEqual(cell, fresh);
          else assert.equal(cell.form, fresh.form);
        }
      }),
      { numRuns: randomCases(10_000) },
    );
  });

  test("formatting changes only the layout and is idempotent", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = parseCell(text);
        if (cell.form === "literal") return;
        const formatted = applied(text, formatCell(cell));
        const after = parseCell(formatted);
        assert.ok(after.form === "lines");
        assert.deepEqual(meaning(after), meaning(cell));
        assert.equal(applied(formatted, formatCell(after)), formatted);
      }),
      { numRuns: randomCases(10_000) },
    );
  });

  test("formatting gives the usual layout", () => {
    const text = "x=1.5   ether\neth_call {to:$x ,value:0x1}  latest # now\nlogs $x from : -200\n";
    assert.equal(
      applied(text, formatCell(parseCell(text))),
      "x = 1.5 ether\neth_call { to: $x, value: 0x1 } latest  # now\nlogs $x from:-200\n",
    );
  });
});

function applied(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toReversed()
    .reduce((all, { start, end, text: to }) => all.slice(0, start) + to + all.slice(end), text);
}

/** The content of the statements, without their positions. */
function meaning({ statements }: LinesCell): unknown {
  return JSON.parse(
    JSON.stringify(
      statements.map(({ statement }) => statement).filter(({ kind }) => kind !== "blank"),
      (key, value) => (["start", "end", "length", "line", "offset"].includes(key) ? undefined : value),
    ),
  );
}
