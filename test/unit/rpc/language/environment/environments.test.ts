import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { complete } from "../../../../../src/rpc/language/assist/complete.ts";
import { hover } from "../../../../../src/rpc/language/assist/hover.ts";
import { diagnose, refusalOf } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { variableOf } from "../../../../../src/rpc/language/environment/envFile.ts";
import type { Environments } from "../../../../../src/rpc/language/environment/environments.ts";
import { definitionsIn, networksOfCell, type Project } from "../../../../../src/rpc/language/project.ts";
import { storedName } from "../../../../../src/rpc/run/expect/values.ts";
import { outputText, toOutput } from "../../../../../src/rpc/run/output.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
// Variables of an environment in cells: values of the language, never its source text.
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../../src/rpc/run/runCell.ts";
import { parseExact } from "../../../../../src/shared/text/json/exactJson.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { type Bench, environmentsOf, openBench, projectOf } from "../../notebook.ts";

const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const staging = `TOKEN=${token}\nAMOUNT=0.1 ether\nCOUNT=5\nFULL=false\nBLOCK=latest\nNETWORK=base-sepolia\nNAME="a b"`;

function notebook(
  cells: readonly string[],
  environments: Environments = environmentsOf({ staging }),
): Project {
  return { ...projectOf(cells), environments };
}

function bodyOf(cell: string, environments?: Environments): unknown {
  const { text, unknown } = wireOf(notebook([cell], environments), 0, evm, () => undefined);
  return {
    params: (parseExact(text) as { params: unknown }).params,
    ...(unknown.length > 0 ? { unknown } : {}),
  };
}

function messages(cells: readonly string[], environments?: Environments, index = 0): readonly string[] {
  return diagnose(notebook(cells, environments), index, evm).map(({ message }) => message);
}

describe("values", () => {
  const cases: readonly (readonly [string, string, unknown])[] = [
    ["hex", "eth_getBalance {{TOKEN}} latest", [token, "latest"]],
    ["a word", "eth_getBalance {{ TOKEN }} {{BLOCK}}", [token, "latest"]],
    [
      "an amount",
      "eth_call { to: {{TOKEN}}, value: {{AMOUNT}} } latest",
      [{ to: token, value: "0x16345785d8a0000" }, "latest"],
    ],
    [
      "a number with a unit behind it",
      "eth_call { value: {{COUNT}} gwei } latest",
      [{ value: "0x12a05f200" }, "latest"],
    ],
    ["a boolean", "eth_getBlockByNumber {{COUNT}} {{FULL}}", ["0x5", false]],
    ["a text", "x_y [{{NAME}}]", [["a b"]]],
    ["the argument of a function", "x_y str({{NAME}})", ["0x612062"]],
    ["a constant", "x_y {{TOKEN}}", [token]],
  ];
  for (const [title, line, expected] of cases)
    test(title, () => assert.deepEqual(bodyOf(`@env staging\n${line}`), { params: expected }));

  test("a call's contract and arguments", () => {
    const line = "call {{TOKEN}} balanceOf(address)(uint256) {{TOKEN}}";
    const data = `0x70a08231${token.slice(2).padStart(64, "0")}`;
    assert.deepEqual(bodyOf(`@env staging\n${line}`), { params: [{ to: token, data }, "latest"] });
  });

  test("the network of a cell", () => {
    const project = notebook(["@env staging\n@network {{NETWORK}}\neth_chainId"]);
    assert.deepEqual(networksOfCell(project, project.cells[0] ?? assert.fail()), ["base-sepolia"]);
    assert.deepEqual(diagnose(project, 0), []);
  });

  test("@env of a cell comes before the choice of the notebook, given values before both", () => {
    const files = environmentsOf({ staging, production: "COUNT=7" }, { chosen: "production" });
    assert.deepEqual(bodyOf("x_y {{COUNT}}", files), { params: [7] });
    assert.deepEqual(bodyOf("@env staging\nx_y {{COUNT}}", files), { params: [5] });
    const given = new Map([["COUNT", variableOf("COUNT", "9")]]);
    assert.deepEqual(bodyOf("@env staging\nx_y {{COUNT}}", { ...files, given }), { params: [9] });
  });
});

describe("a value is one literal", () => {
  const line = fc.constantFrom(
    "x_y {{V}} 2",
    "eth_call { to: {{V}}, data: 0x } latest",
    "x_y [1, {{V}}, 3]",
    "v = {{V}}\nx_y $v 2",
    "call {{V}} balanceOf(address)(uint256) {{V}}",
    "x_y pad({{V}})",
  );
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "1\neth_sendRawTransaction 0x00",
      '" ] }\nsend 0x02',
      "1, 2",
      "$x",
      "{{V}}",
      "@network solana-mainnet",
      "constructor",
      "x }, latest\n@every 1s",
      "2 # note",
    ),
  );

  test("no value changes the number or the kind of statements, or what is around it", () => {
    fc.assert(
      fc.property(line, hostile, (text, value) => {
        const environments = environmentsOf({}, { given: new Map([["V", variableOf("V", value)]]) });
        const project = notebook([`${text}\neth_chainId`], environments);
        const plain = notebook([`${text}\neth_chainId`], environmentsOf({}));
        assert.deepEqual(
          planCell(project, 0).lines.map(({ method, line: at }) => [method, at]),
          planCell(plain, 0).lines.map(({ method, line: at }) => [method, at]),
        );
        const { text: json } = wireOf(project, 0, evm, () => undefined);
        const [first, second] = parseExact(json) as readonly {
          readonly method: string;
          readonly params: unknown[];
        }[];
        assert.equal(second?.method, "eth_chainId");
        if (text === "x_y {{V}} 2") assert.deepEqual([first?.params.length, first?.params[1]], [2, 2]);
      }),
      { numRuns: randomCases(10_000) },
    );
  });
});

describe("problems", () => {
  test("an unknown variable names itself, the environment and the file, at its place", () => {
    const project = notebook(["@env staging\neth_getBalance {{TOKN}} latest"]);
    const [problem, ...others] = diagnose(project, 0, evm);
    assert.equal(problem?.message, "{{TOKN}} is not defined in the environment staging (staging.rpc.env)");
    assert.deepEqual([problem.start, problem.end, others.length], [28, 36, 0]);
    assert.deepEqual(
      problem.fixes.map(({ title }) => title),
      ["Use {{TOKEN}}"],
    );
    assert.match(
      refusalOf(project, 0, evm) ?? "",
      /^Nothing was sent\.\nLine 2: \{\{TOKN\}\} is not defined/,
    );
  });

  test("a cell that uses it through a constant of another cell is not sent either", () => {
    const [message = ""] = messages(["@env staging\nx = {{NO}}", "eth_getBalance $x latest"], undefined, 1);
    assert.match(message, /^The value of \$x is invalid: \{\{NO\}\} is not defined/);
  });

  test("without an environment the files are offered", () => {
    const [problem] = diagnose(notebook(["x_y {{TOKEN}}"]), 0).filter(({ code }) => code === "variable");
    assert.match(problem?.message ?? "", /no environment is chosen/);
    assert.deepEqual(problem?.fixes[0]?.edits, [{ start: 0, end: 0, text: "@env staging\n" }]);
  });

  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["an open variable", "x_y {{TOKEN", /\}\} is missing/],
    ["no name", "x_y {{}}", /The name of a variable is missing/],
    ["no environment's name", "@env ../x\nx_y 1", /Name one environment/],
    ["a unit behind an amount", "@env staging\nx_y {{AMOUNT}} ether", /already has a unit/],
    ["a unit behind a text", "@env staging\nx_y {{NAME}} ether", /whose value is not a number/],
    ["a quoted variable", '@env staging\nx_y "{{TOKEN}}"', /A text in quotes is sent as written/],
    ["a variable in JSON", '{ "method": "x_y", "params": ["{{TOKEN}}"] }', /JSON-RPC is sent as written/],
    ["a variable as a method", "@env staging\n{{NAME}} 1", /A line must start with a method/],
  ];
  for (const [title, cell, expected] of cases)
    test(title, () => {
      assert.ok(
        messages([cell]).some((message) => expected.test(message)),
        messages([cell]).join("\n"),
      );
      assert.notEqual(refusalOf(notebook([cell]), 0, evm), undefined);
    });

  test("a file that is not there is named at @env, with similar names", () => {
    const files = environmentsOf({ staging });
    const problem = "No file was found for the environment. Looked for stagin.rpc.env";
    const environments = { ...files, files: new Map([["stagin", { problem }]]) };
    const [found] = diagnose(notebook(["@env stagin\neth_chainId"], environments), 0);
    assert.deepEqual([found?.message, found?.fixes[0]?.title], [problem, "Use @env staging"]);
  });

  test("a file that is still being read is no problem yet", () => {
    assert.deepEqual(messages(["@env other\neth_getBalance {{TOKEN}} latest"]), []);
  });
});

describe("help", () => {
  const secret = environmentsOf({ staging: `${staging}\nPRIVATE_KEY=0x${"ab".repeat(32)}` });

  test("completes the names in braces, and environments", () => {
    const project = notebook(["@env staging\nx_y {{T"]);
    const items = complete(project, 0, "@env staging\nx_y {{T".length);
    const found = items.find(({ label }) => label === "TOKEN");
    assert.deepEqual([found?.insert, found?.start], ["TOKEN}}", 19]);
    assert.deepEqual(
      complete(notebook(["@env "]), 0, 5).map(({ label }) => label),
      ["staging"],
    );
    const closed = complete(notebook(["@env staging\nx_y {{}}"]), 0, 19);
    assert.equal(closed.find(({ label }) => label === "TOKEN")?.insert, "TOKEN");
  });

  test("shows the value and its file; a secret is not shown", () => {
    const at = (name: string) => hover(notebook([`@env staging\nx_y {{${name}}}`], secret), 0, 20)?.lines;
    assert.deepEqual(at("COUNT"), ["`5`", "From `staging.rpc.env`"]);
    assert.deepEqual(at("PRIVATE_KEY"), ["A secret, which is not shown", "From `staging.rpc.env`"]);
    const shown = complete(notebook(["@env staging\nx_y {{"], secret), 0, 19);
    assert.ok(!JSON.stringify(shown).includes("abab"));
  });
});

describe("secrets", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());
  const key = `0x${"ab".repeat(32)}`;
  const environments = environmentsOf({
    staging: `PRIVATE_KEY=${key}\nAPI_SECRET=Very Hidden\nPIN_SECRET=123`,
  });

  test("are in no message, although checks quote values", () => {
    const lines =
      "eth_getBalance {{PRIVATE_KEY}} latest\neth_getBlockByNumber {{API_SECRET}} false\nx_y pad({{API_SECRET}})";
    const found = diagnose(notebook([`@env staging\n${lines}`], environments), 0, evm);
    assert.ok(found.length > 0);
    assert.doesNotMatch(JSON.stringify(found), /abab|Very Hidden/i);
  });

  test("are sent, but are in no result, error or text of the output", async () => {
    const cell =
      "@env staging\neth_getBalance {{PRIVATE_KEY}} latest\neth_call { data: {{PRIVATE_KEY}} } latest\ntrace_block {{API_SECRET}}";
    const run = await bench.run(notebook([cell], environments));
    assert.equal(run.rounds[0]?.calls.length, 1);
    const output = toOutput(run, { runId: "1", evm, service: "S", isSandbox: true });
    const everything = JSON.stringify([output, outputText(output), run.rounds, String(run.problem)]);
    assert.doesNotMatch(everything, /abab|Very Hidden/i);
  });

  test("are hidden in whatever form a node quotes them", async () => {
    const text = Buffer.from("Very Hidden").toString("hex");
    const echo = [
      key,
      key.toUpperCase(),
      `0x70a0${key.slice(2)}`,
      `0x${text}`,
      { "Very Hidden": ["very hidden"] },
    ];
    const sender = {
      send: async () => ({
        answer: { jsonrpc: "2.0", id: 1, result: echo } as never,
        ms: 0,
        resends: 0,
        replayed: false,
      }),
    };
    const project = notebook(["@env staging\nx = x_y {{PRIVATE_KEY}}"], environments);
    const run = await runCell(
      { ...bench.deps, sender },
      planCellRun(project, 0),
      new AbortController().signal,
      () => {},
    );
    assert.equal(run.rounds[0]?.lines[0]?.outcome.kind, "result");
    assert.doesNotMatch(JSON.stringify(run.rounds), new RegExp(`abab|${text}|very hidden`, "i"));
  });

  test("are placeholders where a request is shown or copied", () => {
    const cell = "@env staging\nx_y {{PRIVATE_KEY}}";
    assert.deepEqual(bodyOf(cell, environments), {
      params: ["<{{PRIVATE_KEY}}>"],
      unknown: ["<{{PRIVATE_KEY}}>"],
    });
  });

  test("one that is too short to be hidden is refused", () => {
    const [message = ""] = messages(["@env staging\nx_y {{PIN_SECRET}}"], environments);
    assert.match(message, /too short to be hidden/);
  });
});

test("a result of one environment is not used in another", async () => {
  const bench = await openBench();
  const cells = ["x = eth_getBalance {{TOKEN}} latest", "eth_getBlockByNumber $x false"];
  const [one, other] = [token, `0x${"1".repeat(40)}`].map((address) =>
    notebook(cells, environmentsOf({ staging: `TOKEN=${address}` }, { chosen: "staging" })),
  );
  assert.ok(one && other);
  await bench.run(one, 0);
  const stored = (project: Project) =>
    bench.deps.values.get(
      storedName(project, definitionsIn(project, 0)[0] ?? assert.fail()),
      "ethereum-mainnet",
    );
  assert.ok(stored(one));
  assert.equal(stored(other), undefined);
  await bench.close();
});
