import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readFenceInfo } from "../../../../src/webview/markdown/code.ts";
import type { MarkdownPage } from "../pages/markdownPage.ts";
import { openMarkdown } from "./openMarkdown.ts";

declare const markdown: MarkdownPage;

describe("code in markdown", () => {
  const test = openMarkdown();
  const { render } = test;

  const infos: readonly (readonly [string, string, string])[] = [
    ["ts", "ts", ""],
    ["ts src/a.ts", "ts", "src/a.ts"],
    ["ts:src/a.ts", "ts", "src/a.ts"],
    ['ts title="my file.ts"', "ts", "my file.ts"],
    ["src/a.rs", "rs", "src/a.rs"],
    ["c++ {highlight: [1]}", "c++", ""],
    ["ts twoslash", "ts", ""],
  ];
  for (const [info, language, path] of infos) {
    it(`reads the language and the file of a fence from ${info}`, () => {
      assert.deepEqual(readFenceInfo(info), { language, path: path === "" ? undefined : path });
    });
  }

  it("offers to draw supported diagrams, draws them, and says why it can't draw others", async () => {
    const bomb = `graph TD\n${Array.from({ length: 300 }, (_, i) => `a${i}`).join(" & ")} --> b & c & d`;
    const sources = ["graph TD\nA-->B", "gantt\ntitle x", "", "pie", bomb];
    await render(sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`));
    const buttons = test.page.getByRole("button", { name: "Show Diagram" });
    assert.equal(await buttons.count(), 2);
    await buttons.last().click();
    await test.page.getByText("The diagram is too large to be drawn here").waitFor();
    assert.equal(await test.page.locator(".code-frame").last().locator("code").textContent(), bomb);
    await buttons.first().click();
    const picture = test.page.getByRole("img", { name: /^Diagram: graph TD/ });
    await picture.waitFor();
    assert.ok((await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)) > 50);
    await test.page.getByRole("button", { name: "Hide Diagram" }).first().click();
    await picture.waitFor({ state: "detached" });
  });

  it("shows JSON as a tree that is built as it expands", async () => {
    const value = { name: "x", list: Array.from({ length: 450 }, (_, i) => ({ i })), no: null };
    assert.equal(await test.page.evaluate((text) => markdown.tree(text), JSON.stringify(value)), true);
    await test.page.getByText("[450 items]").waitFor();
    assert.equal(await test.page.locator(".json-leaf").count(), 2);
    await test.page.getByText("[450 items]").click();
    await test.page.getByRole("button", { name: "250 more" }).click();
    await test.page.getByRole("button", { name: "50 more" }).click();
    assert.equal(await test.page.getByText("{1 member}").count(), 450);
    for (const none of ["{", "1", '"x"', "null"]) {
      assert.equal(await test.page.evaluate((text) => markdown.tree(text), none), false);
    }
  });

  it("offers to apply code first, but not for commands", async () => {
    await render(["```sh\nls\n```\n\n```ts src/a.ts\nlet a;\n```\n"]);
    const buttons = (index: number) =>
      test.page.locator(".code-head").nth(index).getByRole("button").allTextContents();
    assert.deepEqual(await buttons(0), ["Copy", "Insert", "More"]);
    assert.deepEqual(await buttons(1), ["Apply", "Copy", "Insert", "More"]);
    await test.page.getByRole("button", { name: "Apply ts code as a diff" }).waitFor();
  });

  it("offers more actions in a menu, and running only for commands", async () => {
    await render(["```sh\nls\n```\n\n```ts\nlet a;\n```\n"]);
    const more = test.page.getByRole("button", { name: "More for this" });
    await more.last().press("Enter");
    assert.equal(await test.page.getByRole("button", { name: "Run in Terminal…" }).count(), 0);
    await more.first().press("Enter");
    assert.equal(await test.page.getByRole("button", { name: "Run in Terminal…" }).count(), 1);
    await more.first().press("Enter");
    assert.equal(await test.page.getByRole("button", { name: "Run in Terminal…" }).count(), 0);
  });

  it("colours code of a known language, and leaves the rest unchanged", async () => {
    const html = await render(["```ts\nconst a = 1;\n```\n\n```nonsense\nconst a = 1;\n```\n"]);
    assert.equal(html.match(/hl-keyword/g)?.length, 1);
  });

  it("keeps every character of long code, coloured in segments", async () => {
    const code = Array.from({ length: 400 }, (_, i) =>
      i % 9 === 8 ? "" : `const v${i} = "x"; /* ${i} */`,
    ).join("\n");
    await render([...`\`\`\`ts\n${code}\n\`\`\`\n`], true);
    assert.equal(await test.page.locator("pre code").evaluate((element) => element.textContent), code);
    assert.ok((await test.page.locator("pre .segment").count()) > 3);
  });
});
