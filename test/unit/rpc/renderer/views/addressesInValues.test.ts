// Code that delegates (EIP-7702) and slots that hold an address (EIP-1967) name the address; other values do not.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type RendererPage, useRendererPage } from "../rendererPage.ts";
import { lineOf, outputOf, result } from "../samples.ts";

const address = `0x${"a1".repeat(20)}`;

describe("an address inside of a value", () => {
  let opened: RendererPage;
  useRendererPage((one) => {
    opened = one;
  });

  const textOf = async (method: string, value: string) => {
    await opened.draw(outputOf([lineOf(method, result("data", value))]));
    return (await opened.page.locator("section.line").innerText()).toLowerCase();
  };

  it("is named for a delegation and for a slot of EIP-1967", async () => {
    assert.match(await textOf("eth_getCode", `0xef0100${address.slice(2)}`), /delegates to\s+0xa1a1a1/);
    assert.match(
      await textOf("eth_getStorageAt", `0x${"0".repeat(24)}${address.slice(2)}`),
      /as address:\s+0xa1a1a1/,
    );
  });

  it("is not named where there is none", async () => {
    const others = [
      ["eth_getCode", `0xef0100${address.slice(2)}00`],
      ["eth_getCode", "0x6080604052"],
      ["eth_getStorageAt", `0x${"5".padStart(64, "0")}`],
      ["eth_getStorageAt", `0x${"f".repeat(64)}`],
      ["eth_call", `0x${"0".repeat(24)}${address.slice(2)}`],
    ] as const;
    for (const [method, value] of others)
      assert.doesNotMatch(await textOf(method, value), /delegates|as address/, value);
  });

  it("says why a run ended once: above the lines", async () => {
    const problem = { sentence: "The service has no API key. Enter one.", actions: [] };
    const lines = [
      lineOf("eth_chainId", { kind: "unsent", reason: "The service has no API key." }),
      lineOf(
        "eth_gasPrice",
        { kind: "unsent", reason: "Not sent, as the run had ended. The service has no API key." },
        { line: 1 },
      ),
      lineOf("eth_blockNumber", { kind: "unsent", reason: "$x has no value" }, { line: 2 }),
    ];
    await opened.draw(outputOf(lines, { problem }));
    const text = await opened.page.locator("article.run").innerText();
    assert.equal(text.split("The service has no API key").length, 2, text);
    for (const said of [
      "No result, for the reason above.",
      "Not sent, as the run had ended.",
      "$x has no value",
    ])
      assert.ok(text.includes(said), text);
  });
});
