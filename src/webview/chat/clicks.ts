import { codeOfButton } from "../markdown/codeFrame.ts";
import { safeHref } from "../markdown/links.ts";
import type { Bridge } from "./bridge.ts";

/** Milliseconds for which a button says that it has copied. */
const copiedMs = 1500;

/** Clicks inside of answers. Links are opened, and code is copied, by the host: the page can do neither. */
export function handleClick(event: MouseEvent, bridge: Bridge): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (link) {
    event.preventDefault();
    // The editor opens links of pages by itself as well, and would open it a second time.
    event.stopPropagation();
    const url = safeHref(link.href);
    if (url !== undefined && event.button !== 2) bridge.post("openLink", { url });
    return;
  }
  const copy = event.target.closest("button.code-copy");
  const code = copy ? codeOfButton(copy) : undefined;
  if (!copy || code === undefined) return;
  bridge.post("copyText", { text: code });
  copy.textContent = "Copied";
  setTimeout(() => {
    copy.textContent = "Copy";
  }, copiedMs);
}
