import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fillIn } from "../../../../../../src/tools/mcp/client/config/fillIn.ts";
import { readMcpFile } from "../../../../../../src/tools/mcp/client/config/mcpFile.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

const folders = [
  { name: "work", path: "/work" },
  { name: "api", path: "/other/api" },
];
const setting = (name: string, isUsers: boolean): unknown =>
  ({ "a.text": isUsers ? "the user's" : "the workspace's", "a.number": 7, "a.list": [] })[name];

function filled(server: object, env: NodeJS.ProcessEnv = {}, file: { readonly folder?: string } = {}) {
  const { folder = "/work" } = file;
  const inputs = [
    { id: "k", type: "promptString" },
    { id: "c", type: "command", command: "a.run" },
  ];
  const text = JSON.stringify({ servers: { x: server }, inputs });
  const [definition] = readMcpFile(text, { label: "mcp.json", path: "/mcp.json", ...file }).servers;
  assert.ok(definition);
  return fillIn(definition, {
    ...{ folder, folders, env, setting },
    ask: async ({ id }) => `value of ${id} \${env:A}`,
  });
}

test("variables have their values, which are not read again", async () => {
  const start = await filled(
    {
      command: `\${userHome}/run`,
      args: [`\${workspaceFolder}/a`, `\${env:A}\${env:NONE}`],
      env: { K: `\${input:k}`, N: 7, A: null },
    },
    { A: "a", B: "b" },
  );
  assert.deepEqual(start, {
    kind: "program",
    command: [`${homedir()}/run`, "/work/a", "a"],
    folder: "/work",
    env: { B: "b", K: `value of k \${env:A}`, N: "7" },
    secrets: [`value of k \${env:A}`],
  });
});

test("the key of the connection is given to no server", async () => {
  for (const name of ["INFERENCE_API_KEY", "inference_api_key"])
    await assert.rejects(
      filled({ url: `https://a.example/?\${env:${name}}` }, { INFERENCE_API_KEY: "sk" }),
      /is not given to servers/,
    );
});

test("a variable without a value, or an unknown one, is refused", async () => {
  const [definition] = readMcpFile(`{"servers":{"x":{"command":"\${workspaceFolder}/a"}}}`, {
    label: "mcp.json",
    path: "/mcp.json",
  }).servers;
  assert.ok(definition);
  await assert.rejects(
    fillIn(definition, { folder: undefined, folders: [], env: {}, setting, ask: async () => "" }),
    /open a folder/,
  );
  await assert.rejects(filled({ command: "a", args: [`\${file}`] }), /\$\{file\} is not known here/);
  await assert.rejects(filled({ command: "a", args: [`\${input:none}`] }), /has no input none/);
});

test("folders of the workspace are found by their names, and settings as the owner of the file has set them", async () => {
  const args = [
    `\${workspaceFolder:api}/a`,
    `\${workspaceFolderBasename:api}`,
    `\${config:a.text}`,
    `\${config:a.number}`,
  ];
  const isUsers = await filled({ command: "a", args });
  const isOfWorkspace = await filled({ command: "a", args }, {}, { folder: "/work" });
  assert.deepEqual(isUsers.kind === "program" && isUsers.command, [
    ...["a", "/other/api/a", "api", "the user's", "7"],
  ]);
  assert.equal(isOfWorkspace.kind === "program" && isOfWorkspace.command[3], "the workspace's");
  await assert.rejects(
    filled({ command: `\${workspaceFolder:none}/a` }),
    /this workspace has no folder none/,
  );
  await assert.rejects(filled({ command: `\${config:a.list}` }), /The setting a\.list has no value/);
});

test("no command of the editor runs for a server, by a variable or by an input", async () => {
  await assert.rejects(filled({ command: `\${command:a.run}` }), /would run a command of the editor/);
  await assert.rejects(filled({ command: `\${input:c}` }), /Change its type in mcp\.json to promptString/);
});

test("a file of variables is read; one that is missing is named", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, ".env"), 'A="x y"\n');
  const start = await filled({ command: "a", envFile: `\${workspaceFolder}/.env` }, {}, { folder });
  assert.deepEqual(start.kind === "program" && start.env, { A: "x y" });
  await assert.rejects(filled({ command: "a", envFile: "none" }, {}, { folder }), /can't be read/);
});

test("headers are sent over https, or to this machine", async () => {
  const headers = { "X-Key": `\${input:k}` };
  const start = await filled({ url: "http://127.0.0.1:1/mcp", headers });
  assert.deepEqual(start.kind === "remote" && start.headers, { "X-Key": `value of k \${env:A}` });
  await assert.rejects(filled({ url: "http://a.example", headers }), /https:\/\/ only/);
  await assert.rejects(filled({ url: "file:///etc/passwd" }), /must begin with https/);
});

test("the home folder is written as in a shell, and folders of programs are added to those of the window", async () => {
  const start = await filled(
    { command: "~/bin/run", args: ["~/notes", "a~/b", "~x"], cwd: "~", env: { PATH: "/more" } },
    { PATH: "/usual" },
  );
  assert.deepEqual(start, {
    kind: "program",
    command: [join(homedir(), "bin/run"), join(homedir(), "notes"), "a~/b", "~x"],
    folder: homedir(),
    env: { PATH: `/usual${delimiter}/more` },
    secrets: [],
  });
});

test("secrets are what the user typed, headers, and variables of the entry that are named so", async () => {
  const program = await filled(
    { command: "a", args: [`\${input:k}`], env: { API_TOKEN: "entry token", LEVEL: "debug", MY_KEY: "abc" } },
    { USUAL_TOKEN: "of the window" },
  );
  assert.deepEqual(program.secrets, [`value of k \${env:A}`, "entry token"]);
  const remote = await filled({ url: "https://a.example", headers: { "X-Key": "Bearer 1234" } });
  assert.deepEqual(remote.secrets, ["Bearer 1234"]);
});

test("the long parts of a secret are secrets: the token of a header, and each line of a key", async () => {
  const lines = ["first-line-of-the-key", "second-line-of-the-key"];
  const program = await filled({ command: "a", env: { MY_KEY: lines.join("\n") } });
  assert.deepEqual(program.secrets.slice(1).sort(), lines);
  const headers = { Authorization: "Bearer long-token-of-a-header" };
  const remote = await filled({ url: "https://a.example", headers });
  assert.deepEqual(remote.secrets, ["Bearer long-token-of-a-header", "long-token-of-a-header"]);
});
