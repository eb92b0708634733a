// A result that is kept as a secret is used in lines, but is in nothing that is shown, stored, reported or recorded.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createApi } from "../../../../src/api/call/client.ts";
import type { Called } from "../../../../src/api/call/record/callRecorder.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { table } from "../../../../src/api/table.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { runHeadless } from "../../../../src/rpc/cli/command.ts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { wireOf } from "../../../../src/rpc/exchange/request/wireOf.ts";
import { hover } from "../../../../src/rpc/language/assist/hover.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { isSecretResult } from "../../../../src/rpc/language/environment/secretResults.ts";
import { definitionsIn, type Project } from "../../../../src/rpc/language/project.ts";
import { Values } from "../../../../src/rpc/run/expect/values.ts";
import { isFine, outputText, toOutput } from "../../../../src/rpc/run/output.ts";
import { planCellRun } from "../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../src/rpc/run/runCell.ts";
import { createServiceSender, type RpcItem, type Sender } from "../../../../src/rpc/run/senders.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { type Bench, openBench, projectOf } from "../notebook.ts";

const secret = "0xfeedc0ffee1234567890";
/** The same in all forms in which it may be quoted. */
const leaked = /feedc0ffee/i;

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

/** A node that makes a secret, and quotes what it is asked. */
function quotingNode(made: unknown = secret) {
  const sent: RpcItem[] = [];
  const sender: Sender = {
    async send(_network, body) {
      const items = [body].flat() as RpcItem[];
      sent.push(...items);
      const answer = items.map(({ id, method, params }) =>
        method === "x_make"
          ? { jsonrpc: "2.0", id, result: made }
          : method === "x_fail"
            ? {
                jsonrpc: "2.0",
                id,
                error: { code: 3, message: `bad ${JSON.stringify(params)}`, data: params },
              }
            : { jsonrpc: "2.0", id, result: { echo: params } },
      );
      return { answer: answer as never, ms: 0, resends: 0, replayed: false };
    },
  };
  return { sent, deps: { ...bench.deps, sender, values: new Values() } };
}

async function runAll(project: Project, { deps }: ReturnType<typeof quotingNode>) {
  const outputs: ReturnType<typeof toOutput>[] = [];
  const runs: unknown[] = [];
  for (const index of project.cells.keys()) {
    const plan = planCellRun(project, index);
    const run = await runCell(deps, plan, new AbortController().signal, () => {});
    runs.push(run.rounds, String(run.problem));
    outputs.push(toOutput(run, { runId: "1", evm, service: "S", isSandbox: true }));
  }
  return { outputs, everything: JSON.stringify([runs, outputs, outputs.map(outputText)]) };
}

describe("a secret result", () => {
  const ways: readonly (readonly [title: string, head: string, name: string])[] = [
    ["that @secret names", "@secret session\n", "session"],
    ["whose name says so", "", "secret"],
  ];
  for (const [title, head, name] of ways)
    test(`${title} is sent by other lines and cells, but is in no result, error or text`, async () => {
      const project = projectOf([
        `${head}${name} = x_make\nx_echo $${name}\nx_fail { to: $${name} }\nexpect $${name} == 1`,
        `x_echo [$${name}]\nexpect $${name} matches "^0x"\nexpect $${name} < 5\nexpect $${name} contains "beef"`,
      ]);
      const node = quotingNode();
      const { outputs, everything } = await runAll(project, node);
      assert.deepEqual(
        node.sent.map(({ method, params }) => [method, params]),
        [
          ["x_make", []],
          ["x_echo", [secret]],
          ["x_fail", [{ to: secret }]],
          ["x_echo", [[secret]]],
        ],
      );
      assert.doesNotMatch(everything, leaked);
      assert.match(everything, /"value":"\*\*\*"/);
      // The second run knows the secret when its response comes.
      const again = await runAll(project, node);
      assert.deepEqual(node.sent.at(-1)?.params, [[secret]]);
      assert.doesNotMatch(again.everything, leaked);
      const [, second] = outputs;
      assert.deepEqual(
        second?.expectations?.map(({ state, reason, actual }) => [state, reason, actual]),
        [
          ["passed", undefined, undefined],
          ["failed", `$${name} is a secret, whose value is not shown`, undefined],
          ["failed", `$${name} is a secret, whose value is not shown`, undefined],
        ],
      );
    });

  test("of an object or of encoded bytes is hidden in each of its parts", async () => {
    const word = (text: string) => Buffer.from(text).toString("hex").padEnd(64, "0");
    const made = { token: "Very Hidden", list: [987_654_321], bytes: `0x${word("Deep Secret")}` };
    const node = quotingNode(made);
    const parts = ["$s.token", "$s.list[0]", "$s.bytes", `"Deep Secret"`, `"0x3ade68b1"`];
    const { everything } = await runAll(
      projectOf([`@secret s\ns = x_make\n${parts.map((part) => `x_echo ${part} $s`).join("\n")}`]),
      node,
    );
    assert.doesNotMatch(
      everything.replaceAll(`\\"Deep Secret\\"`, ""),
      /Very Hidden|987654321|3ade68b1\W{2}\]/i,
    );
    assert.doesNotMatch(everything, new RegExp(word("Deep Secret"), "i"));
  });

  test("that is too short to be hidden is not sent by another line", async () => {
    const node = quotingNode("0x12");
    const { outputs } = await runAll(projectOf(["@secret pin\npin = x_make\nx_echo $pin"]), node);
    assert.equal(node.sent.length, 1);
    assert.equal(
      outputs[0]?.lines[1]?.outcome.kind === "unsent" && outputs[0].lines[1].outcome.reason,
      "$pin is a secret that is too short to be hidden in results, so it is not sent",
    );
  });

  test("is a placeholder where a request is copied, and hover does not show it", () => {
    const project = projectOf(["@secret s\ns = x_make", "x_echo $s"]);
    const [definition] = definitionsIn(project, 0);
    assert.ok(definition && isSecretResult(project, definition));
    assert.match(wireOf(project, 1, evm, () => undefined).text, /<\$s>/);
    const shown = hover(project, 1, 8, { resultOf: () => secret })?.lines;
    assert.deepEqual(shown, ["`s = x_make`", "A secret, which is not shown"]);
  });

  test("is not in the record of a request, neither of its own nor of one that sends it", async () => {
    const sandbox = await startTestSandbox({ limits: "none", nodes: false });
    const transport = createUndiciTransport();
    const records: Called[] = [];
    const api = createApi(table, transport, {
      baseUrl: sandbox.baseUrl,
      apiKey: async () => sandbox.apiKey,
      dialect: dialects.standard,
      timeouts: { headersMs: 20_000, idleMs: 20_000 },
      isRecorded: () => true,
      observe: (event) => void (event.type === "called" && records.push(event)),
    });
    const deps = { ...bench.deps, sender: createServiceSender(async () => api), values: new Values() };
    const project = projectOf([
      "@secret s\ns = eth_getBlockByNumber latest false",
      "eth_getBlockByHash $s.hash false",
    ]);
    let hash = "";
    for (const index of [0, 1]) {
      const run = await runCell(deps, planCellRun(project, index), new AbortController().signal, () => {});
      const output = toOutput(run, { runId: "1", evm, service: "S", isSandbox: true });
      assert.ok(isFine(output), outputText(output));
      const [definition] = definitionsIn(project, 0);
      const plan = planCellRun(project, 0);
      const stored =
        definition && deps.values.get(plan.notebook.storedAs(definition), run.rounds[0]?.network ?? "");
      hash ||= String((stored?.value as { hash: string } | undefined)?.hash);
    }
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    const text = JSON.stringify(records);
    assert.doesNotMatch(text, new RegExp(hash.slice(2), "i"));
    assert.equal(records[0]?.attempts[0]?.response?.text, undefined);
    assert.match(records[1]?.attempts[0]?.request?.text ?? "", /\*\*\*/);
    await sandbox.close();
    await transport.close();
  });
});

test("a public result is no secret, whatever it is called; a constant is none, either", () => {
  for (const name of ["key", "seed", "auth", "publicKey", "secretary", "token", "storage_key"]) {
    const project = projectOf([`${name} = eth_chainId`]);
    assert.equal(isSecretResult(project, definitionsIn(project, 0)[0] ?? assert.fail()), false, name);
  }
  for (const name of ["secret", "clientSecret", "private_key", "privateKey", "mnemonic"]) {
    const project = projectOf([`${name} = eth_chainId`, `${name} = 5`]);
    assert.equal(isSecretResult(project, definitionsIn(project, 0)[0] ?? assert.fail()), true, name);
    assert.equal(isSecretResult(project, definitionsIn(project, 1)[0] ?? assert.fail()), false, name);
  }
});

const faults: readonly (readonly [cell: string, message: RegExp])[] = [
  ["@secret\nx = eth_chainId", /Name results of this cell: @secret session/],
  ["@secret y\nx = eth_chainId", /it has no result y\. This cell names x/],
  ["@secret y\neth_chainId", /it has no result y\. Name one/],
  ["@secret l\n@watch logs\n@times 2\nl = eth_getLogs {}", /so l can't be a secret/],
];
for (const [cell, message] of faults)
  test(`marked: ${cell.replaceAll("\n", "; ")}`, () => {
    assert.ok(
      diagnose(projectOf([cell]), 0).some((one) => message.test(one.message)),
      JSON.stringify(diagnose(projectOf([cell]), 0)),
    );
  });

test("without an editor it is neither printed nor in a report", async () => {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const items = [JSON.parse(Buffer.concat(pieces).toString())].flat() as RpcItem[];
    const answers = items.map(({ id, params }) => ({ jsonrpc: "2.0", id, result: [secret, params] }));
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = temporaryFolder();
  const [file, json, junit] = ["checks.rpc.md", "out.json", "out.xml"].map((name) => join(folder, name));
  assert.ok(file && json && junit);
  const cells = [
    "@secret s\ns = eth_getProof 0x1\nexpect $s[0] == 5",
    "eth_getProof $s\nexpect $s contains 7",
  ];
  writeFileSync(file, cells.map((cell) => `\`\`\`rpc\n@network local\n${cell}\n\`\`\`\n`).join("\n"));
  const printed: string[] = [];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await runHeadless({
    args: [file, "--local-node", address, "--json", json, "--junit", junit],
    env: { INFERENCE_BASE_URL: bench.sandbox.baseUrl, INFERENCE_API_KEY: bench.sandbox.apiKey },
    signal: new AbortController().signal,
    print: (line) => void printed.push(line),
    printError: (line) => void printed.push(line),
    startSandbox: () => startTestSandbox(),
  });
  server.closeAllConnections();
  server.close();
  const all = [
    ...printed,
    readFileSync(json, "utf8"),
    readFileSync(junit, "utf8"),
    readFileSync(file, "utf8"),
  ];
  assert.match(all.join("\n"), /is a secret, whose value is not shown/);
  assert.doesNotMatch(all.join("\n"), leaked);
});
