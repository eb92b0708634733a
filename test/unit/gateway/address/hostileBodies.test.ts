// Bodies that no agent sends, through the process at the port: each ends with a sentence or a close, costs nothing, and
// another agent is answered meanwhile. What the process itself needs for them is bounded.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { connection } from "../../session/budgetWindow.ts";
import { type Gateway, openGateway, sendRaw } from "../gatewayKit.ts";
import { exchange, open } from "../hostileHeads.ts";
import { overProcess } from "../overProcess.ts";

const ask = '"model":"echo","messages":[{"role":"user","content":"Say this."}]';
const million = 1_000_000;
/** Megabytes by which the process may grow over all of it. */
const mostGrownMb = 48;

function headOf({ port }: Gateway, token: string, lines: string): string {
  return `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${lines}\r\n\r\n`;
}

/** Name, body, status, and what the sentence says. */
const bodies: readonly [string, () => string, number, RegExp][] = [
  ["a text of 36 MB", () => `{${ask},"user":"${"x".repeat(36 * million)}"}`, 413, /over 34 MB/],
  ["a million arrays", () => `{${ask},"a":${"[".repeat(million)}${"]".repeat(million)}}`, 400, /too deeply/],
  [
    "100,000 members",
    () => `{${ask}${Array.from({ length: 100_000 }, (_, place) => `,"m${place}":1`).join("")}}`,
    400,
    /more than 500 members/,
  ],
  ["a name of a million letters", () => `{${ask},"${"n".repeat(million)}":1}`, 400, /Unrecognized key/],
  ["a number of a million digits", () => `{${ask},"temperature":${"9".repeat(million)}}`, 400, /temperature/],
  ["a member of the prototype", () => `{${ask},"__proto__":{"stream":true}}`, 400, /__proto__/],
  ["the constructor", () => `{${ask},"constructor":{"prototype":{"a":1}}}`, 400, /constructor/],
];

/** Lines of the head after the usual ones, what follows it, and the answer; empty if the connection is closed. */
const pieces: readonly [string, string, string, RegExp][] = [
  ["a size that is no number", "transfer-encoding: chunked", "zz\r\n{}\r\n", /^HTTP\/1\.1 400 /],
  ["a size of 16 digits", "transfer-encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n{}\r\n", /^HTTP\/1\.1 400 /],
  [
    "a piece longer than its size",
    "transfer-encoding: chunked",
    `1\r\n{${ask}}\r\n0\r\n\r\n`,
    /^HTTP\/1\.1 400 /,
  ],
  ["a compressed body", "content-encoding: gzip\r\ncontent-length: 4", "abcd", /^HTTP\/1\.1 415 /],
  ["100 MB announced", "content-length: 100000000", "{", /^HTTP\/1\.1 413 /],
];

test("a body that no agent sends is refused with a sentence, and another agent is answered meanwhile", async (t) => {
  const gateway = await overProcess(t, await openGateway(t));
  const { clients, sandbox } = gateway;
  const token = await clients.token((await clients.add("Cline")).id);
  const before = peakMb(gateway.pid);
  const stalled = await stall(t, gateway, token);
  let answered = 0;
  const checkAnswered = async () => {
    const { status, text } = await sendRaw(gateway, { body: `{${ask}}` });
    assert.equal(status, 200, text);
    answered += 1;
  };
  for (const [name, body, status, said] of bodies) {
    const refused = sendRaw({ ...gateway, token }, { body: body() });
    const [answer] = await Promise.all([refused, checkAnswered()]);
    assert.equal(answer.status, status, `${name}: ${answer.text.slice(0, 300)}`);
    assert.match(JSON.parse(answer.text).error.message, said, name);
    assert.ok(answer.text.length < 2_000, name);
  }
  for (const [name, lines, rest, expected] of pieces) {
    const refused = exchange(t, gateway.port, headOf(gateway, token, lines) + rest);
    const [answer] = await Promise.all([refused, checkAnswered()]);
    assert.match(answer, expected, name);
  }
  for (const socket of stalled) socket.destroy();
  await checkAnswered();
  assert.equal(sandbox.requests.filter(({ method }) => method === "POST").length, answered);
  assert.equal((await gateway.window.spend.entries(connection)).length, answered);
  assert.equal(Object.hasOwn(Object.prototype, "stream"), false);
  const grown = peakMb(gateway.pid) - before;
  assert.ok(grown < mostGrownMb, `the process has grown by ${grown} MB`);
});

/** Connections that never end their body: most of them have no valid token. */
async function stall(t: TestContext, gateway: Gateway, token: string): Promise<readonly Socket[]> {
  const sockets = await Promise.all(Array.from({ length: 60 }, () => open(t, gateway.port)));
  for (const [place, socket] of sockets.entries()) {
    socket.resume();
    const given = place < 8 ? token : `gw-${"a".repeat(43)}`;
    socket.write(headOf(gateway, given, "content-length: 1000"));
    for (const byte of "{ ".repeat(10)) socket.write(byte);
  }
  // Its sender is gone before the body is complete.
  const leaving = await open(t, gateway.port);
  leaving.resume().end(`${headOf(gateway, token, "content-length: 1000")}{`);
  await once(leaving, "close");
  return sockets;
}

/** The most memory that a process has had, where the system tells it. */
function peakMb(pid: number): number {
  if (process.platform !== "linux") return 0;
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}
