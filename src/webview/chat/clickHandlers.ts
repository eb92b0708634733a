import { codeOfButton, type FramedCode, toggleMore } from "../markdown/code.ts";
import { safeHref } from "../markdown/links.ts";
import { noteOfButton } from "../markdown/references.ts";
import type { ChatPageDeps } from "./chatDeps.ts";

/** Milliseconds for which a button says that it has copied. */
const copiedMs = 1500;

/** What clicks need of the page. */
interface Deps {
  readonly bridge: Pick<ChatPageDeps["bridge"], "post">;
  readonly paths: Pick<ChatPageDeps["paths"], "placeOf">;
  readonly markdown: Pick<ChatPageDeps["markdown"], "pictures" | "diagrams">;
}

/** Clicks inside of answers. Links are opened, and code is used, by the host: the page can do neither. */
export function handleClick(event: MouseEvent, deps: Deps): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (link) {
    event.preventDefault();
    // The editor opens links of pages by itself as well, and would open it a second time.
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

function useCode(button: HTMLButtonElement, code: FramedCode, { bridge, markdown }: Deps): void {
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
      void markdown.diagrams.toggle(button, code);
      break;
    default:
      bridge.post("useCode", { action, text: source, language, ...(path === undefined ? {} : { path }) });
  }
}

/** Brings a note into sight and reads it out. */
function showNote(note: HTMLElement): void {
  note.tabIndex = -1;
  note.scrollIntoView({ block: "center" });
  note.focus({ preventScroll: true });
}
