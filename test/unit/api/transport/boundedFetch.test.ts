// What fetches a URL that somebody else chose, before servers that do their worst.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import {
  boundedFetch,
  type FetchBounds,
  FetchError,
  type FetchFault,
  type HostRule,
  originOfStart,
  publicHosts,
  publicHostsAndThisMachine,
} from "../../../../src/api/transport/boundedFetch.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { type Answer, type Loopback, listen } from "../../../loopback/server.ts";

const bounds: FetchBounds = {
  mayAsk: publicHostsAndThisMachine,
  accept: "text/plain",
  maxBytes: 1_000,
  maxRedirects: 3,
  timeoutMs: 20_000,
};

/** The fault of a fetch that must fail. */
async function faultOf(address: string, more: Partial<FetchBounds> = {}): Promise<FetchFault> {
  const failure = await boundedFetch(address, { ...bounds, ...more }).then(
    () => assert.fail(`${address} was fetched`),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof FetchError, String(failure));
  return failure.fault;
}

describe("a bounded fetch", () => {
  let server: Loopback;
  let answer: Answer;
  before(async () => {
    server = await listen((request, response) => answer(request, response));
  });
  beforeEach(() => {
    answer = (_, response) => void response.end("text");
  });
  after(() => server.close());

  const redirectTo =
    (location: string, status = 302): Answer =>
    (_, response) =>
      void response.writeHead(status, { location }).end();

  test("sends two headers of its caller and nothing that identifies, at the start and behind a redirect", async () => {
    answer = ({ url }, response) =>
      url === "/a"
        ? void response
            .writeHead(302, { location: "/b", "set-cookie": "id=7", "www-authenticate": "Basic" })
            .end()
        : void response.end("text");
    const first = server.received.length;
    const { url, bytes } = await boundedFetch(`${server.origin}/a`, { ...bounds, userAgent: "test" });
    assert.equal(url.pathname, "/b");
    assert.equal(Buffer.from(bytes).toString(), "text");
    for (const { headers, method } of server.received.slice(first)) {
      assert.equal(method, "GET");
      assert.deepEqual([headers.accept, headers["user-agent"]], ["text/plain", "test"]);
      for (const name of ["cookie", "authorization", "referer", "origin"])
        assert.equal(headers[name], undefined);
    }
  });

  test("however an address is written, each host is asked only after its rule allowed it", async () => {
    const hosts = [
      "127.0.0.1",
      "localhost",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
      "127.1",
      "other.test",
    ];
    const target = fc.record({
      scheme: fc.constantFrom("http:", "https:", "file:", "ftp:", "data:", "javascript:", "HTTP:", ""),
      user: fc.constantFrom("", "", "me@", "me:secret@", ":@"),
      host: fc.constantFrom(...hosts),
      port: fc.constantFrom("here", "1", ""),
      path: fc.constantFrom("/", "/x?y", "\\x", "//", ""),
    });
    const hops = fc.array(target, { minLength: 1, maxLength: 5 });
    const rule = fc.constantFrom<HostRule[]>(publicHosts, publicHostsAndThisMachine, originOfStart);
    await fc.assert(
      fc.asyncProperty(hops, rule, async (list, mayAsk) => {
        const locations = list.map(({ scheme, user, host, port, path }) => {
          const shown = port === "" ? "" : `:${port === "here" ? server.port : port}`;
          return `${scheme}//${user}${host}${shown}${path}`;
        });
        const asked: string[] = [];
        const allowed = new Set<string>();
        let hop = 0;
        const watched: HostRule = async (url, start) => {
          const verdict = await mayAsk(url, start);
          if (verdict === "allowed") allowed.add(url.href);
          return verdict;
        };
        const send: FetchBounds["send"] = async ({ url, headers }) => {
          asked.push(url);
          assert.deepEqual(Object.keys(headers), ["accept"]);
          const location = locations[hop++];
          const status = location === undefined ? 200 : 302;
          const sent = new Headers(location === undefined ? {} : { location });
          return { status, headers: sent, body: { async *[Symbol.asyncIterator]() {} } };
        };
        const start = `http://127.0.0.1:${server.port}/start`;
        const given = { ...bounds, mayAsk: watched, send };
        await boundedFetch(start, given).catch((error) =>
          assert.ok(error instanceof FetchError, String(error)),
        );
        assert.ok(asked.length <= bounds.maxRedirects + 1);
        for (const address of asked) {
          const url = new URL(address);
          assert.match(url.protocol, /^https?:$/);
          assert.equal(`${url.username}${url.password}`, "");
          assert.ok(allowed.has(address), `${address} was asked without its rule`);
          if (mayAsk === originOfStart) assert.equal(url.origin, new URL(start).origin);
        }
        if (mayAsk === publicHosts) assert.deepEqual(asked, []);
      }),
    );
  });

  test("a redirect to a private host, another scheme or with a password sends nothing there", async () => {
    const target = await listen((_, response) => void response.end("secret"));
    const onlyTheStart: HostRule = (url) => (url.port === String(server.port) ? "allowed" : publicHosts(url));
    const faults: Readonly<Record<string, FetchFault>> = {
      [`${target.origin}/`]: "private",
      [`http://localhost:${target.port}/`]: "private",
      [`http://[::ffff:7f00:1]:${target.port}/`]: "private",
      "http://169.254.169.254/latest/meta-data/": "private",
      "http://10.0.0.1/": "private",
      "http://printer/": "private",
      "http://nas.local./": "private",
      "file:///etc/passwd": "scheme",
      "data:text/plain,x": "scheme",
      [`http://me:secret@127.0.0.1:${server.port}/`]: "credentials",
      "http://[": "redirect-target",
    };
    for (const [location, fault] of Object.entries(faults)) {
      for (const status of [301, 302, 303, 307, 308]) {
        answer = redirectTo(location, status);
        assert.equal(await faultOf(server.origin, { mayAsk: onlyTheStart }), fault, location);
      }
    }
    assert.equal(target.received.length, 0);
    await target.close();
  });

  test("this machine is public for the sandbox alone, private networks for nobody", async () => {
    const verdictOf = async (rule: typeof publicHosts, host: string) => rule(new URL(`http://${host}/`));
    const here = ["127.0.0.1", "127.9.9.9", "[::1]", "localhost", "localhost.", "app.localhost"];
    const open = ["8.8.8.8", "[2606:4700::1]", "172.32.0.1"];
    const closed = [
      ...["0.0.0.0", "100.64.0.1", "172.16.0.1", "172.31.255.255", "[fe80::1]", "[::]", "224.0.0.1"],
      ...[
        "intranet",
        "nas.local",
        "nas.local.",
        "[::ffff:10.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::a00:1]",
      ],
    ];
    for (const host of [...here, ...closed])
      assert.equal(await verdictOf(publicHosts, host), "private", host);
    for (const host of open) assert.equal(await verdictOf(publicHosts, host), "allowed", host);
    const onSandbox = async (url: URL) => publicHostsAndThisMachine(url);
    for (const host of [...here, ...open]) assert.equal(await verdictOf(onSandbox, host), "allowed", host);
    for (const host of closed) assert.equal(await verdictOf(onSandbox, host), "private", host);
  });

  test("a name is as private as each address that DNS gives it; one that DNS does not know is asked", async () => {
    const verdictOf = (...addresses: readonly string[]) =>
      publicHosts(new URL("https://rebound.example/"), undefined, async () => addresses);
    assert.equal(await verdictOf("8.8.8.8", "2606:4700::1"), "allowed");
    assert.equal(await verdictOf("8.8.8.8", "10.0.0.7"), "private");
    assert.equal(await verdictOf("8.8.8.8", "::1"), "private");
    assert.equal(await verdictOf("::ffff:169.254.169.254"), "private");
    assert.equal(await verdictOf(), "allowed");
  });

  test("redirects are counted: the last allowed one is followed, one more is not", async () => {
    answer = ({ url }, response) =>
      url === "/3"
        ? void response.end("text")
        : redirectTo(`/${Number(url.slice(1)) + 1}`)({ url } as never, response);
    const { url } = await boundedFetch(`${server.origin}/0`, bounds);
    assert.equal(url.pathname, "/3");
    const first = server.received.length;
    assert.equal(await faultOf(`${server.origin}/0`, { maxRedirects: 2 }), "redirects");
    assert.equal(server.received.length, first + 3);
    answer = redirectTo("/");
    assert.equal(await faultOf(server.origin), "redirects");
  });

  test("a body of the limit is read, one more byte is not, packed or not", async () => {
    const sized =
      (size: number, isPacked: boolean): Answer =>
      (_, response) => {
        const bytes = Buffer.alloc(size, "x");
        if (isPacked) response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(bytes));
        else response.end(bytes);
      };
    for (const isPacked of [false, true]) {
      answer = sized(bounds.maxBytes, isPacked);
      assert.equal((await boundedFetch(server.origin, bounds)).bytes.byteLength, bounds.maxBytes);
      answer = sized(bounds.maxBytes + 1, isPacked);
      assert.equal(await faultOf(server.origin), "too-large");
      answer = sized(50_000_000, isPacked);
      assert.equal(await faultOf(server.origin), "too-large");
    }
  });

  test("a body without an end is left at the limit, and its connection is closed", async () => {
    answer = async (request, response) => {
      let isClosed = false;
      void request.closed.then(() => {
        isClosed = true;
      });
      while (!isClosed)
        if (!response.write(Buffer.alloc(10_000)))
          await Promise.race([once(response, "drain"), request.closed]);
    };
    const first = server.received.length;
    assert.equal(await faultOf(server.origin), "too-large");
    await server.received[first]?.closed;
  });

  test("the time ends it at each point, and the connection with it", async () => {
    const stalls: readonly Answer[] = [
      () => {},
      (_, response) => void response.write("part"),
      ({ url }, response) => (url === "/" ? redirectTo("/stalled")({ url } as never, response) : undefined),
      (_, response) => void response.writeHead(503).write("part"),
    ];
    for (const stall of stalls) {
      answer = stall;
      const first = server.received.length;
      assert.equal(await faultOf(server.origin, { timeoutMs: 50, readsFailures: true }), "late");
      await Promise.all(server.received.slice(first).map(({ closed }) => closed));
    }
    const never = () => new Promise<never>(() => {});
    assert.equal(await faultOf(server.origin, { timeoutMs: 20, send: never }), "late");
    assert.equal(await faultOf(server.origin, { timeoutMs: 20, mayAsk: never }), "late");
  });

  test("the caller's signal ends it with its own reason, also during a name lookup", async () => {
    const reason = new Error("left");
    const leave = new AbortController();
    answer = (_, response) => {
      response.write("part");
      leave.abort(reason);
    };
    const first = server.received.length;
    await assert.rejects(boundedFetch(server.origin, { ...bounds, signal: leave.signal }), reason);
    await server.received[first]?.closed;
    await assert.rejects(boundedFetch(server.origin, { ...bounds, signal: leave.signal }), reason);
    assert.equal(server.received.length, first + 1);
    const later = new AbortController();
    const mayAsk: HostRule = () => {
      later.abort(reason);
      return new Promise(() => {});
    };
    await assert.rejects(boundedFetch(server.origin, { ...bounds, mayAsk, signal: later.signal }), reason);
  });

  test("a failure has its status, and its words only for who wants them", async () => {
    answer = (_, response) => void response.writeHead(404).end("no such page");
    const plain = await boundedFetch(server.origin, bounds);
    assert.deepEqual([plain.status, plain.bytes.byteLength], [404, 0]);
    const read = await boundedFetch(server.origin, { ...bounds, readsFailures: true });
    assert.deepEqual([read.status, Buffer.from(read.bytes).toString()], [404, "no such page"]);
    answer = (_, response) => void response.writeHead(500).end(Buffer.alloc(5_000_000));
    const { status, bytes } = await boundedFetch(server.origin, { ...bounds, readsFailures: true });
    assert.equal(status, 500);
    assert.ok(bytes.byteLength < 200_000);
  });

  test("the reason of a lost connection is named, with either transport", async () => {
    const gone = await listen(() => {});
    await gone.close();
    const undici = createUndiciTransport();
    for (const more of [{}, { send: undici.send }]) {
      await assert.rejects(boundedFetch(gone.origin, { ...bounds, ...more }), {
        fault: "unreachable",
        code: "ECONNREFUSED",
      });
    }
    await undici.close();
  });
});
