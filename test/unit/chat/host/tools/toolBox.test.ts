import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createReadTools } from "../../../../../src/chat/host/tools/files/readTools.ts";
import { readCall } from "../../../../../src/chat/host/tools/input/readCall.ts";
import {
  digestOf,
  type OwnToolPlace,
  ownToolsPath,
  readOwnTools,
} from "../../../../../src/chat/host/tools/own/ownTools.ts";
import { runCommand } from "../../../../../src/chat/host/tools/own/runCommand.ts";
import { boundedToolText, maxResultLength } from "../../../../../src/chat/host/tools/results/resultText.ts";
import { createSearchTool } from "../../../../../src/chat/host/tools/search/searchTool.ts";
import { createBilledTools } from "../../../../../src/chat/host/tools/service/billedTools.ts";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import { callTool } from "../../../../../src/chat/host/tools/toolBox.ts";
import type { ProgramEnvironment } from "../../../../../src/platform/process/program.ts";
import type { Client } from "../../../../../src/session/session.ts";
import { checkPlace, type WorkspaceFiles } from "../../../../../src/tools/files/workspaceFiles.ts";
import type { ToolInput } from "../../../../../src/tools/serviceTool.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { noChain } from "../../../tools/noChain.ts";
import { openChat, serveChat } from "../../chat.ts";
import { tool, weather } from "../../weatherTool.ts";

const inChat = {
  source: { kind: "chat" },
  changed() {},
  planned() {},
  written() {},
  began() {},
  results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
} as const;
const never = new AbortController().signal;

test("a tool that throws, hangs or returns too much is bounded, and the model is told", async () => {
  const thrown = await callTool(
    tool("a", () => Promise.reject(new Error("broken pipe"))),
    {},
    never,
    inChat,
  );
  assert.deepEqual(thrown, { isError: true, text: "broken pipe" });
  const late = await callTool(
    tool("a", () => new Promise(() => {})),
    {},
    never,
    inChat,
    20,
  );
  assert.deepEqual(late, { isError: true, text: "No result after 0.02 s.", isLate: true });
  const failed = await callTool(
    tool("a", () => Promise.reject(new Error("x".repeat(5_000_000)))),
    {},
    never,
    inChat,
  );
  assert.ok(failed.text.length < maxResultLength + 100);
  assert.match(failed.text, /4,936,000 characters were left out/);
  assert.equal(boundedToolText("short"), "short");
});

test("arguments that do not match the schema are refused by name", () => {
  const read = (text: string) => readCall([weather()], { name: "get_weather", arguments: text });
  const problem = (text: string) => {
    const found = read(text);
    return found && "problem" in found ? found.problem : "";
  };
  const fine = read('{"city":"Bern"}');
  assert.deepEqual(fine && "input" in fine && fine.input, { city: "Bern" });
  assert.match(problem("{oops"), /not JSON/);
  assert.match(problem('{"city":1}'), /city.*string/i);
  assert.match(problem(""), /city/);
});

const files: WorkspaceFiles = {
  read: async (path) => {
    if (path === "a/big.bin") return new Uint8Array(10);
    if (path === ".env") throw new Error("must not be read");
    return new TextEncoder().encode(`one\nTwo words in ${path}\n`);
  },
  readText: async (path) => `one\nTwo words in ${path}\n`,
  look: async () => ({ size: 20, head: new Uint8Array() }),
  listBelow: async () => ({ paths: ["a/c.ts", "b.ts"], isComplete: true }),
  list: async () => ({ names: ["a/", "b.ts"], leftOut: 0 }),
  search: async () => ({ files: [], unread: 0, end: "complete" }),
};

function builtIn(name: string, client: () => Promise<Client>, among = files): ChatTool {
  const all = [
    ...createReadTools(
      among,
      () => {},
      () => assert.fail(),
    ),
    createSearchTool(among),
    ...createBilledTools(among, client, noChain, { readsHere: () => false, read: () => assert.fail() }),
  ];
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

test("links are resolved: nothing outside the workspace, and no key file", async () => {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()];
  const inWorkspace = (name: string) => join(workspace, name);
  writeFileSync(join(home, "id_rsa"), "PRIVATE");
  mkdirSync(inWorkspace("docs"));
  for (const name of ["notes.md", ".env"]) writeFileSync(inWorkspace(name), "text");
  symlinkSync(join(home, "id_rsa"), inWorkspace("readme.txt"));
  symlinkSync(home, inWorkspace("docs/more"));
  symlinkSync(inWorkspace(".env"), inWorkspace("docs/example.txt"));
  symlinkSync(inWorkspace("notes.md"), inWorkspace("docs/notes.md"));
  const check = (name: string) => checkPlace([workspace], inWorkspace(name), name);
  for (const name of ["readme.txt", "docs/more", "docs/more/id_rsa"])
    await assert.rejects(check(name), /leads out of the workspace/);
  await assert.rejects(check("docs/example.txt"), /a link to a file of keys/);
  for (const name of ["", "notes.md", "docs/notes.md", "docs/not-there"]) await check(name);
  await checkPlace([home, workspace], inWorkspace("docs/more"), "a folder that is open, too");
});

test("reads and lists files; secret ones are refused", async () => {
  const client = () => Promise.reject(new Error("no service is needed"));
  const run = (name: string, input: ToolInput) => callTool(builtIn(name, client), input, never, inChat);
  assert.match((await run("read_file", { path: "b.ts" })).text, /Two words in b\.ts/);
  assert.match((await run("read_file", { path: ".env" })).text, /looks like a file of keys/);
  assert.match((await run("parse_document", { path: "id_rsa" })).text, /looks like a file of keys/);
  assert.equal((await run("list_files", { path: "" })).text, "a/\nb.ts");
});

test("searches, reads pages and calls chains through the service, and sends no transaction", async (t) => {
  const { sandbox } = await serveChat(t);
  const chat = openChat(t, { sandbox, remembered: new Map() });
  const { client } = chat;
  const run = (name: string, input: ToolInput) => callTool(builtIn(name, client), input, never, inChat);
  assert.match((await run("search_web", { query: "chat" })).text, /^# /);
  const block = await run("call_chain", { network: "ethereum-mainnet", method: "eth_blockNumber" });
  assert.match(block.text, /"result": "0x/);
  const sent = await run("call_chain", {
    network: "ethereum-mainnet",
    method: "eth_sendRawTransaction",
    params: ["0x"],
  });
  assert.match(sent.text, /tools must not send transactions/);
  for (const method of [" eth_sendUserOperation", "bor_sendRawTransactionConditional", "eth_signTransaction"])
    assert.match(
      (await run("call_chain", { network: "ethereum-mainnet", method })).text,
      /tools must not send transactions/,
      method,
    );
  const asked = await run("call_chain", { network: "solana-mainnet", method: "getSignaturesForAddress" });
  assert.doesNotMatch(asked.text, /tools must not send transactions/);
});

const ownPlace = (place: ProgramEnvironment): OwnToolPlace => ({
  run: (command, input, signal) => runCommand(place, command, input, signal),
  digest: (command) => digestOf(place.folder, command),
});

test("reads the workspace's own tools, and runs them without a shell", async () => {
  const folder = temporaryFolder();
  const script = "process.stdin.on('data', (d) => process.stdout.write('got ' + d + ' $HOME'))";
  const text = JSON.stringify({
    tools: [{ name: "mine", description: "Mine.", command: [process.execPath, "-e", script] }],
  });
  const place = { folder, env: process.env };
  const { tools, problem } = readOwnTools(text, [], ownPlace(place));
  assert.equal(problem, undefined);
  const [mine] = tools;
  if (!mine) throw new Error("no tool");
  assert.deepEqual(await callTool(mine, { a: 1 }, never, inChat), {
    isError: false,
    text: 'got {"a":1} $HOME',
  });
  const shown = await runCommand(
    { folder, env: { ...process.env, INFERENCE_API_KEY: "canary" } },
    [process.execPath, "-e", "process.stdout.write(JSON.stringify(process.env))"],
    "",
    never,
  );
  assert.doesNotMatch(shown, /canary/);
  assert.match(shown, /"PATH"/i);
  const failing = readOwnTools(
    JSON.stringify({
      tools: [{ name: "bad", description: "B", command: [process.execPath, "-e", "process.exit(3)"] }],
    }),
    [],
    ownPlace(place),
  ).tools[0];
  if (!failing) throw new Error("no tool");
  assert.match((await callTool(failing, {}, never, inChat)).text, /ended with code 3/);
});

test("an invalid tools file is reported with field and rule", () => {
  const read = (text: string) => readOwnTools(text, ["read_file"], ownPlace({ folder: "/nowhere", env: {} }));
  assert.match(read("{").problem ?? "", /inference-tools\.json is not JSON/);
  assert.match(
    read('{"tools":[{"name":"a b","description":"x"}]}').problem ?? "",
    /tools\.0\.name: must be 1 to 64/,
  );
  assert.match(
    read('{"tools":[{"name":"read_file","description":"x"}]}').problem ?? "",
    /read_file is already in use/,
  );
  assert.match(read('{"tools":[{"name":"a","description":"x","shell":"rm"}]}').problem ?? "", /tools\.0/);
});

test("the approval of an own tool ends with any change of its file or of a file that it runs", async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, ".vscode"));
  const text = JSON.stringify({ tools: [{ name: "mine", description: "M", command: ["node", "tool.js"] }] });
  write(ownToolsPath, text);
  write("tool.js", "1");
  const [mine] = readOwnTools(text, [], ownPlace({ folder, env: {} })).tools;
  const fingerprint = async () => (await mine?.fingerprint()) ?? "";
  const seen = [await fingerprint()];
  assert.equal(await fingerprint(), seen[0]);
  for (const change of [
    () => write("tool.js", "2"),
    () => write(ownToolsPath, `${text} `),
    () => rmSync(join(folder, "tool.js")),
    () => symlinkSync(process.execPath, join(folder, "node")),
  ]) {
    change();
    seen.push(await fingerprint());
  }
  assert.equal(new Set(seen.slice(0, 4)).size, 4);
  assert.equal(seen[4], seen[3], "what lies outside is none of the workspace's");
  const twin = readOwnTools(text.replace("mine", "twin"), [], ownPlace({ folder, env: {} })).tools[0];
  assert.notEqual(await twin?.fingerprint(), seen[4]);
});

test("a page follows the rules of the command: public addresses only, without a password", async (t) => {
  const { sandbox } = await serveChat(t);
  const { client } = openChat(t, { sandbox, remembered: new Map() });
  const elsewhere = async () => ({ ...(await client()), root: "https://api.example.com/api/v1" });
  const read = builtIn("read_page", elsewhere);
  const before = sandbox.requests.length;
  for (const [url, why] of [
    ["http://127.0.0.1:1/", /not public/],
    ["http://0x7f.1/", /not public/],
    ["http://[::ffff:10.0.0.1]/", /not public/],
    ["http://router.lan/", /not public/],
    ["https://me:secret@a.example.com/", /user name or a password/],
    ["https://www.reddit.com/r/x", /blocks robots/],
    ["https://", /not a web address/],
  ] as const) {
    const { isError, text } = await callTool(read, { url }, never, inChat);
    assert.ok(isError);
    assert.match(text, /^Nothing was sent\. /);
    assert.match(text, why);
    assert.doesNotMatch(text, /secret/);
  }
  assert.equal(sandbox.requests.length, before);
  // A local service can read its own pages, like the command.
  const own = await callTool(builtIn("read_page", client), { url: "http://127.0.0.1:9/" }, never, inChat);
  assert.doesNotMatch(own.text, /Nothing was sent/);
});

test("an approval for several pages is for their site; an address with data is approved alone", () => {
  const { scopes, summary } = builtIn("read_page", () => Promise.reject(new Error("no service is needed")));
  const scopeOf = (url: string) => scopes?.({ url })?.[0];
  assert.equal(scopeOf("https://a.example/page"), "https://a.example");
  assert.equal(scopeOf("https://A.example:443/other"), "https://a.example");
  assert.equal(scopeOf("http://a.example/page"), "http://a.example");
  assert.equal(scopeOf("https://a.example/?q=secret"), "https://a.example/?q=secret");
  assert.equal(scopeOf("https://a.example/#secret"), "https://a.example/#secret");
  const long = `https://a.example/${"x".repeat(300)}`;
  assert.equal(scopeOf(long), long);
  assert.equal(
    summary({ url: "https://\u0430pple.com/" }),
    "Read https://xn--pple-43d.com/",
    "no letter for another",
  );
});
