const mostRedirects = 3;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * `fetch` for servers: a body has at most so many bytes without an empty line, which ends an event of a stream. It follows
 * redirects within the origin only: headers can be secret. Aborted with `ended`.
 */
export function boundedFetch(mostBytes: number, ended: AbortSignal): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, ended]) : ended;
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await fetch(url, { ...init, signal, redirect: "manual" });
      if (response.status < 300 || response.status >= 400) return bounded(response, mostBytes);
      await response.body?.cancel();
      url = targetOf(response, url);
    }
    throw new Error("It redirects without end.");
  };
}

function targetOf({ headers }: Response, from: URL): URL {
  const target = new URL(headers.get("location") ?? "", from);
  if (target.origin === from.origin) return target;
  throw new Error(`It leads to another address: ${target.origin}. Write that URL into mcp.json.`);
}

function bounded(response: Response, mostBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const end = isStream ? lastEventEnd(chunk) : -1;
      bytes = end < 0 ? bytes + chunk.length : chunk.length - end;
      if (bytes > mostBytes) controller.error(new Error("It sent a message that is too long."));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(count), { status, statusText, headers });
}

/** The index after the last empty line of a chunk; -1 without one. One between two chunks is missed, which only counts more. */
function lastEventEnd(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(lineFeed); at > 0; at = chunk.lastIndexOf(lineFeed, at - 1)) {
    const before = chunk[at - 1] === carriageReturn ? at - 2 : at - 1;
    if (before >= 0 && chunk[before] === lineFeed) return at + 1;
  }
  return -1;
}
