// What another user, a flood and smuggled heads can do at the address: nothing reaches a window that has not to, and calls
// are answered after.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { addressPath } from "../../../../src/gateway/address/addressFile.ts";
import { ClientBook } from "../../../../src/gateway/clients/clientBook.ts";
import { exchange, heads, refusedHead } from "../hostileHeads.ts";
import { openAddress, type TestAddress } from "./addressKit.ts";

const client = { id: "1", name: "Codex", isPrivateOnly: false, sessionCapUsd: undefined };
const token = `gw-${"t".repeat(43)}`;
const connections = 10_000;
/** That the process keeps at once. */
const kept = 1_000;
/** A user whose files nobody of this machine has. */
const otherUser = 65_534;

test("a head that two programs could read differently is refused through the process, too", async (t) => {
  const address = await openAddress(t);
  await address.open({ name: "window", clientOf: async (given) => (given === token ? client : undefined) });
  for (const [name, head] of heads) {
    const answer = await exchange(t, address.port, head(address.port, token));
    assert.match(answer, refusedHead, `${name}: ${answer.slice(0, 200)}`);
  }
  assert.equal((await address.call()).status, 401);
});

test("a refusal reaches its caller, however much of the request is still on its way", async (t) => {
  const address = await openAddress(t);
  await address.open({ name: "window" });
  const body = JSON.stringify({ padding: "x".repeat(3_000_000) });
  const head = (size: number) => `GET /v1/models HTTP/1.1\r\nx-a: ${"a".repeat(size)}\r\n\r\n`;
  for (let round = 0; round < 10; round++) {
    const calls = await Promise.all(Array.from({ length: 4 }, () => address.call(undefined, body)));
    assert.deepEqual(
      calls.map(({ status }) => status),
      [401, 401, 401, 401],
    );
    assert.match(await exchange(t, address.port, head(1_000_000)), /^HTTP\/1\.1 431 /);
  }
});

test("the status of a refused body says what is wrong with it", async (t) => {
  const address = await openAddress(t);
  await address.open({ name: "window", clientOf: async (given) => (given === token ? client : undefined) });
  const lines = [
    "POST /v1/chat/completions HTTP/1.1",
    `host: 127.0.0.1:${address.port}`,
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    "transfer-encoding: chunked",
    "",
    `2;${"a".repeat(20_000)}`,
    "{}",
  ];
  assert.match(await exchange(t, address.port, lines.join("\r\n")), /^HTTP\/1\.1 413 /);
});

test("a second request on a connection is not run, because nobody would get its answer", async (t) => {
  const address = await openAddress(t);
  await address.open({ name: "window", clientOf: async (given) => (given === token ? client : undefined) });
  const host = `host: 127.0.0.1:${address.port}\r\nauthorization: Bearer ${token}`;
  const answer = await exchange(t, address.port, `GET /v1/models HTTP/1.1\r\n${host}\r\n\r\n`.repeat(3));
  assert.match(answer, /^HTTP\/1\.1 500 /);
  assert.deepEqual(address.asked, ["window"]);
});

/** Opens so many that the process has to close most of them. Resolves when it has. */
async function flood({ port }: TestAddress): Promise<readonly Socket[]> {
  const refused = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  let closed = 0;
  const open = () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.once("close", () => {
      closed += 1;
      if (closed === connections - kept) refused.resolve();
    });
    sockets.push(socket);
    return Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => {});
  };
  while (sockets.length < connections) await Promise.all(Array.from({ length: 250 }, open));
  await refused.promise;
  return sockets;
}

test("of 10,000 connections the process keeps a thousand, and answers when they are gone", async (t) => {
  const address = await openAddress(t);
  const window = await address.open({ name: "window" });
  const sockets = await flood(address);
  assert.ok(sockets.filter(({ destroyed }) => !destroyed).length <= kept);
  assert.deepEqual(address.asked, [], "the window has seen none of them");
  for (const socket of sockets) socket.destroy();
  const tryCall = () => address.call().catch(() => undefined);
  let answer = await tryCall();
  // The process closes its side of the connections one after the other.
  while (!answer) answer = await tryCall();
  assert.equal(answer.status, 401);
  assert.equal(window.state, "here");
  assert.equal(address.pids().length, 1);
});

/** What a process of another user says of each path: the code of its error, or `open`. */
const probe = `
  const { connect } = require("node:net"), { openSync } = require("node:fs");
  const [port, socket, ...files] = process.argv.slice(1);
  const said = files.map((path) => { try { openSync(path, "r"); return "open"; } catch ({ code }) { return code; } });
  const reach = (where) => new Promise((resolve) => connect(where).on("connect", () => resolve("open")).on("error", ({ code }) => resolve(code)));
  Promise.all([reach(socket), reach({ port: Number(port), host: "127.0.0.1" })]).then((more) => {
    console.log(JSON.stringify([process.getuid(), ...said, ...more]));
    process.exit();
  });`;

test("another user of the machine reaches the port alone: no token, no file, no private socket", async (t) => {
  if (process.platform === "win32") return;
  const address = await openAddress(t);
  await address.open({ name: "window" });
  const book = new ClientBook({ folder: join(address.folder, "gateway"), now: Date.now });
  const { id } = await book.add("Codex");
  const file = addressPath(address.folder, address.port);
  const { socket } = JSON.parse(readFileSync(file, "utf8")) as { readonly socket: string };
  const files = [file, join(address.folder, "gateway", "clients.json"), book.tokenFile(id)];
  // Nothing but the modes of the gateway's own files and folders protects them.
  for (const folder of [dirname(address.folder), address.folder]) chmodSync(folder, 0o755);
  if (process.getuid?.() !== 0) {
    // Only the superuser can start a process of another user: the modes say what the system refuses.
    for (const path of files) assert.equal(statSync(path).mode & 0o077, 0, path);
    assert.equal(statSync(dirname(socket)).mode & 0o077, 0);
    return;
  }
  const args = ["-e", probe, String(address.port), socket, ...files];
  const { stdout, stderr } = spawnSync("node", args, { uid: otherUser, gid: otherUser, encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout || stderr), [otherUser, "EACCES", "EACCES", "EACCES", "EACCES", "open"]);
  assert.equal((await address.call()).status, 401);
});
