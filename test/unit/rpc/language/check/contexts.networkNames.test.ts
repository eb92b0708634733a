// A cell whose network is named, but can't be used, runs nowhere: never on another network.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exitStatus, runHeadless } from "../../../../../src/rpc/cli/command.ts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readCellInfo, writeInfo } from "../../../../../src/rpc/file/fence.ts";
import {
  environmentInHead,
  networksInHead,
  readDocument,
  withEnvironment,
  withNetworks,
} from "../../../../../src/rpc/file/readDocument.ts";
import { hover } from "../../../../../src/rpc/language/assist/hover.ts";
import { diagnose, refusalOf } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import type { Environments } from "../../../../../src/rpc/language/environment/environments.ts";
import { networksOfCell, type Project } from "../../../../../src/rpc/language/project.ts";
import { startRun } from "../../../../../src/rpc/run/cellRun.ts";
import { Values } from "../../../../../src/rpc/run/expect/values.ts";
import { estimateCell, estimateSimulation } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { planCellRun, planRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { startTestSandbox, type TestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { type CellText, environmentsOf, projectOf } from "../../notebook.ts";

const slug = "base-mainnet";
/** In parts, so that no scanner takes it for one. */
const serviceKey = ["sk", "abcdefghijklmnopqrst"].join("-");
const secretNames = ["AUTH_NET", "PRIVATE_CHAIN", "KEY_NET", "SECRET_NET", "NET_KEY", "apiSecret"];

/** Environments of which each has a reason that the variable names no network. */
const unusable: readonly (readonly [reason: string, name: string, Environments])[] = [
  ...secretNames.map((name): readonly [string, string, Environments] => [
    `${name} says secret`,
    name,
    environmentsOf({ e: `${name}=${slug}\nOTHER=${slug}` }, { chosen: "e" }),
  ]),
  ["the value looks secret", "NET", environmentsOf({ e: `NET=${serviceKey}` }, { chosen: "e" })],
  ["the value is empty", "NET", environmentsOf({ e: "NET=" }, { chosen: "e" })],
  ["the variable is missing", "NET", environmentsOf({ e: "OTHER=1" }, { chosen: "e" })],
  ["no environment is chosen", "NET", environmentsOf({})],
  ["the file is being read", "NET", environmentsOf({}, { chosen: "e" })],
  [
    "the file can't be read",
    "NET",
    { ...environmentsOf({}, { chosen: "e" }), files: new Map([["e", { problem: "Gone" }]]) },
  ],
  ["the value is no network", "NET", environmentsOf({ e: "NET=nowhere" }, { chosen: "e" })],
];

const json = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const cells: readonly (readonly [string, (name: string) => CellText])[] = [
  ["lines", (name) => ({ text: `@network {{${name}}}\neth_chainId` })],
  ["a comparison", (name) => ({ text: `@network ethereum-mainnet {{${name}}}\neth_chainId` })],
  [
    "a second directive",
    (name) => ({ text: `@network ethereum-mainnet\n@network {{${name}}}\neth_chainId` }),
  ],
  ["a write", (name) => ({ text: `@network {{${name}}}\nsend 0x02` })],
  ["a watch", (name) => ({ text: `@network {{${name}}}\n@watch logs\nlogs _` })],
  ["serial lines", (name) => ({ text: `@order serial\n@network {{${name}}}\neth_chainId\neth_gasPrice` })],
  ["JSON", (name) => ({ text: `@network {{${name}}}\n${json}` })],
  ["a batch of JSON", (name) => ({ text: `@network {{${name}}}\n[${json}]` })],
  [
    "a fence that names one",
    (name) => ({ text: `@network {{${name}}}\neth_chainId`, facts: { networks: ["ethereum-mainnet"] } }),
  ],
];

function refusedEverywhere(project: Project, title: string): void {
  const one = project.cells[0] ?? assert.fail();
  const networks = networksOfCell(project, one);
  const isNowhere = networks.length === 0 || networks.some((network) => !project.offered.includes(network));
  assert.ok(isNowhere, `${title}: ${networks}`);
  assert.match(refusalOf(project, 0, evm) ?? "not refused", /^Nothing was sent\./, title);
  if (networks.length > 0) return;
  assert.equal(estimateCell(planCell(project, 0)).credits, 0, title);
  assert.equal(estimateSimulation(planCell(project, 0), true).credits, 0, title);
  assert.deepEqual(startRun(planCellRun(project, 0), 0).rounds, [], title);
  assert.deepEqual(
    planRun(project, [0], new Values()).map(({ cell }) => cell),
    [0],
    title,
  );
  assert.doesNotMatch(
    hover(project, 0, one.cell.text.indexOf("eth_") + 1)?.lines.join("\n") ?? "",
    /free|mainnet/,
    title,
  );
}

for (const [reason, name, environments] of unusable)
  test(`no cell runs if ${reason}`, () => {
    for (const on of [[], ["ethereum-mainnet"]])
      for (const [form, cellOf] of cells)
        refusedEverywhere({ ...projectOf([cellOf(name)], on), environments }, `${form}, ${on}`);
  });

test("the sentence names the variable, the rule and the step, in the first line that a reader sees", () => {
  const project = (name: string, value: string) => ({
    ...projectOf([`eth_chainId\n@network {{${name}}}`]),
    environments: environmentsOf({ e: `${name}=${value}` }, { chosen: "e" }),
  });
  assert.equal(
    refusalOf(project("AUTH_NET", slug), 0, evm),
    "Nothing was sent.\nLine 2: {{AUTH_NET}} can't name the network, because a variable with this name is secret. Rename the variable, for example to NETWORK, or write the name of the network here",
  );
  assert.equal(refusalOf(project("AUTH_NET", "local"), 0, evm), refusalOf(project("AUTH_NET", slug), 0, evm));
  assert.equal(
    refusalOf(project("NET", serviceKey), 0, evm),
    "Nothing was sent.\nLine 2: {{NET}} can't name the network, because its value looks like a secret. Correct the value, or write the name of the network here",
  );
});

test("one network for all cells takes the place of what they name", () => {
  const environments = environmentsOf({ e: `AUTH_NET=${slug}` }, { chosen: "e" });
  const project = {
    ...projectOf(["@network {{AUTH_NET}}\neth_chainId"]),
    environments,
    onlyNetwork: "local",
  };
  assert.deepEqual(networksOfCell(project, project.cells[0] ?? assert.fail()), ["local"]);
  assert.equal(refusalOf(project, 0, evm), undefined);
  // It has to be one itself, also for a cell with a network of its own.
  for (const onlyNetwork of ["", "nowhere"])
    assert.match(
      refusalOf({ ...projectOf(["@network base-mainnet\neth_chainId"]), onlyNetwork }, 0, evm) ?? "",
      /is not a network of this service/,
    );
});

test("no other directive takes a variable for its default", () => {
  const environments = environmentsOf({ e: "X=1" }, { chosen: "e" });
  for (const word of ["env", "every", "times", "budget", "order", "abi", "watch", "lookup", "view", "allow"])
    for (const more of ["", "@every 5s\n"]) {
      const text = `${more}@${word} {{X}}\nlogs _`;
      assert.ok(refusalOf({ ...projectOf([text]), environments }, 0, evm), text);
    }
});

describe("the front matter", () => {
  const forms: readonly (readonly [head: string, networks: readonly string[]])[] = [
    ["network: base-mainnet", [slug]],
    ["network: base-mainnet # the chain", [slug]],
    ['"network": "base-mainnet"', [slug]],
    ["'network' : 'base-mainnet'", [slug]],
    ["network: [base-mainnet, base-sepolia]", [slug, "base-sepolia"]],
    ["network: [\n  base-mainnet,\n  base-sepolia\n]", [slug, "base-sepolia"]],
    ["network:\n  - base-mainnet\n  - base-sepolia # test", [slug, "base-sepolia"]],
    ["network:\n- base-mainnet\n- base-sepolia", [slug, "base-sepolia"]],
    ["network:\n  base-mainnet", [slug]],
    ["network:\n\n  # below\n  - base-mainnet", [slug]],
    ["networks: [base-mainnet]", [slug]],
    ["networks:\n  - base-mainnet", [slug]],
    ["title: one --- two\nnetwork: base-mainnet", [slug]],
    ["network:\ntitle: x\ntags:\n  - base-sepolia", []],
    ["title: x", []],
  ];
  for (const [head, networks] of forms)
    test(JSON.stringify(head), () => {
      for (const eol of ["\n", "\r\n"]) {
        const text = `---\n${head}\nafter: 1\n---\n`.replaceAll("\n", eol);
        assert.deepEqual(networksInHead(readDocument(text).head), networks);
        const changed = withNetworks(text, ["linea-mainnet"]);
        assert.deepEqual(networksInHead(changed), ["linea-mainnet"]);
        assert.match(changed, /(?:^|\r?\n)after: 1\r?\n---\r?\n$/);
        assert.deepEqual(changed.match(/[^\r]\n/g) === null, eol === "\r\n");
        if (networks.length > 0) assert.doesNotMatch(changed, /base-/);
      }
    });

  test("a form that is not understood is refused, and not the default network", () => {
    for (const head of [
      "network: {{NET}}",
      "network: {{ NET }}",
      "network: >-\n  base-mainnet",
      "network:\n  name: base-mainnet",
      "network: null",
      "network: Base",
    ]) {
      const on = networksInHead(`---\n${head}\n---\n`);
      assert.ok(refusalOf(projectOf(["eth_chainId"], on), 0, evm), head);
    }
    const [first] = diagnose(projectOf(["eth_chainId"], networksInHead("---\nnetwork: {{NET}}\n---\n")), 0);
    assert.match(first?.message ?? "", /Write @network \{\{NAME\}\} in the cell/);
  });

  test("an environment with an impossible name is that of no other", () => {
    for (const [head, name] of [
      ["env: prod.eu", "prod.eu"],
      ["env: {{ENV}}", "{{ENV}}"],
      ["env: ../../secret", "../../secret"],
      ["env:\n  - staging", "staging"],
      ["env: staging", "staging"],
      ["title: x", undefined],
    ] as const)
      assert.equal(environmentInHead(`---\n${head}\n---\n`), name);
    assert.equal(withEnvironment("---\nenv:\n  - a\n---\n", "b"), "---\nenv: b\n---\n");
  });

  test("a fence may name its networks in the plural, and is written in the singular", () => {
    assert.deepEqual(readCellInfo("rpc networks=base-mainnet, base-sepolia"), {
      networks: [slug, "base-sepolia"],
    });
    assert.equal(
      writeInfo("rpc networks=base-mainnet x=1", { networks: ["linea-mainnet"] }),
      "rpc network=linea-mainnet x=1",
    );
  });
});

describe("the runner without an editor", () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await startTestSandbox();
  });
  after(() => sandbox.close());

  async function run(head: string, cell: string, args: readonly string[] = []) {
    const folder = temporaryFolder();
    const file = join(folder, "a.rpc.md");
    writeFileSync(join(folder, "e.rpc.env"), "AUTH_NET=ethereum-sepolia\n");
    writeFileSync(file, `---\n${head}\n---\n\n\`\`\`rpc\n${cell}\n\`\`\`\n`);
    const lines: string[] = [];
    const count = sandbox.requests.filter(({ path }) => path.includes("/rpc/")).length;
    const status = await runHeadless({
      args: [file, ...args],
      env: { INFERENCE_BASE_URL: sandbox.baseUrl, INFERENCE_API_KEY: sandbox.apiKey },
      signal: new AbortController().signal,
      print: (line) => void lines.push(line),
      printError: (line) => void lines.push(line),
      startSandbox: () => startTestSandbox(),
    });
    const sent = sandbox.requests.filter(({ path }) => path.includes("/rpc/")).length - count;
    return { status, sent, printed: lines.join("\n") };
  }

  test("sends nothing to another chain, with and without a network in the front matter, and no write", async () => {
    for (const head of ["env: e", "env: e\nnetwork: ethereum-mainnet"])
      for (const cell of ["eth_chainId", json, "zks_sendRawTransactionWithDetailedOutput 0x71"]) {
        const { status, sent, printed } = await run(head, `@network {{AUTH_NET}}\n${cell}`, [
          "--allow-writes",
        ]);
        assert.deepEqual([status, sent], [exitStatus.failed, 0], printed);
        assert.match(printed, /\{\{AUTH_NET\}\} can't name the network/);
      }
  });

  test("does not take another environment for one that can't be used", async () => {
    const { status, sent, printed } = await run("env: prod.eu", "eth_getBalance {{WHO}} latest");
    assert.deepEqual([status, sent], [exitStatus.failed, 0]);
    assert.match(printed, /“prod\.eu” can't be the name of an environment/);
  });
});
