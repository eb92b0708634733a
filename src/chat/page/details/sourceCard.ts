import { sourceOfMark } from "../../../webview/markdown/inline/references.ts";
import { siteOf } from "./Sources.tsx";

/** A tooltip for the citation under the pointer or focus: title, date and address. One for the whole page. */
export function createSourceCard(scroller: HTMLElement): { dispose(): void } {
  const card = document.createElement("div");
  card.className = "source-card";
  card.role = "tooltip";
  card.id = "source-card";
  card.hidden = true;
  document.body.append(card);
  let described: Element | undefined;

  const hide = () => {
    card.hidden = true;
    described?.removeAttribute("aria-describedby");
    described = undefined;
  };
  const show = (event: Event) => {
    const mark = event.target instanceof Element ? event.target.closest(".cite-mark") : null;
    const source = mark ? sourceOfMark(mark) : undefined;
    if (!mark || !source) return hide();
    if (mark === described) return undefined;
    hide();
    const facts = [source.date, siteOf(source.url)].filter((fact) => fact !== undefined && fact !== "");
    card.replaceChildren(
      line("source-title", source.title ?? source.url),
      line("source-facts", facts.join(" · ")),
    );
    if (source.excerpt) card.append(line("source-excerpt", source.excerpt));
    card.hidden = false;
    place(card, mark.getBoundingClientRect());
    mark.setAttribute("aria-describedby", card.id);
    described = mark;
    return undefined;
  };
  const hideByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || card.hidden) return;
    hide();
    // Handled here, so that Escape does not also stop the answer.
    event.preventDefault();
  };
  scroller.addEventListener("mouseover", show);
  scroller.addEventListener("focusin", show);
  scroller.addEventListener("focusout", hide);
  scroller.addEventListener("mouseleave", hide);
  scroller.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("keydown", hideByKey, { capture: true });
  return {
    dispose() {
      card.remove();
      scroller.removeEventListener("mouseover", show);
      scroller.removeEventListener("focusin", show);
      scroller.removeEventListener("focusout", hide);
      scroller.removeEventListener("mouseleave", hide);
      scroller.removeEventListener("scroll", hide);
      document.removeEventListener("keydown", hideByKey, { capture: true });
    },
  };
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.append(text);
  return element;
}

/** Below the citation, or above it if there is no room; always within the page. */
function place(card: HTMLElement, mark: DOMRect): void {
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(4, Math.min(mark.left, innerWidth - width - 4));
  const below = mark.bottom + 4;
  const top = below + height < innerHeight ? below : Math.max(4, mark.top - height - 4);
  card.style.setProperty("left", `${left}px`);
  card.style.setProperty("top", `${top}px`);
}
