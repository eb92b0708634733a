import assert from "node:assert/strict";
import { describe, it } from "node:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import type { TopUp } from "../../../../src/shared/money/topUp.ts";
import { type RendererPage, useRendererPage } from "./rendererPage.ts";
import { lineOf, outputOf } from "./samples.ts";

const payTo = "0x1111111111111111111111111111111111111111";
const topUp: TopUp = {
  steps: ["Open your wallet", `Send it, as https://example.com/${"long/".repeat(60)} says`, "Try again"],
  balanceUsd: "0.04",
  minimumUsd: "5",
  suggestedUsd: "10",
  payments: [{ amount: "5 USDC", network: "Base (eip155:8453)", token: `0x${"2".repeat(40)}`, payTo }],
};

describe("a wallet without money", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage((one) => {
    opened = one;
    page = one.page;
  });

  const draw = (shown: TopUp) =>
    opened.draw(
      outputOf([lineOf("eth_blockNumber", { kind: "unsent", reason: "not sent" })], {
        problem: {
          sentence: "The balance is too low.",
          actions: [{ id: "retry", label: "Retry" }],
          topUp: shown,
        },
      }),
    );
  const card = () => page.getByRole("region", { name: "How to top up the wallet" });

  it("gets a card with amount, network and address, each with its copy button, and no link", async () => {
    await draw(topUp);
    for (const text of [
      "Balance 0.04 USD · at least 5 USD · suggested 10 USD",
      "5 USDC",
      "Base (eip155:8453)",
      payTo,
    ])
      await card().getByText(text, { exact: true }).waitFor();
    for (const name of ["amount", "network", "token", "address"])
      assert.equal(
        await card()
          .getByRole("button", { name: `Copy ${name}` })
          .count(),
        1,
        name,
      );
    assert.equal(await card().getByRole("listitem").count(), 3);
    assert.equal(await card().locator("a").count(), 0);
    assert.deepEqual(opened.problems, []);
  });

  it("has no card if an address has another shape", async () => {
    await draw({ ...topUp, payments: [{ payTo: "javascript:alert(1)" }] });
    await page.getByText("The balance is too low.").waitFor();
    assert.equal(await card().count(), 0);
  });

  it("fits a width of 260 pixels, and is accessible", async () => {
    await page.setViewportSize({ width: 260, height: 900 });
    await draw(topUp);
    await card().waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels`);
    await page.addScriptTag({ content: axe.source }).catch(() => page.evaluate(axe.source));
    const violations = await page.evaluate(async () => {
      const { axe: tool } = window as unknown as { axe: typeof axe };
      // Titles, languages and landmarks belong to a page, not to an output.
      const ofPage = [
        "region",
        "document-title",
        "html-has-lang",
        "landmark-one-main",
        "page-has-heading-one",
      ];
      const { violations: found } = await tool.run(document);
      return found.map(({ id }) => id).filter((id) => !ofPage.includes(id));
    });
    assert.deepEqual(violations, []);
    await page.setViewportSize({ width: 760, height: 900 });
  });
});
