// A page as Markdown has the words that Chromium shows of it, in the same order.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createDocument } from "@mixmark-io/domino";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Browser, Page } from "playwright-core";
import { Flow } from "../../../../../src/sandbox/scrape/markdown/flow.ts";
import { writeMarkdown } from "../../../../../src/sandbox/scrape/markdown/writeMarkdown.ts";
import { launchChromium } from "../../../../vscode/chromium.ts";

let browser: Browser;
let page: Page;
before(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
});
after(() => browser.close());

/** Numbers from 0 to 1, the same for each seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    const mixed = state ^ (state + Math.imul(state ^ (state >>> 7), 61 | state));
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class RandomPage {
  readonly #random: () => number;
  #words = 0;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  html(): string {
    return `<!doctype html><body>${this.#many(6, () => this.#block(3))}</body>`;
  }

  #upTo(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.#upTo(items.length)] ?? items[0];
  }

  #many(limit: number, make: () => string): string {
    return Array.from({ length: 1 + this.#upTo(limit) }, make).join(this.#oneOf(["", " ", "\n  "]));
  }

  #word(): string {
    this.#words += 1;
    const sign = this.#oneOf([
      "",
      "",
      "",
      "",
      ".",
      ",",
      ":",
      "*",
      "_",
      "#",
      "|",
      "`",
      "[",
      "]",
      "(",
      "!",
      "&lt;",
      "&amp;",
      "~",
      "1.",
      "-",
      "+",
      "$",
      "\\",
      "é",
      "字",
    ]);
    return this.#random() < 0.2 ? `${sign}w${this.#words}` : `w${this.#words}${sign}`;
  }

  #words_(): string {
    return this.#many(3, () => this.#word() + this.#oneOf(["", " ", "\n"]));
  }

  #inline(depth: number): string {
    if (depth === 0 || this.#random() < 0.4) return this.#words_();
    const inner = () =>
      this.#oneOf(["", " "]) + this.#many(2, () => this.#inline(depth - 1)) + this.#oneOf(["", " "]);
    const name = this.#oneOf([
      "b",
      "i",
      "em",
      "strong",
      "del",
      "code",
      "span",
      "a",
      "sup",
      "sub",
      "u",
      "font",
      "br",
      "img",
      "hidden",
      "comment",
      "shown",
      "kbd",
    ]);
    if (name === "br") return "<br>";
    if (name === "img") return '<img src="p.png" alt="">';
    if (name === "comment") return "<!-- none -->";
    if (name === "hidden") return `<span style="display: none">${this.#words_()}</span>`;
    if (name === "shown") return `<span style="display:block">${inner()}</span>`;
    if (name === "code" || name === "kbd") return `<${name}>${this.#words_()}</${name}>`;
    if (name === "a") return `<a href="/x?a=1&b=(2">${this.#words_()}<b>${this.#words_()}</b></a>`;
    return `<${name}>${inner()}</${name}>`;
  }

  #text(): string {
    return this.#many(3, () => this.#inline(2));
  }

  #block(depth: number): string {
    const inner = () => this.#many(2, () => (depth === 0 ? this.#text() : this.#block(depth - 1)));
    const name = this.#oneOf([
      "p",
      "p",
      "p",
      "div",
      "text",
      "ul",
      "ol",
      "table",
      "pre",
      "blockquote",
      "h2",
      "dl",
      "section",
      "hidden",
      "figure",
      "details",
      "flex",
      "script",
      "hr",
    ]);
    switch (name) {
      case "text":
        return this.#text();
      case "p":
      case "h2":
        return `<${name}>${this.#text()}</${name}>`;
      case "ul":
      case "ol":
        return `<${name}>${this.#many(3, () => `<li>${this.#oneOf([() => this.#text(), inner])()}</li>`)}</${name}>`;
      case "table":
        return this.#table();
      case "pre":
        return `<pre>${this.#oneOf(["", "<code>"])}${this.#many(3, () => `  ${this.#words_()}\n<span>${this.#word()}</span><br>`)}</pre>`;
      case "dl":
        return `<dl>${this.#many(2, () => `<dt>${this.#text()}</dt><dd>${inner()}</dd>`)}</dl>`;
      case "hidden":
        return `<div hidden>${this.#text()}</div><p style="visibility:hidden;display:none">${this.#word()}</p>`;
      case "details":
        return `<details open><summary>${this.#word()}</summary>${inner()}</details>`;
      case "flex":
        return `<div style="display:flex"><span>${this.#word()}</span><span>${this.#word()}</span></div>`;
      case "script":
        return "<script>var a = 'none'</script><style>b { color: red }</style>";
      case "hr":
        return "<hr>";
      default:
        return `<${name}>${inner()}</${name}>`;
    }
  }

  #table(): string {
    const cell = () =>
      this.#oneOf([
        () => `<td>${this.#text()}</td>`,
        () => `<th>${this.#word()}</th>`,
        () => `<td colspan=2>${this.#word()}</td>`,
        () => `<td rowspan=2>${this.#word()}</td>`,
        () => `<td><p>${this.#word()}</p><ul><li>${this.#word()}</li></ul></td>`,
      ])();
    const rows = (limit: number) => this.#many(limit, () => `<tr>${this.#many(3, cell)}</tr>`);
    const head =
      this.#oneOf(["", `<caption>${this.#word()}</caption>`]) +
      this.#oneOf(["", `<thead>${rows(1)}</thead>`]);
    return `<table>${head}<tbody>${rows(3)}</tbody></table>`;
  }
}

function markdownOf(html: string): string {
  const { body } = createDocument(html, true);
  assert.ok(body);
  return writeMarkdown(new Flow((address) => new URL(address, "http://a.test/").href).blocksOf([body]));
}

async function shownWords(html: string): Promise<string[]> {
  await page.setContent(html);
  const text = await page.evaluate("document.body.innerText");
  // Bullets within cells are text in Markdown.
  return String(text).replaceAll("•", " ").split(/\s+/).filter(Boolean);
}

test("has the words that Chromium shows, in their order", async () => {
  const pages = Number(process.env.WEB_PAGES ?? "60");
  for (let seed = 1; seed <= pages; seed++) {
    const html = new RandomPage(seed).html();
    const markdown = markdownOf(html);
    const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
    const written = await shownWords(`<!doctype html><body>${micromark(markdown, options)}`);
    assert.deepEqual(written, await shownWords(html), `page ${seed}:\n${html}\n\n${markdown}`);
  }
});
