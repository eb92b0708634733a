import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical axe-core violations in the page of this element, one text each. */
export async function seriousViolations(inside: Locator): Promise<string[]> {
  const frame = await (await inside.elementHandle())?.ownerFrame();
  if (!frame) throw new Error("the element is in no frame");
  // The page is transparent, and axe would assume a white background.
  await inside.evaluate((element) => {
    const { style } = element.ownerDocument.body;
    style.backgroundColor = "var(--vscode-sideBar-background)";
  });
  await frame.evaluate(source);
  const violations = await frame.evaluate<Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => {
      const places = nodes.map(({ html, failureSummary }) => `${html}\n    ${failureSummary}`);
      return `${id}: ${help}\n  ${places.join("\n  ")}`;
    });
}
