// The files of the command that runs notebooks without an editor: those it reads and those it writes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { exitStatus, runHeadless } from "../../../../src/rpc/cli/command.ts";
import { startTestSandbox, type TestSandbox } from "../../../serviceKit/testSandbox.ts";
import { root } from "../../../tools/paths.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());

function serviceEnv(): NodeJS.ProcessEnv {
  return { INFERENCE_BASE_URL: sandbox.baseUrl, INFERENCE_API_KEY: sandbox.apiKey };
}

async function run(args: readonly string[], onPrint: (line: string) => void = () => {}) {
  const [printed, errors]: [string[], string[]] = [[], []];
  const status = await runHeadless({
    args,
    env: serviceEnv(),
    signal: new AbortController().signal,
    print(line) {
      printed.push(line);
      onPrint(line);
    },
    printError: (line) => void errors.push(line),
    startSandbox: () => startTestSandbox(),
  });
  return { status, printed: printed.join("\n"), errors: errors.join("\n") };
}

const good = "---\nnetwork: ethereum-mainnet\n---\n# Checks\n\n```rpc\neth_chainId\n```\n";

function file(content: string | Uint8Array = good, name = "checks.rpc.md"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Nothing was sent, and the error names the fault. */
async function refused(args: readonly string[], expected: RegExp) {
  const count = sandbox.requestCount;
  const { status, errors } = await run(args);
  assert.equal(status, exitStatus.usage);
  assert.match(errors, expected);
  assert.equal(sandbox.requestCount, count);
}

describe("notebooks", () => {
  test("a folder, a device, other bytes than UTF-8, and a file without requests are refused", async () => {
    await refused([temporaryFolder()], /can't be read: it is a folder/);
    if (process.platform !== "win32") await refused(["/dev/zero"], /can't be read: it is no regular file/);
    await refused([file(new Uint8Array([0xff, 0xfe, 0x41]))], /not UTF-8/);
    for (const content of ["", "# Only text\n", "---\nnetwork: base-mainnet\n---\n"])
      await refused([file(content)], /has no cell with requests/);
    await refused([file(), file("")], /has no cell with requests/);
  });

  test("a notebook that is named twice runs once", async () => {
    const path = file();
    await refused([path, join(path, "..", "checks.rpc.md")], /is named twice/);
  });

  for (const [title, content] of [
    ["a byte order mark", `\ufeff${good}`],
    ["Windows line ends", good.replaceAll("\n", "\r\n")],
    ["both", `\ufeff${good.replaceAll("\n", "\r\n")}`],
    ["no line end at its end", good.trimEnd()],
  ] as const)
    test(`a notebook with ${title} runs, with the line of its cell`, async () => {
      const { status, printed } = await run([file(content)]);
      assert.equal(status, exitStatus.passed);
      assert.match(printed, /checks\.rpc\.md:6 eth_chainId/);
    });
});

describe("options", () => {
  for (const budget of ["", " ", "-1", "1.5", "NaN", "Infinity", "1e3", "0x10", "9".repeat(16)])
    test(`the budget "${budget}" is refused`, () =>
      refused([file(), `--budget=${budget}`], /--budget must be a whole number of credits/));

  test("a budget of 0 sends nothing, and one of 15 digits everything", async () => {
    const count = sandbox.requestCount;
    assert.equal((await run([file(), "--budget", "0"])).status, exitStatus.budget);
    assert.equal(sandbox.requestCount, count);
    assert.equal((await run([file(), "--budget", "9".repeat(15)])).status, exitStatus.passed);
  });

  test("an address of the local node on another machine is refused", () =>
    refused([file(), "--local-node", "http://example.com:8545"], /--local-node must be an address of this/));
});

describe("reports", () => {
  for (const option of ["--junit", "--json"]) {
    test(`${option} in a folder that does not exist, or as a folder, is refused before the run`, async () => {
      await refused([file(), option, join(temporaryFolder(), "none", "out")], /can't be written/);
      await refused([file(), option, temporaryFolder()], /can't be written/);
      await refused([file(), `${option}=`], /can't be written/);
    });

    test(`${option} never replaces a notebook, also not through a link`, async () => {
      const notebook = file();
      await refused([notebook, option, notebook], /would replace/);
      const link = join(temporaryFolder(), "out");
      symlinkSync(notebook, link);
      await refused([notebook, option, link], /would replace/);
      assert.equal(readFileSync(notebook, "utf8"), good);
    });
  }

  test("both reports in one file are refused", () => {
    const out = join(temporaryFolder(), "out");
    return refused([file(), "--junit", out, "--json", out], /--json .* would replace --junit/);
  });

  test("a report that can't be written after the run is reported, and the other is written", async () => {
    const [junit, json] = [join(temporaryFolder(), "out.xml"), join(temporaryFolder(), "out.json")];
    let isFirst = true;
    const replaceByFolder = () => {
      if (!isFirst) return;
      isFirst = false;
      rmSync(junit);
      mkdirSync(junit);
    };
    const { status, printed, errors } = await run(
      [file(), "--junit", junit, "--json", json],
      replaceByFolder,
    );
    assert.match(printed, /1 passed/);
    assert.equal(status, exitStatus.failed);
    assert.match(errors, /--junit .* can't be written/);
    assert.match(readFileSync(json, "utf8"), /"version": 1/);
  });
});

test("closing the output's pipe stops the run, and the report is written", async (t) => {
  // The second cell waits until it is stopped.
  const server = createServer((request, response) => {
    if (request.url?.endsWith("/base-mainnet")) return;
    response.setHeader("content-type", "application/json");
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const json = join(temporaryFolder(), "out.json");
  const cells = ["ethereum-mainnet", "base-mainnet"].map(
    (name) => `\`\`\`rpc\n@network ${name}\neth_chainId\n\`\`\`\n`,
  );
  const child = spawn(
    process.execPath,
    [join(root, "src/rpcRun.ts"), file(cells.join("\n")), "--json", json],
    {
      env: {
        ...process.env,
        INFERENCE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
        INFERENCE_API_KEY: "key",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  t.after(() => child.kill());
  child.stdout.destroy();
  const [[status], errors] = await Promise.all([once(child, "close"), text(child.stderr)]);
  assert.equal(errors, "");
  assert.equal(status, exitStatus.stopped);
  const report = JSON.parse(readFileSync(json, "utf8"));
  assert.deepEqual(
    report.notebooks[0].cells.map((cell: { status: string }) => cell.status),
    ["passed", "failed"],
  );
});
