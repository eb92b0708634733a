import { SendTrace, traced } from "./connectionTrace.ts";
import { readClosedConnections, type Transport, type TransportBody } from "./transport.ts";

const noBody: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/**
 * The global fetch. In the extension host, VS Code patches it for `http.proxy`, PAC and the system's certificates. No
 * `dispatcher` is passed because that would bypass all three.
 */
export function createHostTransport(): Transport {
  return {
    name: "host",
    async send({ method, url, headers, body, signal, trace = new SendTrace() }) {
      await readClosedConnections();
      const response = await traced(url, trace, () =>
        fetch(url, { method, signal, redirect: "manual", ...withBody(headers, body) }),
      );
      return { status: response.status, headers: response.headers, body: response.body ?? noBody };
    },
    async close() {},
  };
}

function withBody(headers: Readonly<Record<string, string>>, body: TransportBody | undefined): RequestInit {
  if (body === undefined || typeof body === "string") return { headers, body: body ?? null };
  // Without a content length, fetch sends chunked encoding, which many gateways refuse for uploads.
  const sized = { ...headers, "content-length": String(body.length) };
  return { headers: sized, body: ReadableStream.from(body.open()), duplex: "half" };
}
