import type { Page } from "playwright-core";

/** Collects console errors, exceptions and CSP violations of our webviews. */
export function watchWebviews(page: Page, problems: string[]): void {
  page.on("console", (message) => {
    const { url } = message.location();
    if (message.type() === "error" && isOurs(url)) problems.push(`${message.text()}\n    ${url}`);
  });
  page.on("pageerror", ({ message, stack = message }) => {
    if (isOurs(stack) || !stack.includes("/static/")) problems.push(stack);
  });
}

/**
 * Our scripts are loaded from the extension's folder. CSP violations are reported for the webview's outer page,
 * which names the extension, and inline code has no URL. VS Code's own errors come from its static files.
 */
function isOurs(address: string): boolean {
  return address === "" || address.includes("inference-workbench.inference-workbench");
}
