// A real browser as the attacker: what a web page sends costs nothing, it reads nothing, and programs are answered meanwhile.
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type Answer, type Loopback, listen } from "../../../loopback/server.ts";
import { launchChromium } from "../../../vscode/chromium.ts";
import { connection } from "../../session/budgetWindow.ts";
import { attackingPage, attackingWorker } from "../attackingPage.ts";
import { type Gateway, openGateway, sendRaw } from "../gatewayKit.ts";
import { overProcess } from "../overProcess.ts";

let browser: Browser;
let evil: Loopback;
before(async () => {
  // The browser takes the names of the attacker for this machine, as after DNS rebinding.
  browser = await launchChromium(["--host-resolver-rules=MAP *.test 127.0.0.1"]);
  evil = await listen(servePage);
});
after(async () => {
  await browser.close();
  await evil.close();
});

const servePage: Answer = ({ url }, response) => {
  const { pathname, searchParams } = new URL(url, "http://evil.test");
  if (pathname === "/redirect") response.writeHead(307, { location: searchParams.get("to") ?? "" }).end();
  else if (pathname === "/worker.js")
    response.writeHead(200, { "content-type": "text/javascript" }).end(attackingWorker);
  else response.writeHead(200, { "content-type": "text/html" }).end(attackingPage);
};

/** A server of this machine that lets all pages do all. */
const allowAll: Answer = ({ headers }, response) => {
  const { origin = "*" } = headers;
  response.writeHead(200, {
    "content-type": "text/html",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-headers": "authorization, content-type, x-api-key",
    "access-control-allow-private-network": "true",
  });
  response.end("readable");
};

/** What the page could read, by the name of the attempt. */
type Seen = Readonly<Record<string, string>>;

async function openPage(t: TestContext, url: string): Promise<Page> {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function attack(page: Page, base: string, token: string): Promise<Seen> {
  const seen = await page.evaluate<Seen>(`attack(${JSON.stringify({ base, token })})`);
  // The last way is to leave for it: the user sees the answer, and no page does.
  await page.evaluate(`void (location = ${JSON.stringify(`${base}/v1/models?by=left&token=${token}`)})`);
  await page.waitForURL(/by=left/);
  return seen;
}

/** Hosts of the page, with that which it tries. */
const pages = [
  // A secure context, which has service workers.
  ["evil.localhost", "127.0.0.1"],
  ["evil.test", "localhost"],
  // Of another program of this machine: the same site.
  ["127.0.0.1", "127.0.0.1"],
] as const;
/** Calls of the program during an attack. */
const mostCalls = 20;
const guessed = `gw-${"a".repeat(43)}`;

test("all attempts of the page reach a server that lets them, so that they are real", async (t) => {
  const server = await listen(allowAll);
  try {
    const seen = await attack(
      await openPage(t, `http://evil.localhost:${evil.port}/`),
      server.origin,
      "gw-token",
    );
    const arrived = new Set(
      server.received
        .filter(({ method }) => method !== "OPTIONS")
        .map(({ url }) => new URL(url, server.origin).searchParams.get("by") ?? ""),
    );
    const missing = [...Object.keys(seen), "left"].filter((name) => !arrived.has(name));
    assert.deepEqual(missing, []);
    const read = Object.keys(seen).filter((name) => seen[name] === "readable");
    for (const name of ["get", "getBearer", "json", "redirected", "request", "sandboxed", "serviceWorker"])
      assert.ok(read.includes(name), `${name}: ${seen[name]}`);
  } finally {
    await server.close();
  }
});

/** Attacks while a program makes calls. Returns what the page has read. */
async function attackBeside(
  gateway: Gateway,
  page: Page,
  base: string,
  token = gateway.token,
): Promise<Seen> {
  const { sandbox, window } = gateway;
  const [posts, rows] = [postsOf(sandbox), await window.spend.entries(connection)];
  const answered: number[] = [];
  const callOn = async () => {
    const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Say this." }] });
    while (answered.length < mostCalls) answered.push((await sendRaw(gateway, { body })).status);
  };
  const [seen] = await Promise.all([attack(page, base, token), callOn()]);
  assert.deepEqual(new Set(answered), new Set([200]));
  // Only the program's calls.
  assert.equal(postsOf(sandbox) - posts, mostCalls);
  const entries = await window.spend.entries(connection);
  assert.equal(entries.length - rows.length, mostCalls);
  return seen;
}

function postsOf({ requests }: Gateway["sandbox"]): number {
  return requests.filter(({ method }) => method === "POST").length;
}

const readNothing = (seen: Seen) =>
  assert.deepEqual(
    Object.entries(seen).filter(([, text]) => text !== ""),
    [],
  );
const refusal = /^\{"error":\{"message":"The Host header has to be 127\.0\.0\.1/;

test("a page of another origin spends nothing and reads nothing, with a guessed token or a valid one", async (t) => {
  const gateway = await openGateway(t);
  const [[first]] = pages;
  const attempts = [...pages.map((hosts) => [...hosts, gateway.token]), [first, "127.0.0.1", guessed]];
  for (const [name, host, token] of attempts) {
    const page = await openPage(t, `http://${name}:${evil.port}/`);
    readNothing(await attackBeside(gateway, page, `http://${host}:${gateway.port}`, token));
  }
});

test("a page gets no more through the process at the port", async (t) => {
  const gateway = await overProcess(t, await openGateway(t));
  const page = await openPage(t, `http://${pages[0][0]}:${evil.port}/`);
  readNothing(await attackBeside(gateway, page, `http://127.0.0.1:${gateway.port}`));
});

for (const hasProcess of [false, true])
  test(`a page whose name is now that of ${hasProcess ? "the process at the port" : "a window"} (DNS rebinding) gets nothing but refusals`, async (t) => {
    const attacker = await listen(servePage);
    const { port } = attacker;
    const base = `http://rebound.test:${port}`;
    const page = await openPage(t, `${base}/`);
    await attacker.close();
    const gateway = await overProcess(t, await openGateway(t), { port, hasProcess });
    const seen = await attackBeside(gateway, page, base);
    // The page has the origin of the address, and so the browser lets it read what it says.
    for (const [name, text] of Object.entries(seen)) if (text !== "") assert.match(text, refusal, name);
    assert.match(seen.json ?? "", refusal);
  });
