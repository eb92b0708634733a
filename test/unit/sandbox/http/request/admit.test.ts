// Checks before every route: the headers of a request decide, before its body is read.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { startTestSandbox, type TestSandbox } from "../../../../serviceKit/testSandbox.ts";

const piece = Buffer.alloc(1_000_000, 0x20);
const gigabyte = 1_000_000_000;

for (const dialect of ["standard", "venice"] as const)
  suite(`the front of the sandbox, ${dialect}`, () => {
    let sandbox: TestSandbox;
    let port = 0;
    before(async () => {
      sandbox = await startTestSandbox({ dialect, limits: "none" });
      port = Number(new URL(sandbox.baseUrl).port);
    });
    after(() => sandbox.close());

    const open = async (allowHalfOpen = false): Promise<Socket> => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen });
      // A connection that is closed during a write is an error; the reply is checked all the same.
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    };
    const head = (line: string, headers: Readonly<Record<string, string>>) =>
      `${line} HTTP/1.1\r\n${Object.entries({ Host: `127.0.0.1:${port}`, ...headers })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`;
    /** The complete reply to a request after which the server or the client closes the connection. */
    const ask = async (line: string, headers: Readonly<Record<string, string>>) => {
      const socket = await open();
      socket.write(head(line, { Connection: "close", ...headers }));
      return text(socket);
    };
    const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
    const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

    /** Sends as much of a body as the server accepts. Returns the reply and the number of bytes sent. */
    const pour = async (headers: Readonly<Record<string, string>>, most: number) => {
      const socket = await open(true);
      let answer = "";
      socket.on("data", (data) => {
        answer += data;
      });
      socket.write(head("POST /api/v1/chat/completions", { "Content-Type": "application/json", ...headers }));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      let sent = 0;
      for (; sent < most && !socket.destroyed && socket.writable; sent += piece.length)
        if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => {}), closed]);
      socket.end();
      await closed;
      return { answer, sent };
    };

    test("a bad key is refused before a body of 1 GB, which is not read, and the connection is closed", async () => {
      const { answer, sent } = await pour(
        { ...bearer("nobody"), "Content-Length": String(gigabyte) },
        gigabyte,
      );
      assert.equal(statusOf(answer), 401);
      assert.ok(sent < 200_000_000, `${sent} bytes were taken`);
    });

    test("a caller that stops sending receives the refusal and the end of the connection", async () => {
      for (const length of [{ "Content-Length": String(gigabyte) }, { "Transfer-Encoding": "chunked" }]) {
        const socket = await open();
        socket.write(head("POST /api/v1/chat/completions", { ...bearer("nobody"), ...length }));
        const chunk = "Content-Length" in length ? "" : `${piece.length.toString(16)}\r\n`;
        socket.write(chunk);
        socket.write(piece);
        const answer = await text(socket);
        assert.equal(statusOf(answer), 401);
        assert.match(answer, /\r\nconnection: close\r\n/i);
        assert.match(answer, /Authentication failed/);
      }
    });

    test("Expect: 100-continue is refused without a body, or continued", async () => {
      const expecting = { Expect: "100-continue", "Content-Length": "2", "Content-Type": "application/json" };
      const refused = await ask("POST /api/v1/chat/completions", { ...expecting, ...bearer("nobody") });
      assert.equal(statusOf(refused), 401);
      const socket = await open();
      const answer = text(socket);
      socket.write(
        head("POST /api/v1/chat/completions", {
          ...expecting,
          ...bearer(sandbox.apiKey),
          Connection: "close",
        }),
      );
      socket.write("{}");
      assert.match(await answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
    });

    test("a small body of a refused request is read, and the connection serves the next one", async () => {
      const socket = await open();
      const answers = text(socket);
      const headers = { "Content-Length": "2", "Content-Type": "application/json" };
      socket.write(`${head("POST /api/v1/chat/completions", { ...headers, ...bearer("nobody") })}{}`);
      socket.write(head("GET /api/v1/models", { ...bearer(sandbox.apiKey), Connection: "close" }));
      const statuses = [...(await answers).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
      assert.deepEqual(statuses, ["401", "200"]);
    });

    test("a body over the limit is refused with a good key, too, and its rest is not read", async () => {
      const headers = { ...bearer(sandbox.apiKey), "Content-Length": String(gigabyte) };
      const { answer, sent } = await pour(headers, gigabyte);
      assert.equal(statusOf(answer), 413);
      assert.ok(sent < 200_000_000, `${sent} bytes were taken`);
      const over = await pour({ ...headers, "Content-Length": "40000000" }, 40_000_000);
      assert.equal(statusOf(over.answer), 413);
    });

    test("foreign host names that resolve to this server get no reply, whatever their key", async () => {
      const hosts = [
        "evil.test",
        `evil.test:${port}`,
        "127.0.0.1",
        "127.0.0.1:1",
        `127.0.0.1.nip.test:${port}`,
      ];
      for (const host of [...hosts, `localhost.evil.test:${port}`, "", `user@127.0.0.1:${port}`])
        for (const line of ["GET /api/v1/models", "POST /api/v1/chat/completions", "GET /elsewhere"]) {
          const answer = await ask(line, { Host: host, ...bearer(sandbox.apiKey) });
          assert.equal(statusOf(answer), 421, `${line} of ${host}`);
        }
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`])
        assert.equal(
          statusOf(await ask("GET /api/v1/models", { Host: host, ...bearer(sandbox.apiKey) })),
          200,
        );
    });

    test("pages of other origins are refused; programs and its own pages are not", async () => {
      const others = ["https://evil.test", "http://127.0.0.1:1", `https://127.0.0.1:${port}`, "null"];
      for (const headers of [
        ...others.map((origin) => ({ Origin: origin })),
        { "Sec-Fetch-Site": "cross-site" },
        { "Sec-Fetch-Site": "same-site", Origin: `http://127.0.0.1:${port}` },
      ])
        assert.equal(
          statusOf(await ask("GET /api/v1/models", { ...headers, ...bearer(sandbox.apiKey) })),
          403,
          JSON.stringify(headers),
        );
      for (const headers of [
        {},
        { Origin: `http://127.0.0.1:${port}` },
        { Origin: "vscode-file://vscode-app" },
        { "Sec-Fetch-Site": "none" },
        { "Sec-Fetch-Site": "same-origin" },
      ])
        assert.equal(
          statusOf(await ask("GET /api/v1/models", { ...headers, ...bearer(sandbox.apiKey) })),
          200,
          JSON.stringify(headers),
        );
    });

    test("a request refused by its headers is logged without a body, with its reply", async () => {
      const next = sandbox.nextRequest({ path: "/chat/completions" });
      const response = await fetch(`${sandbox.baseUrl}/chat/completions`, {
        method: "POST",
        headers: { ...bearer("nobody"), "content-type": "application/json" },
        body: piece,
      });
      assert.equal(response.status, 401);
      const logged = await next;
      await logged.ended;
      assert.deepEqual([logged.bodyText, logged.status, logged.aborted], ["", 401, false]);
    });
  });
