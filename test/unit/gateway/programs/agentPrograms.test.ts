import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentPrograms, isPlainId, tokenVariable } from "../../../../src/gateway/programs/agentPrograms.ts";
import { findProgram, pathWith } from "../../../../src/gateway/programs/findProgram.ts";
import { pastProxy } from "../../../../src/gateway/programs/pastProxy.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const address = { origin: "http://127.0.0.1:8790", model: "qwen3-coder:30b" };

test("each program learns the address and the model, and none of its texts can have a token", () => {
  for (const program of agentPrograms) {
    const { text, where } = program.settings(address);
    const line = program.command(address);
    const all = JSON.stringify([program.variables(address), line, text]);
    assert.ok(all.includes(address.origin), program.name);
    assert.ok(all.includes(address.model), program.name);
    assert.ok(where.length > 10);
    if (/KEY|TOKEN|apiKey/.test(text)) assert.ok(text.includes(tokenVariable), program.name);
  }
});

test("a program learns how much its model reads and writes where the service says it", () => {
  const sized = { ...address, contextTokens: 131_072, answerTokens: 8192 };
  for (const program of agentPrograms.filter(({ name }) => !["Cline", "Other Program"].includes(name))) {
    const given = (of: typeof address) => JSON.stringify([program.variables(of), program.command(of)]);
    assert.match(given(sized), /131072/, program.name);
    assert.match(program.settings(sized).text, /131072/, program.name);
    assert.doesNotMatch(given(address) + program.settings(address).text, /context|limit|null|undefined/i);
  }
  // It takes no size alone.
  const openCode = agentPrograms.find(({ name }) => name === "OpenCode");
  assert.doesNotMatch(openCode?.settings({ ...address, contextTokens: 1 }).text ?? "limit", /limit/);
});

test("a line that is typed has only words that each shell takes as they are", () => {
  for (const program of agentPrograms) {
    const line = program.command({ ...address, contextTokens: 131_072 });
    if (line !== undefined) assert.match(line, /^[\w.:/=\- ]+$/, program.name);
  }
});

test("an id that is more than a name where it is typed or pasted is not plain", () => {
  for (const id of ["a b", "$(x)", "--full-auto", "{file:~/.ssh/id}", "a;b", "a'b", "", "a".repeat(201)])
    assert.equal(isPlainId(id), false, id);
  for (const id of ["gpt-5", "qwen3-coder:30b", "org/model@1", "a_b.c"]) assert.ok(isPlainId(id), id);
});

test("a program is found on PATH without being run, and only where it can be run", async () => {
  const [empty, folder] = [temporaryFolder(), temporaryFolder()];
  const path = join(folder, "codex");
  writeFileSync(path, "exit 1\n");
  const PATH = ["relative", empty, folder].join(":");
  assert.equal(await findProgram(["codex"], { PATH }, false), undefined);
  chmodSync(path, 0o755);
  assert.equal(await findProgram(["none", "codex"], { PATH }, false), path);
  assert.equal(await findProgram([], { PATH }, false), undefined);
  assert.equal(await findProgram(["codex"], {}, false), undefined);
});

test("a program that is not on PATH is found where programs are installed, in the newest Node of nvm", async () => {
  const HOME = temporaryFolder();
  const added = (folder: string, name: string) => {
    mkdirSync(join(HOME, folder), { recursive: true });
    const path = join(HOME, folder, name);
    writeFileSync(path, "exit 1\n", { mode: 0o755 });
    return path;
  };
  const find = (name: string) => findProgram([name], { PATH: "/nowhere", HOME }, false);
  for (const folder of [".local/bin", ".npm-global/bin", ".claude/local", ".opencode/bin", ".bun/bin"]) {
    const name = `agent-of-${folder.replaceAll(/\W/g, "-")}`;
    const path = added(folder, name);
    assert.equal(await find(name), path);
    assert.equal(pathWith(path, { PATH: "/nowhere" }), `/nowhere:${join(HOME, folder)}`);
  }
  added(".nvm/versions/node/v9.11.2/bin", "agent-of-node");
  const newest = added(".nvm/versions/node/v22.1.0/bin", "agent-of-node");
  assert.equal(await find("agent-of-node"), newest);
  assert.equal(await findProgram(["agent-of-node"], { HOME: "relative" }, false), undefined);
  assert.equal(pathWith("/bin/agent", { PATH: "/usr/bin:/bin" }), undefined);
  assert.equal(pathWith("/bin/agent", {}), "/bin");
});

test("a program is found on PATH before a folder of the home", async () => {
  const [HOME, folder] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(HOME, ".local/bin"), { recursive: true });
  for (const place of [join(HOME, ".local/bin"), folder])
    writeFileSync(join(place, "agent-of-two"), "exit 1\n", { mode: 0o755 });
  assert.equal(
    await findProgram(["agent-of-two"], { PATH: folder, HOME }, false),
    join(folder, "agent-of-two"),
  );
});

test("the gateway is reached past a proxy, and what the user has past it stays", () => {
  const both = (value: string) => ({ NO_PROXY: value, no_proxy: value });
  assert.deepEqual(pastProxy({}), both("127.0.0.1"));
  assert.deepEqual(pastProxy({ no_proxy: "a.example, .b" }), both("a.example,.b,127.0.0.1"));
  assert.deepEqual(pastProxy({ NO_PROXY: "127.0.0.1,c", no_proxy: "d" }), both("c,127.0.0.1"));
});
