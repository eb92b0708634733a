// The command that runs notebooks without an editor, before a real HTTP service.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { SaxesParser } from "saxes";
import { exitStatus, runHeadless } from "../../../../src/rpc/cli/command.ts";
import { junitReport } from "../../../../src/rpc/cli/reports.ts";
import type { RpcOutput } from "../../../../src/rpc/output/rpcOutput.ts";
import { startTestSandbox, type TestSandbox } from "../../../serviceKit/testSandbox.ts";
import { root } from "../../../tools/paths.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
afterEach(() => sandbox.setFaults([]));

interface Ended {
  readonly status: number;
  readonly printed: string;
  readonly errors: string;
}

interface Given {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

function serviceEnv(): NodeJS.ProcessEnv {
  return { INFERENCE_BASE_URL: sandbox.baseUrl, INFERENCE_API_KEY: sandbox.apiKey };
}

async function run(
  files: readonly string[],
  { args = [], env = serviceEnv(), signal }: Given = {},
): Promise<Ended> {
  const [printed, errors]: string[][] = [[], []];
  const status = await runHeadless({
    args: [...files, ...args],
    env,
    signal: signal ?? new AbortController().signal,
    print: (line) => void printed?.push(line),
    printError: (line) => void errors?.push(line),
    startSandbox: () => startTestSandbox({ dialect: "venice" }),
  });
  return { status, printed: (printed ?? []).join("\n"), errors: (errors ?? []).join("\n") };
}

/** A file with these cells; `head` is its front matter. */
function notebook(cells: readonly string[], head = "network: ethereum-mainnet"): string {
  const file = join(temporaryFolder(), "checks.rpc.md");
  const blocks = cells.map((cell) => `\`\`\`rpc\n${cell}\n\`\`\`\n`);
  writeFileSync(file, `---\n${head}\n---\n# Checks\n\n${blocks.join("\nText.\n\n")}`);
  return file;
}

describe("cells", () => {
  test("all pass: each with its line in the file, its credits, and the sum", async () => {
    const { status, printed } = await run([
      notebook(["head = eth_blockNumber", "eth_getBlockByNumber $head false"]),
    ]);
    assert.equal(status, exitStatus.passed);
    assert.match(printed, /^ok {3}\S+checks\.rpc\.md:6 head = eth_blockNumber \(20 credits, /m);
    assert.match(printed, /checks\.rpc\.md:12 eth_getBlockByNumber \$head false/);
    assert.match(printed, /^2 passed, 0 failed, 0 skipped · 40 credits · \$0\.\d+$/m);
  });

  test("with an idempotency key is replayed in a second run, at no cost", async () => {
    const file = notebook(["@idempotency run-7\neth_chainId\neth_blockNumber"]);
    assert.match((await run([file])).printed, /\(40 credits, \d+ ms\)/);
    const { status, printed } = await run([file]);
    assert.equal(status, exitStatus.passed);
    assert.match(printed, /\(0 credits, \d+ ms, replayed, not charged\)/);
    assert.match(printed, /· 0 credits ·/);
    const other = await run([notebook(["@idempotency run-7\neth_gasPrice"])]);
    assert.equal(other.status, exitStatus.failed);
    assert.match(other.printed, /the key run-7 of @idempotency belongs to another request/);
  });

  test("one fails, the others run, and cells that need its result say so", async () => {
    const { status, printed } = await run([
      notebook(["n = trace_block nonsense", "eth_getBlockByNumber $n false", "eth_chainId"]),
    ]);
    assert.equal(status, exitStatus.failed);
    assert.match(printed, /1 passed, 2 failed, 0 skipped/);
    assert.match(printed, /\$n/);
  });

  test("a cell with an error in its text sends nothing and names the line", async () => {
    const count = sandbox.requestCount;
    const { status, printed } = await run([notebook(["eth_chainId\neth_getBalance $nobody latest"])]);
    assert.equal(status, exitStatus.failed);
    assert.match(printed, /Nothing was sent\.\n +Line 8: .*nobody/);
    assert.equal(sandbox.requestCount, count);
  });

  test("a method that changes a chain is sent only with --allow-writes", async () => {
    const file = notebook(["eth_sendRawTransaction 0x02f8"]);
    const count = sandbox.requestCount;
    const refused = await run([file]);
    assert.equal(refused.status, exitStatus.failed);
    assert.match(refused.printed, /eth_sendRawTransaction changes the chain\. Add --allow-writes/);
    assert.equal(sandbox.requestCount, count);
    const allowed = await run([file], { args: ["--allow-writes"] });
    assert.doesNotMatch(allowed.printed, /--allow-writes/);
  });

  test("--network replaces the networks of the file and of its cells", async () => {
    const { status } = await run([notebook(["@network base-mainnet polygon-mainnet\neth_chainId"])], {
      args: ["--network", "ethereum-sepolia"],
    });
    assert.equal(status, exitStatus.passed);
    assert.match(sandbox.requests.at(-1)?.path ?? "", /ethereum-sepolia$/);
  });

  test("Ctrl+C skips the other cells and still reports", async () => {
    const stop = new AbortController();
    sandbox.setFaults([{ kind: "slow-headers", ms: 60_000 }]);
    void sandbox.nextRequest({ method: "POST" }).then(() => stop.abort());
    const { status, printed } = await run([notebook(["eth_chainId", "eth_gasPrice"])], {
      signal: stop.signal,
    });
    assert.equal(status, exitStatus.stopped);
    assert.match(printed, /0 passed, 1 failed, 1 skipped/);
  });
});

describe("the budget", () => {
  test("a cell that does not fit is not sent; the report says what ran", async () => {
    const { status, printed } = await run([notebook(["eth_chainId", "trace_block latest", "eth_chainId"])], {
      args: ["--budget", "50"],
    });
    assert.equal(status, exitStatus.budget);
    // The last one fits.
    assert.match(printed, /2 passed, 0 failed, 1 skipped · 40 credits/);
    assert.match(printed, /costs up to 40 credits, and 30 of the budget of 50 are left/);
  });

  test("requests whose number is unknown before the run stay within it", async () => {
    const hash = `0x${"ab".repeat(32)}`;
    const { status, printed } = await run([notebook([`wait ${hash}`])], { args: ["--budget", "20"] });
    assert.equal(status, exitStatus.budget);
    assert.match(printed, /could exceed the budget of 20 credits/);
  });
});

describe("wrong usage sends nothing and names the fault", () => {
  const cases: readonly (readonly [string, Given & { readonly files?: readonly string[] }, RegExp])[] = [
    ["no file", { files: [] }, /No notebook is named/],
    ["a missing file", { files: ["nothing.rpc.md"] }, /nothing\.rpc\.md can't be read/],
    ["an unknown option", { args: ["--fast"] }, /--fast/],
    ["a budget that is no number", { args: ["--budget", "ten"] }, /--budget must be a whole number.*"ten"/],
    ["no address", { env: {} }, /INFERENCE_BASE_URL is not set/],
    ["no key", { env: { INFERENCE_BASE_URL: "https://a.example" } }, /INFERENCE_API_KEY is not set/],
    [
      "an address that would send the key unencrypted",
      { env: { INFERENCE_BASE_URL: "http://a.example", INFERENCE_API_KEY: "k" } },
      /unencrypted/,
    ],
  ];
  for (const [title, { files, ...given }, expected] of cases)
    test(title, async () => {
      const count = sandbox.requestCount;
      const { status, errors } = await run(files ?? [notebook(["eth_chainId"])], given);
      assert.equal(status, exitStatus.usage);
      assert.match(errors, expected);
      assert.equal(sandbox.requestCount, count);
    });

  test("the key is in no output", async () => {
    sandbox.setFaults([{ kind: "status", status: 401 }]);
    const { printed, errors } = await run([notebook(["eth_chainId"])]);
    assert.doesNotMatch(printed + errors, new RegExp(sandbox.apiKey));
  });
});

test("--sandbox runs each notebook of the gallery, polling cells once", async () => {
  const gallery = join(root, "media", "notebooks");
  const folder = temporaryFolder();
  const files = readdirSync(gallery).map((name) => {
    const text = readFileSync(join(gallery, name), "utf8");
    writeFileSync(join(folder, name), text.replaceAll(/^@(?:every|times|budget) .*\n/gm, ""));
    return join(folder, name);
  });
  const { status, printed, errors } = await run(files, { args: ["--sandbox"], env: {} });
  assert.equal(status, 0, printed + errors);
  assert.match(printed, /10-solana/);
});

test("--sandbox needs no account and says play money", async () => {
  const { status, printed } = await run([notebook(["eth_chainId"])], { args: ["--sandbox"], env: {} });
  assert.equal(status, exitStatus.passed);
  assert.match(printed, /\$[\d.]+ play money/);
});

describe("reports", () => {
  test("JSON keeps integers exact, JUnit counts and escapes", async () => {
    const folder = temporaryFolder();
    const [junit, json] = [join(folder, "out.xml"), join(folder, "out.json")];
    const file = notebook(["total = eth_blockNumber", "trace_block nonsense"]);
    await run([file], { args: ["--junit", junit, "--json", json] });
    const xml = readFileSync(junit, "utf8");
    assert.match(xml, /<testsuites name="RPC notebooks" tests="2" failures="1" errors="0" skipped="0"/);
    // The line is that of the file.
    assert.match(xml, /<failure message="Line 13: error /);
    assert.match(xml, /name="Checks: trace_block nonsense" [^>]*line="12"/);
    const report = JSON.parse(readFileSync(json, "utf8"));
    assert.equal(report.notebooks[0].cells[1].status, "failed");
    assert.equal(report.notebooks[0].cells[0].output.lines[0].name, "total");
    assert.equal(report.totals.credits, 25);
  });

  test("JUnit has a test for each expectation, with its line in the file and why it is not met", async () => {
    const junit = join(temporaryFolder(), "out.xml");
    const cells = [
      "id = eth_chainId\nexpect $id == 1\nexpect $id == 2",
      "bad = trace_block nonsense\nexpect $bad == 1",
      "eth_chainId\nexpect $missing == 1",
    ];
    const { printed } = await run([notebook(cells)], { args: ["--junit", junit] });
    assert.match(printed, /FAIL \S+:6 id = eth_chainId \(1 of 2 expectations met, 20 credits/);
    assert.match(printed, /^ {5}Line 9: expect \$id == 2: not met: expected == 2, actual /m);
    const xml = readFileSync(junit, "utf8");
    const cases = [
      ...xml.matchAll(/<testcase name="([^"]*)"[^>]* line="(\d+)"[^>]*?(\/>|>)(<\w+ message="[^"]{0,22})?/g),
    ];
    assert.deepEqual(
      cases.map(([, name, line, , why = ""]) => `${line} ${name} ${why}`.trim()),
      [
        "6 Checks: id = eth_chainId",
        "8 Checks: expect $id == 1",
        '9 Checks: expect $id == 2 <failure message="not met: expected == 2',
        '14 Checks: bad = trace_block nonsense <failure message="Line 15: error -32602:',
        '16 Checks: expect $bad == 1 <failure message="not met: $bad has no r',
        '21 Checks: eth_chainId <failure message="Nothing was sent.&#10;',
        '23 Checks: expect $missing == 1 <skipped message="not checked: Nothing w',
      ],
    );
    assert.match(xml, /tests="7" failures="4" errors="0" skipped="1"/);
  });

  test("advice names the options of the command", async () => {
    const { printed } = await run([notebook(["eth_getBalance {{WHO}} latest"])]);
    assert.match(printed, /Write @env NAME above, or add --environment NAME/);
    const dead = await run([notebook(["eth_chainId"], "network: local")], {
      args: ["--local-node", "http://127.0.0.1:9"],
    });
    assert.match(dead.printed, /The option --local-node changes the address/);
    assert.equal(dead.printed.match(/The option --local-node/g)?.length, 1);
    assert.doesNotMatch(dead.printed, /inference\.rpc/);
  });

  test("text of a node can't break the XML", () => {
    const reason = `</failure>]]>&"'\u0000\ud800\u001b[31m\n`;
    const cell = { cell: 1, line: 1, title: reason, reason, ms: 1, credits: 0, usd: 0, checks: [] };
    const line = {
      ...{ key: "1", network: "local", line: 0, source: reason, method: "eth_call" },
      outcome: { kind: "error", code: 3, message: reason },
    } as const;
    const total = { credits: 0, usd: 0, estimatedCredits: 0, ms: 1 };
    const output: RpcOutput = {
      ...{ version: 1, runId: "1", atMs: 0, done: true, networks: [], calls: [], total },
      lines: [line],
    };
    const xml = junitReport([{ file: reason, cells: [{ ...cell, output, status: "failed" }] }]);
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on("error", (error) => assert.fail(error));
    parser.on("text", (part) => void texts.push(part));
    parser.write(xml).close();
    assert.match(texts.join(""), /<\/failure>\]\]>&"'\ufffd\ufffd\ufffd\[31m/);
  });
});
