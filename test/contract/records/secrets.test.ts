// The log of requests after each row was called with marked secrets: none of them is in its files.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Transport } from "../../../src/api/transport/transport.ts";
import { headOf } from "../../../src/requests/host/log/requestHead.ts";
import { RequestLog } from "../../../src/requests/host/log/requestLog.ts";
import { noNames } from "../../../src/shared/chat/modelNames.ts";
import { temporaryFolder } from "../../unit/temporaryFolder.ts";
import { transports } from "../suite/suite.ts";
import { sandboxTargets } from "../suite/target.ts";
import { callRecorded, rowsFor } from "./recordedRows.ts";

const cookie = "marked-cookie-5d1f";
const proxyPassword = "marked-proxy-password-77";
const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] as const };

/** The service sets a cookie, and a proxy tells its credentials. A refusal quotes what the client sent. */
function leaking(transport: Transport, isRefusing: () => boolean): Transport {
  return {
    name: transport.name,
    close: () => transport.close(),
    async send(request) {
      const response = await transport.send(request);
      const headers = new Headers(response.headers);
      headers.set("set-cookie", `session=${cookie}; HttpOnly`);
      headers.set("proxy-authenticate", proxyPassword);
      headers.set("via", `http://user:${proxyPassword}@proxy.example`);
      if (!isRefusing()) return { ...response, headers };
      const message = `refused: ${JSON.stringify(request.headers)}`;
      headers.set("content-type", "application/json");
      headers.delete("content-length");
      const text = JSON.stringify({ error: { message }, cookie, password: proxyPassword });
      return { status: 400, headers, body: once(Buffer.from(text)) };
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function textOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join(
    "\n",
  );
}

/** The members of a reply that are new keys. */
function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "apiKey" && typeof member === "string" ? [member] : keysIn(member),
  );
}

for (const { name, dialect, open } of sandboxTargets) {
  for (const [transportName, createTransport] of Object.entries(transports)) {
    describe(`recorded calls, ${name}, ${transportName} transport`, () => {
      test("no file of the log has a secret, after each row of the client was called and refused", async (t) => {
        const target = await open();
        let isRefusing = false;
        const transport = leaking(createTransport(), () => isRefusing);
        t.after(async () => {
          await transport.close();
          await target.close();
        });
        const folder = temporaryFolder();
        const log = new RequestLog(folder, {
          now: Date.now,
          keepDays: () => 7,
          onUnwritable: (error) => assert.fail(String(error)),
        });
        const secrets = [target.apiKey, cookie, proxyPassword];
        const rows = rowsFor(target);
        for (const row of rows)
          for (isRefusing of [false, true]) {
            const onSigned = (signed: string) => void secrets.push(signed);
            const { value, called } = await callRecorded(target, transport, row, onSigned);
            secrets.push(...keysIn(value));
            await log.add(await headOf({ id: "live", name: "Live", kind: "live" }, called, prices), called);
          }
        const recorded = new Set((await log.read()).map(({ endpoint }) => endpoint));
        assert.deepEqual([...recorded].sort(), rows.map(([id]) => id).sort());
        // The key, the cookie, the password, the created key, and signed sign-ins where there are rows for them.
        assert.ok(
          secrets.length > (dialect === "venice" ? 4 : 3),
          "no key was created, or nothing was signed",
        );
        const text = await textOf(folder);
        assert.ok(text.includes('"authorization":"***"') && text.length > 10_000);
        for (const secret of secrets) assert.ok(!text.includes(secret), secret);
      });
    });
  }
}
