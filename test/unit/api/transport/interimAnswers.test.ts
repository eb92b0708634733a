// Interim answers nobody asked for (RFC 9110, 15.2), on raw sockets: skipped, and nothing is sent twice.
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { skipInterimAnswers } from "../../../../src/api/transport/interimAnswers.ts";
import { chunk, completion, frame } from "../../../loopback/answers.ts";
import { listenRaw, rawAnswer } from "../../../loopback/rawServer.ts";
import { randomCases } from "../../../runner/cases.ts";
import { createAuthority, issueCertificate } from "../../../vscode/certificate.ts";
import { clientOf, drain, failureOf, question, transports } from "../client.ts";

const asked = "HTTP/1.1 100 Continue\r\n\r\n";
const answer = rawAnswer(JSON.stringify(completion("paid")));

/** Each piece is a segment of its own. */
async function write(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await turn();
  }
}

const beginnings: Readonly<Record<string, readonly string[]>> = {
  "a 100 in one segment with the answer": [asked + answer],
  "a 100 before the answer": [asked, answer],
  "two of them": [asked, asked + answer],
  "one with headers": ["HTTP/1.1 100 Continue\r\nserver: gateway\r\nx: 1\r\n\r\n", answer],
  "one of HTTP/1.0": ["HTTP/1.0 100 Continue\r\n\r\n", answer],
  "one with bare line feeds": [`HTTP/1.1 100 Continue\n\n${answer}`],
  "102, 100 and 103": [
    "HTTP/1.1 102 Processing\r\n\r\n",
    `${asked}HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n${answer}`,
  ],
  "byte by byte": [...(asked + answer)],
};

for (const { name, create } of transports) {
  for (const [what, pieces] of Object.entries(beginnings)) {
    test(`${name}: ${what} is skipped, and the paid call is sent once`, async (t) => {
      const server = await listenRaw(t, (socket) => write(socket, pieces));
      const { api } = clientOf(t, server.origin, { transport: create() });
      for (let calls = 1; calls <= 3; calls++) {
        const { choices } = await api.chat.complete(question);
        assert.equal(choices[0]?.message.content, "paid");
        assert.equal(server.requests, calls);
      }
    });
  }

  test(`${name}: before a stream, over TLS`, async (t) => {
    allowAnyCertificate(t);
    const certificate = issueCertificate(createAuthority("Test CA"), "Test CA", ["127.0.0.1"]);
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    const events = frame(chunk("from a stream")) + frame("[DONE]");
    const server = await listenRaw(
      t,
      async (socket) => {
        await write(socket, [asked, head, events]);
        socket.end();
      },
      certificate,
    );
    const { api } = clientOf(t, server.origin, { transport: create() });
    const { text, end } = await drain(await api.chat.stream(question));
    assert.deepEqual([text, end, server.requests], ["from a stream", "done", 1]);
  });

  test(`${name}: a 100 without an answer ends at the deadline, and may have been billed`, async (t) => {
    const server = await listenRaw(t, (socket) => socket.write(asked));
    const timeouts = { headersMs: 100, idleMs: 100 };
    const { api } = clientOf(t, server.origin, { transport: create(), timeouts });
    const { kind, details } = await failureOf(api.chat.complete(question));
    assert.deepEqual([kind, details.mayHaveArrived, server.requests], ["timed-out", true, 1]);
  });

  test(`${name}: a 100 and the end of the connection is a lost connection`, async (t) => {
    const server = await listenRaw(t, (socket) => socket.end(asked));
    const { api } = clientOf(t, server.origin, { transport: create() });
    const { details } = await failureOf(api.chat.complete(question));
    assert.deepEqual([details.reason, details.mayHaveArrived, server.requests], ["reset", true, 1]);
  });

  test(`${name}: an interim answer without end is an error, not a wait`, async (t) => {
    const endless = `HTTP/1.1 100 Continue\r\n${"x: y\r\n".repeat(10_000)}`;
    const server = await listenRaw(t, (socket) => socket.write(endless));
    const { api } = clientOf(t, server.origin, { transport: create() });
    const { kind, details } = await failureOf(api.chat.complete(question));
    assert.deepEqual([kind, details.mayHaveArrived, server.requests], ["network", true, 1]);
  });
}

function allowAnyCertificate(t: TestContext): void {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  t.after(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
}

/** A socket that has these pieces to read. */
function socketOf(pieces: readonly string[]): Duplex {
  const socket = new Duplex({ read() {}, write: (_, __, done) => done() });
  for (const piece of pieces) socket.push(Buffer.from(piece, "latin1"));
  return socket;
}

function readAll(socket: Duplex): string {
  let text = "";
  for (;;) {
    const piece: unknown = socket.read();
    if (piece === null) return text;
    text += String(piece);
  }
}

test("whatever the cuts, the answer comes as it is, and the socket reads as before", () => {
  const interim = fc.constantFrom(asked, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
  const body = fc.constantFrom("{}", asked, "HTTP/1.1 100", "\r\n\r\n", "");
  const begun = fc.tuple(fc.array(interim, { maxLength: 3 }), body, fc.array(fc.nat(400), { maxLength: 6 }));
  fc.assert(
    fc.property(begun, ([interims, words, places]) => {
      const whole = interims.join("") + rawAnswer(words);
      const cuts = [0, ...places.map((place) => place % whole.length).sort((a, b) => a - b), whole.length];
      const pieces = cuts.slice(1).map((end, index) => whole.slice(cuts[index], end));
      const socket = socketOf(pieces.filter((piece) => piece !== ""));
      skipInterimAnswers(socket);
      assert.equal(readAll(socket), rawAnswer(words));
      assert.ok(!Object.hasOwn(socket, "read"));
    }),
    { numRuns: randomCases(300) },
  );
});

test("an upgrade, other protocols and what only begins like HTTP are passed on", () => {
  const starts = ["HTTP/1.1 101 Switching Protocols\r\n\r\nx", "SSH-2.0-OpenSSH_9.6\r\n", "\0\0\u0012\u0004"];
  for (const text of [...starts, "HTTP/2 200\r\n\r\n", "HTTP/1.1 1000 Odd\r\n\r\n"]) {
    const socket = socketOf([text]);
    skipInterimAnswers(socket);
    assert.equal(readAll(socket), text);
  }
});
