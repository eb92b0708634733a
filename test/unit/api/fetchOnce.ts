// A separate process for transport.test.ts: one request by the undici transport, its status or reason on stdout.
import { classifyThrown } from "../../../src/api/errors/networkError.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";

const [url = "", trust] = process.argv.slice(2);
const transport = createUndiciTransport({ systemCertificates: trust === "system" });
try {
  const { signal } = new AbortController();
  const { status } = await transport.send({ method: "GET", url, headers: {}, signal });
  process.stdout.write(String(status));
} catch (error) {
  process.stdout.write(String(classifyThrown("", error, []).details.reason));
} finally {
  await transport.close();
}
