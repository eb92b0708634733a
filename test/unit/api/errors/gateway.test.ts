// What answers in place of the service: on raw sockets, through both transports, each with the step that helps.
import assert from "node:assert/strict";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { toBytes } from "../../../../src/api/binary.ts";
import { uploadFromBytes } from "../../../../src/api/call/body/upload.ts";
import type { NetworkReason } from "../../../../src/api/errors/errors.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { createAuthority, issueCertificate } from "../../../vscode/certificate.ts";
import { clientOf, failureOf, question, serve, transports } from "../client.ts";

const authority = createAuthority("Test CA");
const pair = issueCertificate(authority, "Test CA", ["127.0.0.1"]);

async function originOf(t: TestContext, server: net.Server, scheme: "http" | "https"): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers the first bytes of a connection with these. */
function saying(bytes: Uint8Array | string): net.Server {
  return net.createServer((socket) => socket.once("data", () => socket.end(bytes)));
}

function replying(status: number, headers: Record<string, string>, body = "") {
  return http.createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    response.writeHead(status, headers);
    response.end(body);
  });
}

const html = { "content-type": "text/html" };
const page = (title: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body></body></html>`;
const proxySignIn = "a proxy that wants a sign-in";
const cases: readonly {
  readonly what: string;
  readonly scheme?: "https";
  readonly server: () => net.Server;
  readonly reason: NetworkReason;
  readonly says: RegExp;
}[] = [
  {
    what: "https at a server of plain HTTP",
    scheme: "https",
    server: () => replying(200, {}),
    reason: "plain-http",
    says: /write http:\/\//,
  },
  {
    what: "http at a port of TLS that answers with an alert",
    server: () => saying(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
    reason: "tls-needed",
    says: /Write https:\/\//,
  },
  {
    what: "nginx's words",
    server: () => replying(400, html, page("400 The plain HTTP request was sent to HTTPS port")),
    reason: "tls-needed",
    says: /Write https:\/\//,
  },
  {
    what: "Go's words",
    server: () =>
      replying(400, { "content-type": "text/plain" }, "Client sent an HTTP request to an HTTPS server.\n"),
    reason: "tls-needed",
    says: /Write https:\/\//,
  },
  {
    what: "a server of HTTP/2 alone",
    server: () => http2.createServer(),
    reason: "http2-only",
    says: /HTTP\/2/,
  },
  {
    what: "a TLS server of HTTP/2 alone",
    scheme: "https",
    server: () => http2.createSecureServer({ ...pair, allowHTTP1: false }),
    reason: "http2-only",
    says: /HTTP\/2/,
  },
  {
    what: proxySignIn,
    server: () => replying(407, html, page("Proxy Authentication Required")),
    reason: "proxy",
    says: /proxy refused.*sign-in.*NAME:PASSWORD@/,
  },
  {
    what: "a network that wants a sign-in",
    server: () => replying(511, html, page("Hotel")),
    reason: "portal",
    says: /in your browser/,
  },
  {
    what: "Cloudflare's challenge",
    server: () => replying(403, { ...html, "cf-mitigated": "challenge" }, page("Just a moment...")),
    reason: "challenge",
    says: /checks visitors \(“Just a moment\.\.\.”\)/,
  },
  {
    what: "a challenge under 503",
    server: () => replying(503, html, page("DDoS-Guard")),
    reason: "challenge",
    says: /checks visitors/,
  },
  {
    what: "a redirect",
    server: () => replying(301, { location: "https://elsewhere.example/api" }),
    reason: "redirect",
    says: /redirects to https:\/\/elsewhere\.example\/api, but/,
  },
  {
    what: "a redirect to no address",
    server: () => replying(302, { location: "javascript:alert(1)" }),
    reason: "redirect",
    says: /redirects to another address/,
  },
];

for (const { name, create } of transports) {
  // Fetch tells nothing of a 407 (Fetch standard, HTTP-network-or-cache fetch); CONNECT has tests of its own.
  const seen = cases.filter(({ what }) => name !== "host transport" || what !== proxySignIn);
  for (const { what, scheme = "http", server, reason, says } of seen) {
    test(`${name}: ${what} is told, and asked once`, async (t) => {
      const trusted = scheme === "https" ? process.env.NODE_TLS_REJECT_UNAUTHORIZED : undefined;
      if (scheme === "https") {
        process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
        t.after(() => {
          if (trusted === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
          else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusted;
        });
      }
      const { api, events } = clientOf(t, await originOf(t, server(), scheme), { transport: create() });
      const error = await failureOf(api.models.list({}));
      assert.equal(error.details.reason, reason, `${error.details.code} ${error.message}`);
      assert.match(explain(error, { service: "api.example" }).sentence, says);
      assert.equal(events.filter(({ type }) => type === "exchange").length, 1);
    });
  }

  test(`${name}: a document that a gateway finds too large is to be sent smaller, once`, async (t) => {
    const server = http.createServer((request, response) => {
      // As nginx does: before the body is read.
      response.writeHead(413, { ...html, connection: "close" });
      response.end(page("413 Request Entity Too Large"));
      request.resume();
    });
    const { api, events } = clientOf(t, await originOf(t, server, "http"), { transport: create() });
    const file = uploadFromBytes("report.pdf", "application/pdf", new Uint8Array(2 ** 20));
    const error = await failureOf(api.augment.parse({ file }));
    const { sentence } = explain(error, { service: "api.example" });
    assert.equal(error.details.status, 413);
    assert.match(sentence, /too large for api\.example: .*413.*Send a smaller document/);
    assert.equal(events.filter(({ type }) => type === "exchange").length, 1);
  });

  test(`${name}: 520 to 530 are sent again for what only reads, never for what may be billed`, async (t) => {
    for (const status of [520, 522, 524, 530]) {
      const server = await serve(t, (_, response) => response.writeHead(status).end());
      const { api } = clientOf(t, server.origin, { transport: create() });
      await failureOf(api.chat.complete(question));
      assert.equal(server.received.length, 1, `${status}`);
      await failureOf(api.account.rateLimits({}));
      assert.equal(server.received.length, 4, `${status}`);
    }
  });

  test(`${name}: neither an error in JSON nor nothing is a sound, whatever its type says`, async (t) => {
    const bodies = ['{"error":{"message":"the voice is busy","code":503}}', ""];
    for (const body of bodies) {
      const server = await serve(t, (_, response) =>
        response.writeHead(200, { "content-type": "audio/mpeg" }).end(body),
      );
      const { api } = clientOf(t, server.origin, { transport: create() });
      const reply = await api.audio.speech({ input: "hello", model: "tts" });
      const error = await failureOf(toBytes(reply));
      assert.match(error.message, body === "" ? /the file is empty/ : /the voice is busy/);
    }
  });
}

test("a proxy of the environment is used by its rules, as curl and Go have them", async (t) => {
  const asked: string[] = [];
  const proxy = http.createServer();
  proxy.on("connect", ({ url = "" }: IncomingMessage, socket: net.Socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const origin = await originOf(t, proxy, "http");
  const environment = { HTTPS_PROXY: origin, NO_PROXY: "internal.example, .local" };
  const { api } = clientOf(t, "https://api.example", { transport: createUndiciTransport({ environment }) });
  const error = await failureOf(api.models.list({}));
  assert.equal(error.details.reason, "proxy", error.message);
  assert.match(explain(error, { service: "api.example" }).sentence, /The proxy refused.*HTTP 403/);
  assert.deepEqual(asked, ["api.example:443"]);
});
