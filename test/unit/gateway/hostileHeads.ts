// What no library sends.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Say this." }] });

export async function open(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** All that comes until the end of the connection. */
export async function exchange(t: TestContext, port: number, text: string): Promise<string> {
  const socket = await open(t, port);
  let got = "";
  socket.setEncoding("utf8").on("data", (piece: string) => {
    got += piece;
  });
  socket.write(text);
  // It may be reset after its answer, because the head was not read to its end.
  await new Promise((resolve) => socket.once("close", resolve));
  return got;
}

/** An answer to such a head. */
export const refusedHead = /^HTTP\/1\.1 (400|403|404|405|431) /;

export const heads: readonly [string, (port: number, token: string) => string][] = [
  [
    "two lengths",
    (port, token) =>
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  ],
  [
    "a length and chunks",
    (port, token) =>
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    "two hosts",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nhost: evil.example\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  ],
  [
    "two tokens",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  ],
  ["no host", (_port, token) => `GET /v1/models HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`],
  [
    "a bare line feed",
    (port, token) => `GET /v1/models HTTP/1.1\nhost: 127.0.0.1:${port}\nauthorization: Bearer ${token}\n\n`,
  ],
  [
    "a head of 100 KB",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nx: ${"a".repeat(100_000)}\r\n\r\n`,
  ],
  [
    "a value over two lines",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer\r\n ${token}\r\nconnection: close\r\n\r\n`,
  ],
  [
    "a space before the colon",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost : 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  ],
  [
    "the address of another host",
    (port, token) =>
      `GET http://evil.example/v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  ],
  [
    "a tunnel",
    (port, token) =>
      `CONNECT evil.example:443 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`,
  ],
  [
    "another protocol",
    (port, token) =>
      `GET /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n`,
  ],
];
