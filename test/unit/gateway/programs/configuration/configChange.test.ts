import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  type ConfigWriter,
  planTakeBack,
  planWrite,
} from "../../../../../src/gateway/programs/configuration/configChange.ts";
import {
  type ConfigModel,
  type ProgramConfig,
  programConfigs,
} from "../../../../../src/gateway/programs/configuration/programConfig.ts";
import { WrittenBook } from "../../../../../src/gateway/programs/configuration/writtenBook.ts";
import { createTemporaryFiles } from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const { codex, openCode } = programConfigs;
const claude = programConfigs.claudeCode(({ origin }) => ({ ANTHROPIC_BASE_URL: origin }));
const isWindows = process.platform === "win32";

function openHome(env: Readonly<Record<string, string>> = {}) {
  const [home, storage] = [temporaryFolder(), temporaryFolder()];
  const tokenFile = join(storage, "tokens", "1.txt");
  const writer: ConfigWriter = {
    book: new WrittenBook(join(storage, "written")),
    temporary: createTemporaryFiles(undefined),
  };
  const places = { env, home, isWindows };
  const address = { origin: "http://127.0.0.1:8790", model: "m", tokenFile };
  const plan = (config: ProgramConfig, model = "m", sizes: Omit<ConfigModel, "model"> = {}) =>
    planWrite(writer, { name: "Program", config }, { ...address, model, ...sizes }, places);
  const back = async (config: ProgramConfig) => {
    const [file] = await writer.book.all("Program");
    return planTakeBack(writer, config, file ?? assert.fail("nothing was written"));
  };
  const put = (path: string, text: string | Uint8Array) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return { home, writer, plan, back, put };
}

test("what a model reads and writes is written, replaces the user's own, is known for a later write, and is taken back", async () => {
  const { plan, back, put, writer } = openHome();
  const sizes = { contextTokens: 131_072, answerTokens: 8192 };
  const own = "model_context_window = 9\n";
  const file = put(".codex/config.toml", own);
  await (await plan(codex, "m", sizes)).make();
  assert.match(readFileSync(file, "utf8"), /^model_context_window = 131072$/m);
  const [written] = await writer.book.all("Program");
  assert.deepEqual({ ...written, ...sizes }, written);
  await (await plan(codex)).make();
  assert.doesNotMatch(readFileSync(file, "utf8"), /model_context_window/);
  await (await back(codex)).make();
  assert.equal(readFileSync(file, "utf8"), own);
  const { after } = await plan(openCode, "m", sizes);
  assert.deepEqual(JSON.parse(after ?? "").provider["inference-workbench"].models.m.limit, {
    context: 131_072,
    output: 8192,
  });
});

test("a file is written with its mode, and taken back to the byte", async () => {
  const { plan, back, put, writer } = openHome();
  const file = put(".codex/config.toml", "# mine\nmodel = 'a'\n");
  chmodSync(file, 0o640);
  const change = await plan(codex);
  assert.equal(change.before, "# mine\nmodel = 'a'\n");
  assert.ok(await change.make());
  assert.equal(readFileSync(file, "utf8"), change.after);
  assert.equal(statSync(file).mode & 0o777, 0o640);
  const again = await plan(codex);
  assert.equal(again.after, again.before);
  await (await plan(codex, "other")).make();
  assert.match(readFileSync(file, "utf8"), /model = "other"/);
  assert.ok(await (await back(codex)).make());
  assert.equal(readFileSync(file, "utf8"), "# mine\nmodel = 'a'\n");
  assert.deepEqual(await writer.book.all("Program"), []);
  assert.deepEqual(readdirSync(dirname(file)), ["config.toml"]);
});

test("a file that was made is removed again", async () => {
  const { home, plan, back } = openHome();
  assert.ok(await (await plan(claude)).make());
  const file = join(home, ".claude", "settings.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(await (await back(claude)).make());
  assert.equal(existsSync(file), false);
});

test("the folders that variables name are used, and the file that is there", async () => {
  const folder = temporaryFolder();
  const { plan } = openHome({ CODEX_HOME: folder, CLAUDE_CONFIG_DIR: folder, XDG_CONFIG_HOME: folder });
  assert.equal((await plan(codex)).path, join(folder, "config.toml"));
  assert.equal((await plan(claude)).path, join(folder, "settings.json"));
  assert.equal((await plan(openCode)).path, join(folder, "opencode", "opencode.json"));
  mkdirSync(join(folder, "opencode"));
  writeFileSync(join(folder, "opencode", "opencode.jsonc"), "{}");
  assert.equal((await plan(openCode)).path, join(folder, "opencode", "opencode.jsonc"));
});

test("what a link points to is written, and the link stays", async () => {
  const { home, plan, back, put } = openHome();
  const real = put("dotfiles/codex.toml", "");
  mkdirSync(join(home, ".codex"));
  const link = join(home, ".codex", "config.toml");
  symlinkSync(real, link);
  assert.ok(await (await plan(codex)).make());
  assert.equal(readlinkSync(link), real);
  assert.match(readFileSync(real, "utf8"), /inference-workbench/);
  assert.ok(await (await back(codex)).make());
  assert.equal(readFileSync(real, "utf8"), "");
});

test("what can't be replaced without loss is refused, and nothing is written", async () => {
  const { home, plan, put, writer } = openHome();
  mkdirSync(join(home, ".codex"));
  const path = join(home, ".codex", "config.toml");
  symlinkSync(join(home, "gone"), path);
  await assert.rejects(plan(codex), /is a link to a file that is missing.*Nothing was written/);
  mkdirSync(join(home, ".claude", "settings.json"), { recursive: true });
  await assert.rejects(plan(claude), /is no regular file/);
  const file = put(".config/opencode/opencode.json", "{}");
  linkSync(file, join(home, "second"));
  await assert.rejects(plan(openCode), /has a second name/);
  const other = openHome();
  other.put(".codex/config.toml", Buffer.from([0x61, 0xff]));
  await assert.rejects(other.plan(codex), /is not UTF-8/);
  other.put(".claude/settings.json", '{\n"a": 1\n"b": 2}');
  await assert.rejects(other.plan(claude), /settings\.json, line 3, is not JSON: .*Nothing was written/);
  other.put(".claude/settings.json", '{"env": {"ANTHROPIC_AUTH_TOKEN": "secret"}}');
  await assert.rejects(other.plan(claude), ({ message }: Error) => {
    assert.match(message, /sets ANTHROPIC_AUTH_TOKEN.*Remove it there first/);
    assert.doesNotMatch(message, /secret/);
    return true;
  });
  other.put(".claude/settings.json", " ".repeat(1_000_001));
  await assert.rejects(other.plan(claude), /longer than 1 MB/);
  assert.deepEqual(await writer.book.all("Program"), []);
});

test("a file that has changed since it was shown is not written", async () => {
  const { plan, back, put } = openHome();
  const file = put(".codex/config.toml", "a = 1\n");
  const change = await plan(codex);
  writeFileSync(file, "a = 2\n");
  assert.equal(await change.make(), false);
  assert.equal(readFileSync(file, "utf8"), "a = 2\n");
  assert.ok(await (await plan(codex)).make());
  const undo = await back(codex);
  writeFileSync(file, `${readFileSync(file, "utf8")}\n[mine]\nb = 1\n`);
  assert.equal(await undo.make(), false);
  assert.ok(await (await back(codex)).make());
  assert.equal(readFileSync(file, "utf8"), "a = 2\n\n[mine]\nb = 1\n");
});

test("no file has the token, and the record of a file has nothing of it but what was replaced", async () => {
  const { plan, put, writer } = openHome();
  put(".claude/settings.json", '{"env": {"OTHER_KEY": "secret-1"}, "apiKeyHelper": "mine"}');
  await (await plan(claude)).make();
  const [record] = await writer.book.all("Program");
  assert.doesNotMatch(JSON.stringify(record), /secret-1/);
  assert.match(JSON.stringify(record), /mine/);
});
