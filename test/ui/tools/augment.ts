import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, it } from "node:test";
import type { TestSandbox } from "../../serviceKit/testSandbox.ts";
import type { ChatWindow } from "../chat/openChat.ts";
import { chooseInMenu } from "../window.ts";
import type { Workbench } from "../workbench.ts";

/** What the search finds. */
export const augmentDocs = [
  { title: "Rate limits", text: "# Rate limits\n\nA caller may ask 20 times a minute for a picture.\n" },
  { title: "Rate of speech", text: "# Rate of speech\n\nThe rate of a voice lies between 0.25 and 4.\n" },
];
const documents = join(import.meta.dirname, "../../unit/fixtures/documents");

/** Tests in a window without earlier searches. */
export function augmentTests(window: ChatWindow): void {
  let service: TestSandbox;
  let workbench: Workbench;
  let site: Server;
  let isBroken = true;
  const visits = new Map<string, number>();
  before(async () => {
    ({ service, workbench } = window);
    site = createServer(({ url }, response) => {
      if (url === "/broken" && isBroken) return response.writeHead(500).end();
      response.setHeader("content-type", "text/html");
      const visit = (visits.get(url ?? "") ?? 0) + 1;
      visits.set(url ?? "", visit);
      return response.end(
        `<title>Page ${url}</title><h1>Page ${url}</h1><p>What stands at ${url}, at its visit ${visit}.</p>`,
      );
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    for (const name of ["harvest.pdf", "harvest.docx"])
      cpSync(join(documents, name), join(workbench.profile.workspace, name));
  });
  after(() => void site.close());

  const page = () => workbench.page;
  const quickInput = () => page().locator(".quick-input-widget");
  const dialog = () => page().locator(".monaco-dialog-box");
  const results = () => workbench.webview("tab");
  const rows = (text: string) => results().getByRole("option").filter({ hasText: text });
  const hits = () => rows("127.0.0.1");
  const toast = (text: string) => page().locator(".notification-toast").filter({ hasText: text });
  const editors = () => page().locator(".editor-instance");
  const tab = (name: string) => page().locator(".tabs-container .tab").filter({ hasText: name }).first();
  const sent = (path: string) => service.requests.filter((request) => request.path.endsWith(path)).length;
  const pageUrl = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;

  it("shows the price and the recipient of a query before sending it", async () => {
    await workbench.runCommand("Inference Web: Search Online…");
    await quickInput().getByText("The query is empty").waitFor();
    await quickInput().locator("input.input").fill("a".repeat(401));
    await quickInput().getByText("at most 400 characters; this one has 401").waitFor();
    await workbench.enter("What to search for", "rate limits");
    await dialog().getByText("Search the web for $0.01?").waitFor();
    await dialog().getByText("It does not store or log queries").waitFor();
    await workbench.screenshot("augment-price");
    assert.equal(sent("/augment/search"), 0);
    await dialog().getByRole("button", { name: "Search", exact: true }).click();
  });

  it("shows results in an editor, with what they say", async () => {
    await hits().first().getByText("20 times a minute").waitFor();
    await rows("2 results").and(results().locator('[aria-selected="true"]')).waitFor();
    await workbench.screenshot("augment-found");
    assert.equal(sent("/augment/search"), 1);
  });

  it("opens a result beside, as markdown", async () => {
    await hits().first().dblclick();
    await editors().getByText("20 times a minute").first().waitFor();
    await workbench.screenshot("augment-hit");
  });

  it("reopens an earlier search without paying", async () => {
    await workbench.runCommand("Inference Web: Search Online…");
    await quickInput().getByText("Earlier searches, free to open").waitFor();
    await quickInput().locator("input.input").fill("rate");
    await quickInput().getByText("up to 10 results").waitFor();
    await workbench.screenshot("augment-earlier");
    await quickInput().locator(".monaco-list-row").filter({ hasText: "2 results" }).first().click();
    await hits().first().waitFor();
    assert.equal(sent("/augment/search"), 1);
  });

  it("passes a search to the chat", async () => {
    await rows("2 results").click();
    await hits()
      .first()
      .click({ modifiers: ["ControlOrMeta"] });
    await results().getByText("2 of 3 selected").waitFor();
    await results().getByRole("button", { name: "Send to Chat" }).click();
    await workbench.webview("sideBar").getByText("rate-limits.md").first().waitFor();
    await workbench.screenshot("augment-chat");
  });

  it("reads several pages, saves the successful ones and lists the failures", async () => {
    const good = [pageUrl("/one"), pageUrl("/broken")];
    const bad = ["http://10.0.0.1/", "https://www.reddit.com/r/vscode"];
    await workbench.runCommand("Inference Web: Scrape Page…");
    await workbench.enter("One address, or several", [...good, ...bad].join(" "));
    await dialog().getByText("Read 2 pages for $0.02?").waitFor();
    assert.equal(sent("/augment/scrape"), 0);
    await dialog().getByRole("button", { name: "Read", exact: true }).click();
    await tab("page-one.md").waitFor();
    await tab("Pages not read.md").waitFor();
    await editors().getByText("Retry Failed").first().waitFor();
    await editors().getByText("10.0.0.1 is not public").first().waitFor();
    await editors().getByText("blocks robots").first().waitFor();
    await toast("1 of 2 pages read for $0.01, 1 not read.").waitFor();
    await workbench.screenshot("augment-pages");
    assert.equal(sent("/augment/scrape"), 2);
    await toast("1 of 2 pages read").getByText("Send to Chat").click();
    await workbench.webview("sideBar").getByText("page-one.md").first().waitFor();
    isBroken = false;
    await editors().getByText("Retry Failed").first().click();
    await tab("page-broken.md").waitFor();
    await editors()
      .getByText(`source: "${pageUrl("/broken")}"`)
      .waitFor();
    await workbench.screenshot("augment-retried");
    assert.equal(sent("/augment/scrape"), 3);
  });

  it("opens a stored page free of charge, and reads it again only when it is asked to", async () => {
    await workbench.runCommand("Inference Web: Scrape Page…");
    await workbench.enter("One address, or several", pageUrl("/one"));
    await toast("nothing was charged").waitFor();
    assert.equal(sent("/augment/scrape"), 3);
    // The price is on the button.
    await toast("nothing was charged").getByText("Read Again ($0.01").click();
    // Its text has changed meanwhile.
    await editors().getByText("What stands at /one, at its visit 2.").first().waitFor();
    assert.equal(sent("/augment/scrape"), 4);
  });

  it("reads a document from the Explorer", async () => {
    const menu = await workbench.explorerMenu("harvest.pdf");
    await menu.getByText("Parse Documents…").waitFor();
    await workbench.screenshot("augment-explorer");
    await chooseInMenu(menu, "Parse Documents…");
    await quickInput().getByText("On This Machine").waitFor();
    await workbench.screenshot("augment-parsers");
    await workbench.pick("By Environment");
    await dialog().getByText("Read harvest.pdf for $0.01?").waitFor();
    await dialog().getByRole("button", { name: "Read", exact: true }).click();
    await tab("harvest.pdf.md").waitFor();
    await editors().getByText('source: "harvest.pdf"').waitFor();
    await editors()
      .getByText(/^tokens:\s\d+/)
      .first()
      .waitFor();
    await workbench.screenshot("augment-document");
  });

  it("reopens each from the recent results", async () => {
    await workbench.runCommand("Inference Web: Recent Results…");
    await quickInput().getByText("Documents").waitFor();
    await workbench.screenshot("augment-recent");
    const requests = service.requests.length;
    await workbench.pick("harvest.pdf");
    await tab("harvest.pdf.md").waitFor();
    assert.equal(service.requests.length, requests);
  });
}
