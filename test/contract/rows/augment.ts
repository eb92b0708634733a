import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Upload, uploadFromBytes } from "../../../src/api/call/body/upload.ts";
import { listen } from "../../loopback/server.ts";
import { type CallCase, failureOf, type RowSuite, type World } from "../suite/suite.ts";
import type { SandboxTarget } from "../suite/target.ts";
import { fieldsNamed, send } from "../suite/wire.ts";
import { tooLarge } from "./tooLarge.ts";

const documents = join(import.meta.dirname, "../../unit/fixtures/documents");

function document(name: string): Upload {
  return uploadFromBytes(name, "", readFileSync(join(documents, name)));
}

const textFile = uploadFromBytes("note.txt", "text/plain", Buffer.from("A note about the harbour.\n"));

/** POST /augment/search (spec E2). */
export const search: RowSuite = {
  sample: { query: "when does the ferry leave" },
  rules: (dialect) => ({
    query: { good: ["a", "x".repeat(400)], bad: ["", "x".repeat(401), 7] },
    limit: { good: [1, 20], bad: [0, 21, 1.5, "5"] },
    search_provider: {
      good: ["provider_a", "provider_b"],
      // Each dialect has its own provider names.
      bad: ["provider_c", dialect === "venice" ? "bing" : "brave", 7],
    },
  }),
  reply: {
    nullable: [],
    required: ["query", "results"],
    tolerant: ["results"],
  },
  everywhere: [
    {
      name: "finds pages",
      async run({ api }) {
        const { query, results } = await api.augment.search({ query: "harbour ferry", limit: 3 });
        assert.equal(query, "harbour ferry");
        assert.ok(results.length <= 3);
      },
    },
  ],
  sandboxed: [
    {
      name: "finds sections of the documentation, best first, at existing addresses",
      async run({ api }) {
        const { results } = await api.augment.search({ query: "ferry leaves" });
        const [best = assert.fail("nothing was found")] = results;
        assert.match(best.title, /Ferry/);
        assert.match(best.content.replace(/<[^>]+>/g, ""), /leaves at nine/);
        assert.equal((await fetch(best.url)).status, 200);
        for (const result of results) {
          assert.deepEqual(Object.keys(result).sort(), ["content", "date", "title", "url"]);
        }
      },
    },
    {
      name: "returns at most the limit",
      async run({ api }) {
        const count = async (limit?: number) =>
          (await api.augment.search({ query: "ferry", ...(limit ? { limit } : {}) })).results.length;
        assert.ok((await count()) > 1);
        assert.equal(await count(1), 1);
      },
    },
    {
      name: "uses the dialect's names of the providers",
      async run({ api, target }) {
        const marks = async (search_provider: "provider_a" | "provider_b") =>
          (await api.augment.search({ query: "ferry", search_provider })).results.some(({ content }) =>
            /</.test(content),
          );
        assert.deepEqual([await marks("provider_a"), await marks("provider_b")], [true, false]);
        const venice = target.dialect.id === "venice";
        const reported = target.sandbox.requests
          .slice(-2)
          .map(({ bodyText }) => JSON.parse(bodyText).search_provider);
        assert.deepEqual(reported, venice ? ["brave", "google"] : ["provider_a", "provider_b"]);
        const foreign = venice ? "provider_a" : "brave";
        const reply = await send(target, {
          path: "/augment/search",
          body: { query: "a", search_provider: foreign },
        });
        assert.deepEqual([reply.status, fieldsNamed(reply.json)], [400, ["search_provider"]]);
      },
    },
    {
      name: "accepts results with only an address",
      async run({ api, target }) {
        const edit = (value: unknown) => ({ ...(value as object), results: [{ url: "https://a.example/" }] });
        target.sandbox.setFaults([{ kind: "edit", edit }]);
        const { results } = await api.augment.search({ query: "ferry" });
        assert.deepEqual(results, [{ url: "https://a.example/", title: "", content: "", date: "" }]);
      },
    },
  ],
};

const page = `<!DOCTYPE html><title>Tides</title><nav>Menu</nav><h1>Tides</h1>
<p>High water is at <b>noon</b>. <a href="/more">More</a></p><script>ignored()</script>`;

async function withPages(run: (origin: string) => Promise<void>): Promise<void> {
  const server = await listen(({ url }, response) => {
    const html = (status: number) => response.writeHead(status, { "content-type": "text/html" }).end(page);
    if (url === "/moved") response.writeHead(302, { location: "/page" }).end();
    else if (url === "/private") response.writeHead(302, { location: "http://10.0.0.1/" }).end();
    else html(url === "/broken" ? 500 : 200);
  });
  try {
    await run(server.origin);
  } finally {
    await server.close();
  }
}

/** POST /augment/scrape (spec E4). */
export const scrape: RowSuite = {
  sample: async ({ baseUrl }) => ({ url: new URL("/docs/harbour", baseUrl).href }),
  rules: {
    url: {
      good: [],
      bad: ["", "no url", "ftp://host/", "javascript:alert(1)", "file:///etc/passwd", 7],
      unfit: [
        "https://www.reddit.com/r/boats",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://intranet/",
      ],
    },
  },
  reply: { nullable: [], required: ["url", "content", "format"], tolerant: [] },
  everywhere: [],
  sandboxed: [
    {
      name: "returns a page as markdown, without scripts and styles",
      run: ({ api }) =>
        withPages(async (origin) => {
          const url = `${origin}/page`;
          const reply = await api.augment.scrape({ url });
          assert.deepEqual([reply.url, reply.format], [url, "markdown"]);
          assert.match(reply.content, /^# Tides/);
          assert.match(reply.content, /High water is at \*\*noon\*\*/);
          assert.ok(reply.content.includes(`[More](${origin}/more)`));
          assert.ok(!reply.content.includes("ignored"));
        }),
    },
    {
      name: "follows redirects, but not into a private network",
      run: ({ api }) =>
        withPages(async (origin) => {
          assert.match((await api.augment.scrape({ url: `${origin}/moved` })).content, /High water/);
          const error = await failureOf(api.augment.scrape({ url: `${origin}/private` }));
          assert.deepEqual([error.kind, error.details.status], ["invalid-request", 400]);
        }),
    },
    {
      name: "reports unreachable pages and requests them once",
      run: ({ api, target }) =>
        withPages(async (origin) => {
          const before = target.sandbox.requestCount;
          const error = await failureOf(api.augment.scrape({ url: `${origin}/broken` }));
          assert.deepEqual([error.kind, error.details.status], ["unavailable", 500]);
          assert.equal(target.sandbox.requestCount, before + 1);
        }),
    },
  ],
};

const fileRule = {
  good: [textFile, document("harvest.pdf")],
  bad: [uploadFromBytes("empty.txt", "text/plain", Buffer.alloc(0)), "text", 7],
  unfit: [uploadFromBytes("x.bin", "", Buffer.alloc(99)), document("scanned.pdf"), document("locked.pdf")],
};

const readings: readonly (readonly [name: string, text: RegExp])[] = [
  ["harvest.pdf", /harvest/i],
  ["harvest.docx", /harvest/i],
  ["deck.pptx", /\w/],
  ["book.xlsx", /\w/],
];

/** POST /augment/text-parser (spec E9). */
export const parse: RowSuite = {
  sample: { file: textFile },
  rules: { file: fileRule },
  reply: { nullable: [], required: ["text", "tokens"], tolerant: [] },
  everywhere: [],
  sandboxed: [
    {
      name: "reads PDF, DOCX, PPTX, XLSX and text, and counts tokens",
      async run({ api }) {
        const plain = await api.augment.parse({ file: textFile });
        assert.match(plain.text, /A note about the harbour\./);
        assert.ok(plain.tokens >= 5 && plain.tokens < 20);
        for (const [name, expected] of readings) {
          const { text, tokens } = await api.augment.parse({ file: document(name) });
          assert.match(text, expected, name);
          assert.ok(Number.isInteger(tokens) && tokens > 0, name);
        }
      },
    },
    {
      name: "answers with JSON by default and knows two formats",
      async run({ target }) {
        const file = new File(["a note"], "note.txt");
        const ask = (format?: string) =>
          send(target, {
            path: "/augment/text-parser",
            form: [["file", file], ...(format ? [["response_format", format] as const] : [])],
          });
        assert.equal((await ask()).text.trim(), JSON.stringify({ text: "a note", tokens: 2 }));
        const text = await ask("text");
        assert.match(text.headers.get("content-type") ?? "", /^text\/plain/);
        assert.equal(text.text.trim(), "a note");
        const reply = await ask("xml");
        assert.deepEqual([reply.status, fieldsNamed(reply.json)], [400, ["response_format"]]);
      },
    },
    large(({ api }, file) => api.augment.parse({ file })),
  ],
};

/** POST /augment/text-parser with a plain-text answer. */
export const parseText: RowSuite = {
  sample: { file: textFile },
  rules: { file: fileRule },
  everywhere: [],
  sandboxed: [
    {
      name: "returns the same text without JSON",
      async run({ api }) {
        for (const file of [textFile, document("harvest.docx")]) {
          const { text } = await api.augment.parse({ file });
          assert.equal(await api.augment.parseText({ file }), text);
        }
      },
    },
    {
      name: "reads a JSON error in place of text",
      async run({ api, target }) {
        target.sandbox.setFaults([{ kind: "json", body: { error: { message: "no", code: 500 } } }]);
        assert.equal((await failureOf(api.augment.parseText({ file: textFile }))).kind, "unavailable");
        target.sandbox.setFaults([{ kind: "json", body: { text: "in JSON after all" } }]);
        assert.equal((await failureOf(api.augment.parseText({ file: textFile }))).kind, "malformed-response");
      },
    },
    large(({ api }, file) => api.augment.parseText({ file })),
  ],
};

function large(call: (world: World, file: Upload) => Promise<unknown>): CallCase<SandboxTarget> {
  return tooLarge("/augment/text-parser", "file", call);
}
