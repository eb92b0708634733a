// The socket between the MCP server process and a window.
import assert from "node:assert/strict";
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { createLineReader } from "../../../../../../src/shared/lineReader.ts";
import type { OpenedWindow } from "../../../../../../src/shared/mcpLink.ts";
import { findWindows } from "../../../../../../src/tools/mcp/server/process/findWindows.ts";
import { LinkError, openWindowLink } from "../../../../../../src/tools/mcp/server/process/windowLink.ts";
import { Windows } from "../../../../../../src/tools/mcp/server/process/windows.ts";
import {
  echo,
  openTestWindow,
  type TestWindow,
  temporaryFolder,
  textResult,
  waitingCalls,
} from "../testWindow.ts";

const client = { name: "tester", version: "1" };
const signal = new AbortController().signal;
const nothing = () => {};
let folder: ReturnType<typeof temporaryFolder>;
let open: TestWindow[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const window of open) window.close();
  open = [];
  folder.remove();
});

async function window(
  ...[runCall, options]: [Parameters<typeof openTestWindow>[1], Parameters<typeof openTestWindow>[2]?]
) {
  const opened = await openTestWindow(folder.path, runCall, options);
  open.push(opened);
  return opened;
}

const find = (cwd = "/", starter?: string) => findWindows({ folder: folder.path, cwd, starter });
const first = async (): Promise<OpenedWindow> => (await find())[0] ?? assert.fail("no window");

test("lists the tools, and calls one with its progress", async () => {
  const { log } = await window(async ({ client: from }, _, onState) => {
    onState("Running");
    return textResult(from);
  });
  const link = await openWindowLink(await first(), client);
  assert.deepEqual(
    link.tools.map(({ name, isReadOnly }) => [name, isReadOnly]),
    [["echo", true]],
  );
  const states: string[] = [];
  const result = await link.call("echo", {}, signal, (text) => states.push(text));
  assert.deepEqual(result, textResult("tester"));
  assert.deepEqual(states, ["Running"]);
  assert.deepEqual(log, ["MCP client connected: tester 1"]);
  link.close();
});

test("arguments of 1 MB and names such as __proto__ arrive unchanged", async () => {
  await window(echo);
  const link = await openWindowLink(await first(), client);
  const input = JSON.parse(`{"__proto__":{"a":1},"constructor":2,"text":"${"é\\n\\u2028".repeat(300_000)}"}`);
  const { content } = await link.call("echo", input, signal, nothing);
  assert.equal(content[0]?.type === "text" && content[0].text, JSON.stringify(input));
  link.close();
});

test("a result that is too large says so, and whether it was billed", async () => {
  for (const isFree of [true, false]) {
    const opened = await window(async () => ({ ...textResult("x".repeat(8_000_000)), isFree }));
    const link = await openWindowLink(await first(), client);
    const { content, isError } = await link.call("echo", {}, signal, nothing);
    const text = content[0]?.type === "text" ? content[0].text : "";
    assert.equal(isError, true);
    assert.match(text, isFree ? /too large .* It cost nothing\./ : /too large .* It was billed\./);
    link.close();
    opened.close();
  }
});

test("a wrong token is refused with a sentence, and runs nothing", async () => {
  const calls: unknown[] = [];
  const { log } = await window(async (call) => {
    calls.push(call);
    return textResult("");
  });
  const opened = await first();
  await assert.rejects(
    openWindowLink({ ...opened, token: "x".repeat(opened.token.length) }, client),
    (error) =>
      error instanceof LinkError && error.kind === "refused" && /Restart the MCP server/.test(error.message),
  );
  assert.match(log.join(), /refused/);
  // A call before `hello`.
  const socket = connect(opened.socket);
  socket.write('{"t":"call","id":1,"name":"echo","input":{}}\n');
  const [chunk] = await once(socket.setEncoding("utf8"), "data");
  assert.match(String(chunk), /"refused"/);
  assert.deepEqual(calls, []);
});

test("a window that closes ends its calls with a sentence, and the next call finds another window", async () => {
  const { runCall, started } = waitingCalls();
  const closing = await window(runCall, { described: { focusedAtMs: 2 } });
  await window(async () => textResult("second"), { described: { focusedAtMs: 1 } });
  const windows = new Windows({ folder: folder.path, cwd: "/", starter: undefined });
  const call = (await windows.link(client)).call("echo", {}, signal, nothing);
  await started;
  closing.close();
  await assert.rejects(
    call,
    (error) => error instanceof LinkError && /may have been billed/.test(error.message),
  );
  assert.deepEqual(
    await (await windows.link(client)).call("echo", {}, signal, nothing),
    textResult("second"),
  );
  windows.close();
});

test("a window that closes while its question is open says that nothing was sent or billed", async () => {
  const { runCall, started } = waitingCalls(false);
  const closing = await window((call, aborted, onState) => {
    void onState("Waiting for the user's approval in VS Code");
    return runCall(call, aborted, onState);
  });
  const link = await openWindowLink(await first(), client);
  const call = link.call("echo", {}, signal, nothing);
  await started;
  closing.close();
  await assert.rejects(
    call,
    (error) =>
      error instanceof LinkError &&
      /closed before the call was sent.*Nothing was sent, and nothing was billed/.test(error.message),
  );
});

test("a client that is shut out before its first call is told that nothing was sent or billed", async () => {
  await window(echo);
  const opened = await first();
  const links = await Promise.all(Array.from({ length: 50 }, () => openWindowLink(opened, client)));
  await assert.rejects(
    openWindowLink(opened, client),
    (error) =>
      error instanceof LinkError &&
      error.kind === "refused" &&
      /too many MCP clients.*Nothing was sent, and nothing was billed/.test(error.message),
  );
  for (const link of links) link.close();
});

test("a cancelled call, and a client that is gone, abort the work of the window", async () => {
  const cancelled = waitingCalls();
  const one = await window(cancelled.runCall);
  const link = await openWindowLink(await first(), client);
  const abort = new AbortController();
  const call = link.call("echo", {}, abort.signal, nothing);
  await cancelled.started;
  abort.abort(new Error("stop"));
  await assert.rejects(call, /stop/);
  await cancelled.aborted;
  link.close();
  one.close();
  const left = waitingCalls();
  await window(left.runCall);
  const leaving = await openWindowLink(await first(), client);
  const lost = assert.rejects(leaving.call("echo", {}, signal, nothing), LinkError);
  await left.started;
  leaving.close();
  await Promise.all([lost, left.aborted]);
});

test("without a window, the tools of the last one are listed, and a call says what to open", async () => {
  (await window(echo)).close();
  const windows = new Windows({ folder: folder.path, cwd: "/", starter: undefined });
  assert.deepEqual(
    (await windows.tools(client)).map(({ name }) => name),
    ["echo"],
  );
  await assert.rejects(windows.link(client), /Open VS Code with Inference Workbench/);
});

test("the window that started the process comes first, then that of the working directory, then the last focused", async () => {
  const real = join(folder.path, "real");
  const linked = join(folder.path, "linked");
  await mkdir(join(real, "inner", "deep"), { recursive: true });
  symlinkSync(real, linked);
  const outer = await window(echo, { described: { folders: [linked], focusedAtMs: 1 } });
  const inner = await window(echo, { described: { folders: [join(real, "inner")], focusedAtMs: 2 } });
  const other = await window(echo, { described: { folders: [`${real}-other`], focusedAtMs: 3 } });
  const names = new Map(
    await Promise.all(
      [outer, inner, other].map(async ({ name }) => {
        const text = readFileSync(join(folder.path, "windows", `${name}.json`), "utf8");
        return [(JSON.parse(text) as OpenedWindow).token, name] as const;
      }),
    ),
  );
  const order = async (cwd: string, starter?: string) =>
    (await find(cwd, starter)).map(({ token }) => names.get(token));
  assert.deepEqual(await order(join(real, "inner", "deep")), [inner.name, outer.name, other.name]);
  assert.deepEqual(await order(linked), [outer.name, other.name, inner.name]);
  assert.deepEqual(await order("/elsewhere"), [other.name, inner.name, outer.name]);
  assert.deepEqual((await order(real, other.name))[0], other.name);
});

test("files of windows are private, damaged ones are skipped, and those of ended processes are removed", async () => {
  const kept = await window(echo);
  const files = join(folder.path, "windows");
  const path = join(files, `${kept.name}.json`);
  const { socket } = await first();
  if (process.platform !== "win32") {
    assert.equal(lstatSync(path).mode & 0o777, 0o600);
    assert.equal(lstatSync(dirname(socket)).mode & 0o777, 0o700);
  }
  const text = readFileSync(path, "utf8");
  writeFileSync(join(files, "damaged.json"), text.slice(0, -5));
  // No process has so large an id.
  writeFileSync(join(files, "ended.json"), JSON.stringify({ ...JSON.parse(text), pid: 2 ** 30 }));
  assert.equal((await find()).length, 2);
  const other = await window(echo);
  assert.deepEqual(readdirSync(files).sort(), [kept, other].map(({ name }) => `${name}.json`).sort());
  kept.close();
  other.close();
  assert.deepEqual(readdirSync(files), []);
});

test("a socket that says nothing, or a line without end, is closed", async () => {
  await window(echo, { helloTimeoutMs: 1 });
  await once(connect((await first()).socket).resume(), "close");
  const lines: string[] = [];
  const read = createLineReader(10, (line) => lines.push(line));
  assert.ok(read("one\ntw") && read("o\n\n") && read("0123456789"));
  assert.deepEqual(lines, ["one", "two", ""]);
  assert.equal(read("0"), false);
});
