import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import * as vscode from "vscode";
import { createHostTransport } from "../../src/api/transport/host.ts";
import type { Transport } from "../../src/api/transport/transport.ts";
import type { createUndiciTransport as CreateUndiciTransport } from "../../src/api/transport/undici.ts";
import { bundlePath } from "./extensions.ts";
import { type LoopbackServer, startDroppingProxy, startProxy, startService } from "./loopback.ts";
import { hostName } from "./protocol.ts";

/** Both transports, as created with `http.proxy` set to `proxyUrl`. */
const transports: ReadonlyArray<{ name: string; create(proxyUrl?: string): Transport }> = [
  { name: "the host's fetch", create: () => createHostTransport() },
  { name: "undici", create: (proxyUrl) => loadUndici()(proxyUrl === undefined ? {} : { proxyUrl }) },
];

/**
 * Whether this run can add an authority to the system's store: OpenSSL reads a variable, but the key chains of macOS
 * and Windows would have to be changed.
 */
const hasPrivateAuthority = process.platform === "linux";

for (const { name, create } of transports) {
  describe(`a request by ${name}`, () => {
    const open: LoopbackServer[] = [];
    const start = async (server: Promise<LoopbackServer>) => {
      open.push(await server);
      return server;
    };
    afterEach(async () => {
      await setProxy(undefined);
      for (const server of open.splice(0)) await server.close();
    });

    it("goes through the proxy of http.proxy", async () => {
      const service = await start(startService());
      const proxy = await start(startProxy());
      const proxyUrl = `http://127.0.0.1:${proxy.port}`;
      await setProxy(proxyUrl);
      assert.equal(await get(create(proxyUrl), `http://${hostName}:${service.port}/x`), "hello");
      assert.deepEqual(service.requests, ["GET /x"]);
      assert.equal(proxy.requests.length, 1);
      assert.match(proxy.requests[0] ?? "", new RegExp(`${hostName}:${service.port}`));
    });

    const itWithAuthority = hasPrivateAuthority ? it : () => {};
    itWithAuthority(
      "goes through that proxy to a service with a certificate of a private authority in the system's store",
      async () => {
        const service = await start(startService("trusted"));
        const proxy = await start(startProxy());
        const proxyUrl = `http://127.0.0.1:${proxy.port}`;
        await setProxy(proxyUrl);
        assert.equal(await get(create(proxyUrl), `https://${hostName}:${service.port}/x`), "hello");
        assert.deepEqual(proxy.requests, [`CONNECT ${hostName}:${service.port}`]);
      },
    );

    itWithAuthority("trusts a private authority of the system's store", async () => {
      const service = await start(startService("trusted"));
      assert.equal(await get(create(), `https://localhost:${service.port}/x`), "hello");
    });

    it("asks a proxy that drops CONNECT once, and leaves no loop behind", async () => {
      const proxy = await start(startDroppingProxy());
      const proxyUrl = `http://127.0.0.1:${proxy.port}`;
      await setProxy(proxyUrl);
      const failed = await get(create(proxyUrl), `https://${hostName}:8443/x`).catch(
        (error: unknown) => error,
      );
      assert.ok(codesOf(failed).includes("ERR_PROXY_CLOSED"), String(failed));
      const { length } = proxy.requests;
      assert.ok(length >= 1 && length <= 2, `${length} requests`);
      // Turns of the event loop in which undici would have connected again.
      for (let count = 0; count < 500; count++) await turn();
      assert.equal(proxy.requests.length, length);
    });

    it("trusts no other authority", async () => {
      const service = await start(startService("unknown"));
      await assert.rejects(get(create(), `https://localhost:${service.port}/x`));
      assert.deepEqual(service.requests, []);
    });
  });
}

/** The codes of an error and its causes. */
function codesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  return [(error as { readonly code?: unknown }).code, ...codesOf(error.cause)];
}

async function get(transport: Transport, url: string): Promise<string> {
  try {
    const { body } = await transport.send({
      method: "GET",
      url,
      headers: {},
      signal: AbortSignal.timeout(60_000),
    });
    return await text(body);
  } finally {
    await transport.close();
  }
}

async function setProxy(url: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration("http").update("proxy", url, vscode.ConfigurationTarget.Global);
}

function loadUndici(): typeof CreateUndiciTransport {
  const bundle = bundlePath("undici.js");
  return (createRequire(bundle)(bundle) as { createUndiciTransport: typeof CreateUndiciTransport })
    .createUndiciTransport;
}
