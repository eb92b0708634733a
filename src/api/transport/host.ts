import type { Transport, TransportBody } from "./transport.ts";

const noBody: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/**
 * The fetch of the process: in the extension host VS Code has patched it for `http.proxy`, PAC and the system's
 * certificates. No `dispatcher` is ever passed, it would take the request past all three.
 */
export function createHostTransport(): Transport {
  return {
    name: "host",
    async send({ method, url, headers, body, signal }) {
      const response = await fetch(url, {
        method,
        signal,
        redirect: "manual",
        ...withBody(headers, body),
      });
      return { status: response.status, headers: response.headers, body: response.body ?? noBody };
    },
    async close() {},
  };
}

function withBody(headers: Readonly<Record<string, string>>, body: TransportBody | undefined): RequestInit {
  if (body === undefined || typeof body === "string") return { headers, body: body ?? null };
  // Without the length fetch would send chunks, which many gateways refuse for uploads.
  const sized = { ...headers, "content-length": String(body.length) };
  return { headers: sized, body: ReadableStream.from(body.open()), duplex: "half" };
}
