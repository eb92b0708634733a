import { codeOfButton, type FramedCode, toggleMore } from "../markdown/codeFrame.ts";
import { noteOfButton } from "../markdown/footnotes.ts";
import { safeHref } from "../markdown/links.ts";
import type { ChatPageDeps } from "./chatDeps.ts";

/** Duration of the “Copied” label in milliseconds. */
const copiedMs = 1500;

/** Dependencies of the click handlers. */
interface Deps {
  readonly bridge: Pick<ChatPageDeps["bridge"], "post">;
  readonly diagrams: ChatPageDeps["diagrams"];
  readonly paths: Pick<ChatPageDeps["paths"], "placeOf">;
  readonly markdown: Pick<ChatPageDeps["markdown"], "pictures">;
}

/** Clicks inside answers. The host opens links and applies code, because the webview can't. */
export function handleClick(event: MouseEvent, deps: Deps): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (link) {
    event.preventDefault();
    // VS Code also handles clicks on links, which would open the page twice.
    event.stopPropagation();
    const place = deps.paths.placeOf(link);
    if (place) {
      if (event.button !== 2) deps.bridge.post("openPath", place);
      return;
    }
    const url = safeHref(link.href);
    if (url !== undefined && event.button !== 2) deps.bridge.post("openLink", { url });
    return;
  }
  const button = event.target.closest("button");
  if (!button || event.button !== 0) return;
  if (deps.markdown.pictures.load(button)) return;
  const code = codeOfButton(button);
  if (code) useCode(button, code, deps);
  const note = noteOfButton(button);
  if (note) showNote(note);
}

function useCode(button: HTMLButtonElement, code: FramedCode, { bridge, diagrams }: Deps): void {
  const { action, source, language, path } = code;
  switch (action) {
    case "copy":
      bridge.post("copyText", { text: source });
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, copiedMs);
      break;
    case "more":
      toggleMore(button);
      break;
    case "diagram":
      void diagrams.toggle(button, code);
      break;
    default:
      bridge.post("useCode", { action, text: source, language, ...(path === undefined ? {} : { path }) });
  }
}

/** Scrolls to a footnote and announces it. */
function showNote(note: HTMLElement): void {
  note.tabIndex = -1;
  note.scrollIntoView({ block: "center" });
  note.focus({ preventScroll: true });
}
