// Scraping: real pages over loopback become Markdown; forbidden addresses are refused before any request.
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { decodePage } from "../../../../src/sandbox/scrape/encoding/decodePage.ts";
import { scrapePage } from "../../../../src/sandbox/scrape/handlers.ts";
import { htmlToMarkdown } from "../../../../src/sandbox/scrape/htmlToMarkdown.ts";
import { blockedSites, isBlockedSite } from "../../../../src/shared/web/blockedSites.ts";
import { urlProblem } from "../../../../src/shared/web/urlProblem.ts";
import { type Answer, listen } from "../../../loopback/server.ts";
import { assertRefused, call, charged, jsonIn, mediaState, refusalOf } from "../sandboxMedia.ts";

const state = mediaState();
const prose = "An orchard is a planting of trees that is kept for the sake of its fruit. ".repeat(5);
const article = `<!DOCTYPE html><html><head><title>Orchards</title></head><body>
  <nav><a href="/">Home</a><a href="/shop">Shop</a></nav>
  <article><h1>Orchards</h1><p>${prose}<a href="more.html">More</a></p><h2>Kinds</h2>
  <ul><li>Apple</li><li>Pear</li></ul><pre><code class="language-js">let a = 1;</code></pre>
  <table><thead><tr><th>Month</th><th>Work</th></tr></thead><tbody><tr><td>May</td><td>Mow</td></tr></tbody></table>
  <p>${prose}<img src="/tree.png" alt="a tree"><img src="data:image/png;base64,AAAA" alt="none"></p></article>
  <footer>Imprint and cookies</footer><script>alert("never")</script></body></html>`;

async function serving(t: TestContext, answer: Answer) {
  const server = await listen(answer);
  t.after(() => server.close());
  return server;
}

function html(text: string): Answer {
  return (_, response) =>
    void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
}

async function scraped(url: string): Promise<string> {
  const page = jsonIn(await call(scrapePage, state, { url }));
  assert.deepEqual(Object.keys(page), ["url", "content", "format"]);
  assert.deepEqual([page.url, page.format], [url, "markdown"]);
  return String(page.content);
}

const failure = (url: unknown) => refusalOf(() => call(scrapePage, state, { url }));

describe("a page", () => {
  test("becomes Markdown of its main content, with complete links", async (t) => {
    const { origin } = await serving(t, html(article));
    const content = await scraped(`${origin}/fruit/orchards.html`);
    for (const expected of [
      "# Orchards\n",
      "## Kinds",
      /^- +Apple$/m,
      "```js\nlet a = 1;\n```",
      /\| Month \| Work \|\n\| --- \| --- \|\n\| May +\| Mow +\|/,
      `[More](${origin}/fruit/more.html)`,
      `![a tree](${origin}/tree.png)`,
    ]) {
      if (typeof expected === "string") assert.ok(content.includes(expected), `${expected} in\n${content}`);
      else assert.match(content, expected);
    }
    for (const left of ["Shop", "Imprint", "never", "data:", "<"]) assert.ok(!content.includes(left), left);
  });

  test("with little main content is converted completely, without its menus", () => {
    const markdown = htmlToMarkdown(
      "<title>Note</title><nav>menu</nav><p>Short, <b>but</b> <a href=/y>there</a>.",
      "http://a.test/",
    );
    assert.equal(markdown, "# Note\n\nShort, **but** [there](http://a.test/y).");
    assert.equal(htmlToMarkdown("", "http://a.test/"), "");
    assert.equal(
      htmlToMarkdown("<base href='/b/'><a href=c>c</a>", "http://a.test/"),
      "[c](http://a.test/b/c)",
    );
  });

  test("with its own Markdown is requested as Markdown", async (t) => {
    const server = await serving(t, ({ headers }, response) => {
      const own = headers.accept?.startsWith("text/markdown");
      response.writeHead(200, { "content-type": own ? "text/markdown; charset=utf-8" : "text/html" });
      response.end(own ? "# Own *words*" : "<p>HTML");
    });
    assert.equal(await scraped(server.origin), "# Own *words*");
  });

  test("of text is unchanged, JSON is in a code block, and other types are refused", async (t) => {
    const types: Record<string, string> = { "/a": "text/plain", "/b": "application/json", "/c": "image/png" };
    const { origin } = await serving(t, ({ url }, response) => {
      response.writeHead(200, { "content-type": types[url] ?? "" }).end('{"a":"<b>"}');
    });
    assert.equal(await scraped(`${origin}/a`), '{"a":"<b>"}');
    assert.equal(await scraped(`${origin}/b`), '```\n{"a":"<b>"}\n```');
    await assertRefused(() => call(scrapePage, state, { url: `${origin}/c` }), "url", /image\/png/);
  });

  test("is found behind redirects, and its links are relative to the final address", async (t) => {
    const { origin, received } = await serving(t, ({ url }, response) => {
      if (url === "/start") response.writeHead(302, { location: "/next" }).end();
      else if (url === "/next") response.writeHead(301, { location: "deep/page" }).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<title>t</title><a href=x>x</a>");
    });
    assert.equal(await scraped(`${origin}/start`), `# t\n\n[x](${origin}/deep/x)`);
    assert.equal(received.length, 3);
  });

  test("that sends a browser on is not read, but the page that a reader gets", async (t) => {
    const { origin, received } = await serving(t, ({ url }, response) => {
      const pages: Record<string, string> = {
        "/a": '<meta http-equiv="refresh" content="0; url=/b">Redirecting…',
        "/b": "On the way",
        "/c": "<title>End</title><meta http-equiv=refresh content='0; /c'><p>Text",
      };
      const headers = url === "/b" ? { refresh: "0; url=c" } : {};
      response.writeHead(200, { "content-type": "text/html", ...headers }).end(pages[url]);
    });
    assert.equal(await scraped(`${origin}/a`), "# End\n\nText");
    assert.deepEqual(
      received.map(({ url }) => url),
      ["/a", "/b", "/c"],
    );
  });

  test("is decoded by the charset of its header or its own declaration", async () => {
    const latin = Buffer.from("Gr\xfc\xdfe <meta charset='iso-8859-1'>", "latin1");
    assert.match(await decodePage(latin, "text/html"), /^Grüße/);
    assert.match(await decodePage(Buffer.from("Grüße"), "text/html; charset=UTF-8"), /^Grüße/);
    assert.match(await decodePage(Buffer.from("Grüße"), "text/html; charset=no-such-thing"), /^Grüße/);
    assert.equal(await decodePage(Buffer.from("fffe4700", "hex"), "text/plain; charset=utf-16le"), "G");
  });
});

test("XHTML is read as XML: an empty script does not take the rest of the page", async (t) => {
  const page = `<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tit\xe9</title>
    <style type="text/css"/><script src="a.js" /></head><body><a id="top"/><p>Text<br/>b <![CDATA[a < b]]></p></body></html>`;
  const { origin } = await serving(
    t,
    (_, response) =>
      void response
        .writeHead(200, { "content-type": "application/xhtml+xml" })
        .end(Buffer.from(page, "latin1")),
  );
  assert.equal(await scraped(`${origin}/`), "# Tité\n\nText  \nb a < b");
});

describe("refuses", () => {
  test("with 400: each site that the client refuses, too", async () => {
    for (const site of blockedSites) {
      const url = `https://www.${site}/page`;
      assert.equal(urlProblem(url)?.kind, "blocked", site);
      await assertRefused(() => call(scrapePage, state, { url }), "url", /blocks bots/);
    }
  });

  test("with 400: blocked sites and hosts that are not public, before any request", async () => {
    for (const url of ["https://www.facebook.com/somebody", "https://reddit.com/r/x", "http://x.com"]) {
      await assertRefused(() => call(scrapePage, state, { url }), "url", /blocks bots/);
    }
    for (const host of [
      "10.1.2.3",
      "192.168.0.1",
      "169.254.169.254",
      "[fd00::1]",
      "[::ffff:10.0.0.1]",
      "printer",
      "nas.local",
    ]) {
      await assertRefused(() => call(scrapePage, state, { url: `http://${host}/` }), "url", /not public/);
    }
  });

  test("with 400: other than http(s) URLs, and unknown members", async () => {
    for (const url of [undefined, "", "no url", "ftp://a.test/", "file:///etc/passwd", 7]) {
      await assertRefused(() => call(scrapePage, state, { url }), "url");
    }
    await assertRefused(() => call(scrapePage, state, { url: "http://127.0.0.1/", depth: 2 }), "");
  });

  test("with 400: a redirect to a refused address", async (t) => {
    const { origin } = await serving(t, ({ url }, response) => {
      const location = {
        "/a": "http://192.168.1.1/",
        "/b": "https://facebook.com/",
        "/c": "file:///etc/passwd",
      }[url];
      response.writeHead(302, { location }).end();
    });
    for (const path of ["/a", "/b", "/c"]) {
      await assertRefused(() => call(scrapePage, state, { url: origin + path }), "url");
    }
  });

  test("with 400: a page that sends a browser to a refused address, before any request", async (t) => {
    const { origin } = await serving(t, ({ url }, response) => {
      const target = { "/a": "http://192.168.1.1/", "/b": "https://facebook.com/" }[url];
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<meta http-equiv=refresh content="0; url=${target}">`);
    });
    await assertRefused(() => call(scrapePage, state, { url: `${origin}/a` }), "url", /not public/);
    await assertRefused(() => call(scrapePage, state, { url: `${origin}/b` }), "url", /blocks bots/);
  });

  test("with 400, and charges nothing: a page whose text needs JavaScript, and one without text", async (t) => {
    const own = mediaState();
    const { origin } = await serving(t, ({ url }, response) => {
      const page = url === "/app" ? "<div id=root></div><script src=a.js></script>" : "<p> </p>";
      response.writeHead(200, { "content-type": "text/html" }).end(page);
    });
    await assertRefused(() => call(scrapePage, own, { url: `${origin}/app` }), "url", /only with JavaScript/);
    await assertRefused(() => call(scrapePage, own, { url: `${origin}/empty` }), "url", /no text/);
    assert.deepEqual(charged(own), []);
  });

  test("with 500: pages that send a browser on without an end", async (t) => {
    let count = 0;
    const { origin, received } = await serving(t, (_, response) => {
      count += 1;
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<meta http-equiv=refresh content="0; url=/${count}">`);
    });
    const { status, message } = await failure(`${origin}/`);
    assert.equal(status, 500);
    assert.match(message, /sends a browser on more than 5 times/);
    assert.ok(received.length <= 7);
  });

  test("with 500: a server that is unreachable, fails, redirects in circles or sends too much", async (t) => {
    const { origin } = await serving(t, ({ url }, response) => {
      if (url === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else if (url === "/huge")
        response.writeHead(200, { "content-type": "text/html" }).end(Buffer.alloc(6_000_000, "x "));
      else response.writeHead(503).end("no");
    });
    const gone = await listen(html(""));
    await gone.close();
    for (const [url, why] of [
      [`${gone.origin}/`, /ECONNREFUSED/],
      [`${origin}/`, /503/],
      [`${origin}/loop`, /redirects more than/],
      [`${origin}/huge`, /more than \d+ bytes/],
    ] as const) {
      const { status, message } = await failure(url);
      assert.equal(status, 500, url);
      assert.match(message, why);
    }
  });

  test("a caller that disconnects ends the request on the wire", async (t) => {
    const server = await serving(t, () => {});
    const leave = new AbortController();
    const pending = call(scrapePage, state, { url: server.origin }, leave.signal);
    const { closed } = await server.arrival(0);
    leave.abort(new Error("gone"));
    await assert.rejects(pending, /gone/);
    await closed;
  });
});

test("subdomains are blocked with their site, similar names are not", () => {
  assert.deepEqual(
    ["m.facebook.com", "facebook.com", "x.com.", "notfacebook.com", "x.com.test"].map(isBlockedSite),
    [true, true, true, false, false],
  );
});
