// Cells of the language's own tokens and of names of members of Object: every function ends, and none throws.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readRequest } from "../../../../../src/rpc/exchange/request/readRequest.ts";
import { readPasted, readRequests } from "../../../../../src/rpc/exchange/request/readRequests.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { exportForms, writeRequest } from "../../../../../src/rpc/exchange/request/writeRequest.ts";
import { toPasted, toPastedCells } from "../../../../../src/rpc/exchange/toPasted.ts";
import { readDocument } from "../../../../../src/rpc/file/readDocument.ts";
import { writeDocument } from "../../../../../src/rpc/file/writeDocument.ts";
import { complete } from "../../../../../src/rpc/language/assist/complete.ts";
import { formatCell } from "../../../../../src/rpc/language/assist/formatCell.ts";
import { hover } from "../../../../../src/rpc/language/assist/hover.ts";
import {
  foldsOf,
  inlayHints,
  nameAt,
  placesOf,
  signatureAt,
  symbolsOf,
} from "../../../../../src/rpc/language/assist/outline.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { readEnvFile } from "../../../../../src/rpc/language/environment/envFile.ts";
import { directives } from "../../../../../src/rpc/language/parse/directives.ts";
import { durations, functions, sugar, units } from "../../../../../src/rpc/language/parse/nodes.ts";
import { SentTransactions, Values } from "../../../../../src/rpc/run/expect/values.ts";
import { toOutput } from "../../../../../src/rpc/run/output.ts";
import { estimateCell, lineHints } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { planCellRun, planRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../../src/rpc/run/runCell.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { projectOf } from "../../notebook.ts";

/** Members that any object, function or list inherits. */
const inherited = [{}, () => {}, [], ""].flatMap((one) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(one) as object),
);
const names = fc.constantFrom(...new Set(inherited), "__proto__", "constructor", "x", "y", "head");
const methods = fc.constantFrom(
  ...[
    "eth_call",
    "eth_getLogs",
    "eth_getBalance",
    "eth_feeHistory",
    "debug_traceCall",
    "trace_call",
    "eth_getProof",
  ],
  ...["starknet_getBlockWithTxs", "getSlot", "eth_getBlockByNumber", "eth_nothing", "zks_x", "eth_subscribe"],
  ...sugar,
);
const values = fc.oneof(
  names.map((name) => `$${name}`),
  fc.tuple(names, names).map(([name, member]) => `$${name}.${member}[0]`),
  names.map((name) => `"${name}"`),
  names.map((name) => `{{${name}}}`),
  fc.constantFrom("{{x}} ether", "{{", "{{}}", "{{ y", '"{{x}}"'),
  names.map((name) => `${name}(address)(uint256)`),
  fc.constantFrom(
    "0x00000000000000000000000000000000000000aa",
    "0xaa",
    "0X",
    "-5",
    "1.5 ether",
    "1e400",
    "latest",
  ),
  fc.constantFrom(
    "[25, 75]",
    "[trace]",
    "true",
    "null",
    "_",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    '"',
    "'",
  ),
  fc.tuple(fc.constantFrom(...functions), names).map(([fn, name]) => `${fn}($${name}, "${name}(uint256)")`),
  fc.tuple(names, names).map(([key, name]) => `{ ${key}: $${name}, "${name}": 1 }`),
  fc.tuple(names, fc.nat(99)).map(([key, number]) => `${key}:${number}`),
  fc
    .tuple(fc.nat(), fc.constantFrom(...Object.keys(units), ...Object.keys(durations)))
    .map((all) => all.join(" ")),
);
const someValues = fc.array(values, { maxLength: 4 }).map((all) => all.join(" "));
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(methods, someValues).map((all) => all.join(" ")) },
  { weight: 4, arbitrary: fc.tuple(names, values).map((all) => all.join(" = ")) },
  {
    weight: 2,
    arbitrary: fc.tuple(names, methods, someValues).map(([name, ...rest]) => `${name} = ${rest.join(" ")}`),
  },
  { weight: 2, arbitrary: fc.tuple(names, someValues).map((all) => all.join(" ")) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(fc.constantFrom(...directives.keys()), names), fc.oneof(someValues, names))
      .map(([word, rest]) => `@${word} ${rest}`),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "# x", "// x", "/*", "*/", "  ", "x = [$x, $x]") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const linesCell = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n  ", "\r\n", "\r", " ")), { maxLength: 12 })
  .map((all) => all.map((one) => one.join("")).join(""));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(names, methods),
    fc.constantFrom(1, -1, 0.5, true, null, "2.0", "0x1"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(names, fc.constantFrom("jsonrpc", "method", "params", "id", "fromBlock", "address", "topics")),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;
const literalCell = fc
  .tuple(
    fc.array(json, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "// x\n", "/* x */"),
    fc.boolean(),
    fc.nat(),
  )
  .map(([items, comment, isBatch, cut]) => {
    const text = comment + JSON.stringify(isBatch ? items : items[0]);
    return cut % 4 === 0 ? text.slice(0, cut % (text.length + 1)) : text;
  });
const cell = fc.oneof({ weight: 4, arbitrary: linesCell }, { weight: 1, arbitrary: literalCell });
const facts = fc.record({ name: names, networks: fc.array(names, { maxLength: 2 }) }, { requiredKeys: [] });
const notebook = fc.array(fc.record({ text: cell, facts }), { minLength: 1, maxLength: 3 });
/** Values of variables are any tokens, and names of members of Object. */
const environments = fc
  .array(fc.tuple(names, fc.oneof(values, fc.string({ unit: "binary", maxLength: 8 }))), { maxLength: 6 })
  .map((all) => {
    const file = readEnvFile(all.map((one) => one.join("=")).join("\n"), "x.rpc.env");
    return { chosen: "x", offered: ["x"], files: new Map([["x", file]]), given: new Map() };
  });
const projects = fc
  .tuple(notebook, environments)
  .map(([cells, found]) => ({ cells, project: { ...projectOf(cells), environments: found } }));

/** The current value of a name: any reply of a node. */
const results: readonly unknown[] = [null, 1, "0x1", [], {}, { __proto__: null, constructor: 1 }];

describe("any notebook", () => {
  test("its cells are diagnosed, priced and planned", () => {
    fc.assert(
      fc.property(projects, ({ cells, project }) => {
        cells.forEach(({ text }, at) => {
          for (const library of [undefined, evm]) {
            for (const { start, end, message, fixes } of diagnose(project, at, library)) {
              assert.ok(message !== "" && 0 <= start && start <= end && end <= Math.max(1, text.length));
              for (const { edits } of fixes)
                for (const edit of edits)
                  assert.ok(edit.start <= edit.end && edit.end <= Math.max(1, text.length));
            }
          }
          const { credits, requests } = estimateCell(planCell(project, at));
          assert.ok(credits >= 0 && requests >= 0);
          const { lines, calls } = planCell(project, at);
          const sent = calls.flat().filter((place) => place >= 0);
          assert.deepEqual(
            sent.sort((a, b) => a - b),
            lines.map((_, place) => place),
          );
          lineHints(planCell(project, at));
          inlayHints(project, at);
          assert.ok(planRun(project, [at], { get: () => undefined }).some(({ cell }) => cell === at));
        });
      }),
      { numRuns: randomCases(4_000) },
    );
  });

  test("has completions and hovers at every position", () => {
    fc.assert(
      fc.property(projects, fc.nat(), fc.constantFrom(...results), ({ cells, project }, place, result) => {
        cells.forEach(({ text }, at) => {
          const offset = place % (text.length + 1);
          for (const { start, end, label } of complete(project, at, offset)) {
            assert.equal(typeof label, "string");
            assert.ok(start <= offset && offset <= end && end <= text.length);
          }
          for (const said of hover(project, at, offset, { resultOf: () => result })?.lines ?? [])
            assert.equal(typeof said, "string");
          signatureAt(project, at, offset);
          const named = nameAt(project, at, offset);
          if (named) placesOf(project, named.definition);
          const { cell: parsed } = project.cells[at] ?? assert.fail();
          formatCell(parsed);
          if (parsed.form === "lines") {
            for (const { name } of symbolsOf(parsed)) assert.equal(typeof name, "string");
            foldsOf(parsed);
          }
        });
      }),
      { numRuns: randomCases(4_000) },
    );
  });

  test("converts to a request and to other forms", () => {
    fc.assert(
      fc.property(projects, fc.constantFrom(...results, undefined), ({ cells, project }, result) => {
        cells.forEach((_, at) => {
          const wire = wireOf(project, at, evm, () => result);
          const request = { ...wire, network: "base-mainnet", root: "https://x.example" };
          for (const form of exportForms) assert.equal(typeof writeRequest(form, request), "string");
        });
      }),
      { numRuns: randomCases(3_000) },
    );
  });

  test("runs to its end, whatever a node replies", async () => {
    await fc.assert(
      fc.asyncProperty(projects, fc.constantFrom(...results), async ({ project }, result) => {
        const deps = {
          sender: {
            async send(_network: string, body: unknown) {
              const items = Array.isArray(body) ? body : [body];
              const answer = items.map((item) => ({
                jsonrpc: "2.0",
                id: (item as { id?: number } | null)?.id ?? null,
                result,
              }));
              return { answer: answer as never, ms: 0, resends: 0, replayed: false };
            },
          },
          loadEvm: async () => evm,
          values: new Values(),
          sentTransactions: new SentTransactions(),
          consent: async () => true,
          pause: async () => {},
          now: () => 0,
        };
        const run = await runCell(deps, planCellRun(project, 0), new AbortController().signal, () => {});
        for (const { lines } of run.rounds)
          for (const { outcome } of lines) assert.notEqual(outcome.kind, "waiting");
        assert.ok(
          !(run.problem instanceof TypeError) && !(run.problem instanceof RangeError),
          String(run.problem),
        );
        toOutput(run, { runId: "", evm, service: "", isSandbox: true });
      }),
      { numRuns: randomCases(1_500) },
    );
  });

  test("is written as a file and read again", () => {
    fc.assert(
      fc.property(notebook, fc.constantFrom("\n", "\r\n", ""), (cells, eol) => {
        const text = cells.map((one) => `\`\`\`rpc${eol}\n${one.text}\n\`\`\`${eol}\n`).join("");
        const { head, cells: read } = readDocument(text);
        assert.equal(writeDocument(head, read), text);
        const written = writeDocument(
          "",
          cells.map((one) => ({ kind: "request", text: one.text, facts: {} })),
        );
        assert.deepEqual(
          readDocument(written).cells.map((one) => one.text),
          cells.map((one) => one.text.replace(/\r\n?/g, "\n")),
        );
      }),
      { numRuns: randomCases(4_000) },
    );
  });

  test("is pasted and imported", () => {
    const command = fc
      .tuple(fc.constantFrom("curl -d '", "cast rpc ", "cast call ", "POST x\n\n", "", "###\n"), cell)
      .map((all) => all.join(""));
    fc.assert(
      fc.property(command, (text) => {
        for (const read of [readRequest(text), ...readRequests(text)]) if (read) toPasted(read);
        toPastedCells(readPasted(text) ?? []);
      }),
      { numRuns: randomCases(4_000) },
    );
  });
});
