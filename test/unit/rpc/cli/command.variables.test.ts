// Variables of notebooks that run without an editor: from files, arguments and the environment of the process.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exitStatus, runHeadless } from "../../../../src/rpc/cli/command.ts";
import {
  foldersUpTo,
  listEnvironments,
  readEnvironment,
} from "../../../../src/rpc/run/inputs/readEnvironment.ts";
import { startTestSandbox, type TestSandbox } from "../../../serviceKit/testSandbox.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());

const address = "0x00000000000000000000000000000000000000aa";

interface Given {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly files?: Readonly<Record<string, string>>;
  readonly head?: string;
}

async function run(cell: string, { args = [], env = {}, files = {}, head = "network: base-mainnet" }: Given) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const file = join(folder, "checks.rpc.md");
  writeFileSync(file, `---\n${head}\n---\n\n\`\`\`rpc\n${cell}\n\`\`\`\n`);
  const lines: string[] = [];
  const json = join(folder, "out.json");
  const count = sandbox.requestCount;
  const status = await runHeadless({
    args: [file, "--json", json, ...args],
    env: { INFERENCE_BASE_URL: sandbox.baseUrl, INFERENCE_API_KEY: sandbox.apiKey, ...env },
    signal: new AbortController().signal,
    print: (line) => void lines.push(line),
    printError: (line) => void lines.push(line),
    startSandbox: () => startTestSandbox(),
  });
  return { status, printed: lines.join("\n"), sent: sandbox.requestCount - count };
}

describe("a notebook without an editor", () => {
  const cell = "eth_getBalance {{WHO}} latest";

  test("reads the file beside it that @env names", async () => {
    const { status } = await run(`@env staging\n${cell}`, { files: { "staging.rpc.env": `WHO=${address}` } });
    assert.equal(status, exitStatus.passed);
  });

  test("reads the file that its front matter names, and takes the network from it", async () => {
    const files = { "staging.rpc.env": `WHO=${address}\nNET=base-sepolia` };
    const { status } = await run(`@network {{NET}}\n${cell}`, { files, head: "env: staging" });
    assert.equal(status, exitStatus.passed);
    assert.match(sandbox.requests.at(-1)?.path ?? "", /base-sepolia$/);
  });

  test("takes --env before the environment of the process, and both before files", async () => {
    const files = { "staging.rpc.env": "NET=a\nOTHER=b" };
    const { status } = await run("@env staging\n@network {{NET}} {{OTHER}}\neth_chainId", {
      files,
      args: ["--env", "NET=base-mainnet"],
      env: { INFERENCE_ENV_NET: "b", INFERENCE_ENV_OTHER: "base-sepolia" },
    });
    assert.equal(status, exitStatus.passed);
  });

  test("an unknown variable stops its cell, and names the environment and its file", async () => {
    const { status, printed, sent } = await run(`@env staging\neth_chainId\n${cell}`, {
      files: { "staging.rpc.env": "WHOM=1" },
    });
    assert.equal(status, exitStatus.failed);
    assert.match(
      printed,
      /Line 8: \{\{WHO\}\} is not defined in the environment staging \(.*staging\.rpc\.env\)/,
    );
    assert.equal(sent, 0);
  });

  test("a missing file is reported with the places where it was searched", async () => {
    const { printed, sent } = await run(`@env prod\n${cell}`, {});
    assert.match(printed, /No file was found for the environment\. Looked for .*prod\.rpc\.env/);
    assert.equal(sent, 0);
  });

  test("--environment chooses for cells without @env, in place of the front matter", async () => {
    const files = {
      "prod.rpc.env": "NET=base-mainnet",
      "staging.rpc.env": "NET=base-sepolia",
      "own.rpc.env": "NET=polygon-mainnet",
    };
    const line = "@network {{NET}}\neth_chainId";
    const sentTo = async (cell: string, head: string) => {
      const { status } = await run(cell, { files, head, args: ["--environment", "staging"] });
      assert.equal(status, exitStatus.passed);
      return sandbox.requests.at(-1)?.path.split("/").at(-1);
    };
    assert.equal(await sentTo(line, "network: base-mainnet"), "base-sepolia");
    assert.equal(await sentTo(line, "env: prod"), "base-sepolia");
    assert.equal(await sentTo(`@env own\n${line}`, "env: prod"), "polygon-mainnet");
  });

  const unknown: readonly (readonly [string, string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      "no file",
      "stagin",
      { "staging.rpc.env": "A=1", "prod.rpc.env": "A=1" },
      /--environment stagin can't be used for .*checks\.rpc\.md\. No file was found.*stagin\.rpc\.env.* Environments that are there: prod, staging\./,
    ],
    ["no file, and there is no other", "staging", {}, /that are there: none\./],
    ["a name of an object's member and no file", "constructor", {}, /constructor can't be used/],
    ["a path", "../prod", {}, /--environment must be the name of a file NAME\.rpc\.env, .*"\.\.\/prod"/],
  ];
  for (const [title, name, files, expected] of unknown)
    test(`--environment with ${title} sends nothing and names the known ones`, async () => {
      const { status, printed, sent } = await run("eth_chainId", { files, args: ["--environment", name] });
      assert.equal(status, exitStatus.usage);
      assert.match(printed, expected);
      assert.equal(sent, 0);
    });

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    [
      "a secret by its name",
      "PRIVATE_KEY=0x12345678",
      /--env PRIVATE_KEY looks like a secret.*INFERENCE_ENV_PRIVATE_KEY/,
    ],
    ["a secret by its form", `X=${"word ".repeat(12).trim()}`, /--env X looks like a secret/],
    ["no value", "hunter2", /--env takes a name and a value/],
  ];
  for (const [title, arg, expected] of wrong)
    test(`--env with ${title} is refused, and not repeated`, async () => {
      const { status, printed, sent } = await run(cell, { args: ["--env", arg] });
      assert.equal(status, exitStatus.usage);
      assert.match(printed, expected);
      assert.doesNotMatch(printed, /0x12345678|word word|hunter2/);
      assert.equal(sent, 0);
    });

  test("a secret of the process is in no line and no report", async () => {
    const env = { INFERENCE_ENV_API_SECRET: `0x${"ab".repeat(32)}` };
    const { printed, sent } = await run(
      "eth_getBalance {{API_SECRET}} latest\neth_call { data: {{API_SECRET}} } latest",
      { env },
    );
    assert.equal(sent, 1);
    assert.doesNotMatch(printed, /abab/);
  });
});

describe("files of environments", () => {
  const shown = (file: string) => file;

  test("the nearest folder with the file is used, up to the root", async () => {
    const root = temporaryFolder();
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    assert.deepEqual(foldersUpTo(deep, root), [deep, join(root, "a"), root]);
    assert.deepEqual(foldersUpTo(root, deep), [root]);
    writeFileSync(join(root, "x.rpc.env"), "A=1");
    writeFileSync(join(root, "a", "x.rpc.env"), "A=2");
    const file = await readEnvironment("x", foldersUpTo(deep, root), shown);
    assert.ok("variables" in file && file.variables.get("A")?.value === "2");
    assert.deepEqual(await listEnvironments(foldersUpTo(deep, root)), ["x"]);
  });

  test("links out of the root, folders and large files are refused with the reason", async () => {
    const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(elsewhere, "outside.env"), "A=1");
    symlinkSync(join(elsewhere, "outside.env"), join(root, "link.rpc.env"));
    mkdirSync(join(root, "folder.rpc.env"));
    writeFileSync(join(root, "large.rpc.env"), "#".repeat(262_145));
    const problems = await Promise.all(
      ["link", "folder", "large"].map(async (name) => {
        const file = await readEnvironment(name, [root], shown);
        return "problem" in file ? file.problem : "";
      }),
    );
    assert.deepEqual(problems, [
      "link.rpc.env is a link to a file outside of the workspace",
      "folder.rpc.env is not a regular file",
      "large.rpc.env has more than 256 KB",
    ]);
  });
});
