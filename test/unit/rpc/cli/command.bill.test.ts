// The runner and the notebook send the same requests for the same credits, and evaluate the cells alike.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { runHeadless } from "../../../../src/rpc/cli/command.ts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { networksInHead, readDocument } from "../../../../src/rpc/file/readDocument.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { isFine, toOutput } from "../../../../src/rpc/run/output.ts";
import { randomCases } from "../../../runner/cases.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { type Bench, openBench, projectOf } from "../notebook.ts";

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const address = "0x00000000000000000000000000000000000000aa";
const lines = fc.constantFrom(
  "a = eth_chainId",
  "b = eth_gasPrice",
  `c = eth_getBalance ${address} latest`,
  "eth_getTransactionCount vitalik.eth latest",
  "eth_call nonsense",
  "trace_block nonsense",
  "eth_feeHistory 4 latest [25, 75]",
  "eth_getBlockByNumber $a false",
  "expect $a == 1",
  "expect $b < 1 wei",
  "expect $c >= 0 ether",
  "expect error",
  "expect cost <= 40 credits",
);
const cell = fc
  .tuple(
    fc.constantFrom(
      "",
      "@order serial\n",
      "@network base-mainnet ethereum-mainnet\n",
      "@lookup tokens names\n",
    ),
    fc.array(lines, { minLength: 1, maxLength: 5 }),
  )
  .map(([head, all]) => head + all.join("\n"));
const file = join(temporaryFolder(), "same.rpc.md");

/** The requests that a run sends, without the ids that identify a request. */
async function sentBy(run: () => Promise<unknown>): Promise<readonly string[]> {
  const from = bench.sandbox.requestCount;
  await run();
  const count = bench.sandbox.requestCount - from;
  const paid = (count === 0 ? [] : bench.sandbox.requests.slice(-count)).filter(
    ({ method }) => method === "POST",
  );
  return paid.map(({ path, bodyText }) => `${path} ${bodyText}`);
}

test("random notebooks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 4 }), async (cells) => {
      const text = `---\nnetwork: ethereum-mainnet\n---\n\n${cells.map((one) => `\`\`\`rpc\n${one}\n\`\`\`\n`).join("\n")}`;
      writeFileSync(file, text);
      const printed: string[] = [];
      const json = `${file}.json`;
      const headless = await sentBy(() =>
        runHeadless({
          args: [file, "--json", json],
          env: { INFERENCE_BASE_URL: bench.sandbox.baseUrl, INFERENCE_API_KEY: bench.sandbox.apiKey },
          signal: new AbortController().signal,
          print: (line) => void printed.push(line),
          printError: (line) => void printed.push(line),
          startSandbox: () => assert.fail("not needed"),
        }),
      );
      const { head, cells: read } = readDocument(text);
      const requests = read.filter(({ kind }) => kind === "request");
      const project = projectOf(requests, networksInHead(head));
      const verdicts: string[] = [];
      let credits = 0;
      const notebook = await sentBy(async () => {
        for (const index of requests.keys()) {
          if (diagnose(project, index, evm).some(({ refuses }) => refuses)) verdicts.push("FAIL");
          else {
            const output = toOutput(await bench.run(project, index), {
              ...{ runId: "1", evm, service: "Test", isSandbox: false },
            });
            verdicts.push(isFine(output) ? "ok" : "FAIL");
            credits += output.total.credits;
          }
        }
        bench.deps.values.clear();
      });
      assert.deepEqual(headless, notebook);
      assert.deepEqual(
        printed.slice(0, -1).map((line) => line.split(" ")[0]),
        verdicts,
        text,
      );
      assert.ok(printed.at(-1)?.includes(` ${credits} credits`), printed.at(-1));
    }),
    { numRuns: randomCases(40) },
  );
});
