// A cell of JSON reaches the node as the user wrote it, through the service and without it.

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { createApi } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { table } from "../../../../src/api/table.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { wireOf } from "../../../../src/rpc/exchange/request/wireOf.ts";
import { exportForms, writeRequest } from "../../../../src/rpc/exchange/request/writeRequest.ts";
import { diagnose, refusalOf } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { SentTransactions, Values } from "../../../../src/rpc/run/expect/values.ts";
import { planCellRun } from "../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../src/rpc/run/runCell.ts";
import { createSender } from "../../../../src/rpc/run/senders.ts";
import { randomCases } from "../../../runner/cases.ts";
import { projectOf } from "../notebook.ts";

/** JSON in two forms: with only what must be sent, and as a user may write it. */
interface Json {
  readonly plain: string;
  readonly written: string;
}

const same = (plain: string): Json => ({ plain, written: plain });
const fixed = [
  "1E400",
  "-1e-400",
  "1e3",
  "1.0",
  "-0",
  "-0.0",
  "1e+03",
  "9007199254740993.0",
  "0.10000000000000000001",
];
const number = fc.oneof(
  fc.constantFrom(...fixed, `${"9".repeat(500)}`, `0.${"123".repeat(300)}`),
  fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?([eE][+-]?\d{1,4})?$/),
);
const string = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\\"',
        "\\/",
        "/",
        "\\u0041",
        "\\ud83d\\ude00",
        "\\ud800",
        "\\n",
        "é",
        "😀",
        "//",
        "/*",
        ",]",
      ),
      fc.stringMatching(/^[\w ]$/),
    ),
    { maxLength: 6 },
  )
  .map((parts) => `"${parts.join("")}"`);
const gap = fc.constantFrom("", "", " ", "\n", "\t ", " // a note ,]\n", "/* one, */");
const trailing = fc.constantFrom("", "", ",");

function joined(open: string, close: string, parts: readonly (readonly [Json, string])[], end: string): Json {
  const comma = parts.length > 0 ? end : "";
  return {
    plain: `${open}${parts.map(([{ plain }]) => plain).join(",")}${close}`,
    written: `${open}${parts.map(([{ written }, space]) => `${space}${written}${space}`).join(",")}${comma}${close}`,
  };
}

const { list } = fc.letrec<{ value: Json; list: Json; members: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    number.map(same),
    string.map(same),
    fc.constantFrom("true", "false", "null").map(same),
    tie("list"),
    tie("members"),
  ),
  list: fc
    .tuple(fc.array(fc.tuple(tie("value"), gap), { maxLength: 4 }), trailing)
    .map(([items, end]) => joined("[", "]", items, end)),
  // Names repeat, and some are written with an escape.
  members: fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom('"a"', '"a"', '"\\u0061"', '"__proto__"', '""'), tie("value"), gap), {
        maxLength: 4,
      }),
      trailing,
    )
    .map(([all, end]) => {
      const parts = all.map(([name, { plain, written }, space]): readonly [Json, string] => [
        { plain: `${name}:${plain}`, written: `${name}${space}:${space}${written}` },
        space,
      ]);
      return joined("{", "}", parts, end);
    }),
}));

const call = fc.tuple(list, gap).map(([params, space]) => (id: number): Json => {
  const head = `{"jsonrpc":"2.0","id":${id},"method":"eth_x","params":`;
  return { plain: `${head}${params.plain}}`, written: `${head}${space}${params.written}${space}}` };
});
const cell = fc.oneof(
  call.map((one) => one(1)),
  fc.tuple(fc.array(fc.tuple(call, gap), { minLength: 1, maxLength: 3 }), trailing).map(([calls, end]) =>
    joined(
      "[",
      "]",
      calls.map(([one, space], at) => [one(at + 1), space] as const),
      end,
    ),
  ),
);

describe("a cell of JSON", () => {
  let server: Server;
  let origin: string;
  let body = "";
  const transport = createUndiciTransport();

  before(async () => {
    server = createServer(async (request, response) => {
      body = await text(request);
      const calls = Array.from(
        body.matchAll(/"2.0","id":(\d)/g),
        ([, id]) => `{"jsonrpc":"2.0","id":${id},"result":null}`,
      );
      response.setHeader("content-type", "application/json");
      response.end(body.startsWith("[") ? `[${calls.join(",")}]` : calls[0]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.close();
    await transport.close();
  });

  /** The bytes of the request, and whether each call has its response. */
  async function sentBy(source: string, network: string) {
    const api = createApi(table, transport, {
      baseUrl: origin,
      apiKey: async () => "key",
      dialect: dialects.standard,
      timeouts: { headersMs: 20_000, idleMs: 20_000 },
    });
    const project = projectOf([source], [network]);
    assert.equal(refusalOf(project, 0, evm), undefined, source);
    const deps = {
      sender: createSender(
        async () => api,
        () => origin,
        transport,
      ),
      loadEvm: async () => evm,
      values: new Values(),
      sentTransactions: new SentTransactions(),
      consent: async () => true,
      pause: async () => {},
      now: Date.now,
    };
    const run = await runCell(deps, planCellRun(project, 0), new AbortController().signal, () => {});
    assert.equal(run.problem, undefined);
    const kinds = run.rounds.flatMap(({ lines }) => lines.map(({ outcome }) => outcome.kind));
    return { body, kinds: [...new Set(kinds)] };
  }

  for (const network of ["base-mainnet", "local"])
    test(`on ${network} is sent as written, but for white space, comments and trailing commas`, async () => {
      const property = fc.asyncProperty(cell, async ({ plain, written }) => {
        assert.deepEqual(await sentBy(`@allow eth_x\n${written}`, network), {
          body: plain,
          kinds: ["result"],
        });
      });
      await fc.assert(property, { numRuns: randomCases(400) });
    });

  test("is copied as written by each form that can write it", async () => {
    const params = ["1E400", "1e3", "1.0", "-0", `0.${"1".repeat(40)}`, '{"a":1,"a":2.50}', '"\\u0041"'];
    const json = `{"jsonrpc":"2.0","id":7,"method":"eth_x","params":[${params.join(",")}]}`;
    const wire = wireOf(projectOf([`// note\n${json}`]), 0, undefined, () => undefined);
    const request = { ...wire, network: "base-mainnet", root: "https://x.example/api/v1" };
    const forms = Object.fromEntries(exportForms.map((form) => [form, writeRequest(form, request)]));
    assert.ok(forms.curl?.includes(`-d '${json}'`), forms.curl);
    assert.ok(forms.cast?.includes(` ${params.slice(0, 5).join(" ")} '{"a":1,"a":2.50}' A `), forms.cast);
    assert.ok(forms.Python?.includes(`body = ${JSON.stringify(json)}\n`), forms.Python);
    assert.ok(
      forms["Foundry test"]?.includes(JSON.stringify(`[${params.join(",")}]`)),
      forms["Foundry test"],
    );
    for (const form of ["viem", "ethers"])
      for (const exact of ["1E400", "1e3", "1.0", "-0", "2.50"])
        assert.ok(forms[form]?.includes(`JSON.rawJSON("${exact}")`), forms[form]);
    assert.equal(forms["JSON-RPC"]?.replace(/\s/g, ""), json);
  });

  test("warns of numbers that are too large for most nodes", () => {
    for (const large of ["1E400", "9".repeat(500)]) {
      const source = `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":[${large},"latest"]}`;
      const found = diagnose(projectOf([source]), 0, evm).filter(({ code }) => code === "number");
      assert.deepEqual(
        found.map(({ severity, message }) => [severity, message]),
        [["warning", "This number is sent as written, but is too large for most nodes"]],
      );
      const id = source.replace('"id":1', `"id":${large}`);
      assert.match(refusalOf(projectOf([id]), 0, evm) ?? "", /An id is text or a number/);
    }
  });

  test("whose call has a member twice is refused, because readers disagree on which one counts", () => {
    const source = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","\\u006dethod":"eth_sendRawTransaction","params":["0x"]}`;
    assert.match(refusalOf(projectOf([source]), 0, evm) ?? "", /A call has method only once/);
  });
});
