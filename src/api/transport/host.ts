import type { Transport } from "./transport.ts";

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
        headers,
        signal,
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, headers: response.headers, body: response.body ?? noBody };
    },
    async close() {},
  };
}
