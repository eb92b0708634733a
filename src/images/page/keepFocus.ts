/** Where the focus goes when what had it is removed or can't be used any more: the first that can take it. */
const nextTo: readonly (readonly [group: string, targets: readonly string[]])[] = [
  [".outcome", [".prompt textarea"]],
  [".layers li", [".layers header button"]],
  [".layers", [".layers header button"]],
  [".picture", [".gallery .scroller", ".gallery .search", ".gallery button"]],
  [".painter", [".layers header button:last-of-type"]],
  [".gallery", [".gallery .scroller", ".gallery .search", ".gallery button"]],
  [".go", [".go button", ".prompt textarea"]],
];

/** An element that had the focus, and what was around it. */
interface Focused {
  readonly element: HTMLElement;
  readonly group: string | undefined;
  /** Of its row in the list of pictures; -1 outside of it. */
  readonly row: number;
}

/** Keeps the focus in the page: the browser gives it to nothing when a button that was pressed is removed. */
export function keepFocus(): () => void {
  let last: Focused | undefined;
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) last = describe(target);
  };
  const check = () => {
    const { activeElement, body } = document;
    if (!last || (activeElement && activeElement !== body && !isUseless(activeElement))) return;
    if (!isUseless(last.element)) return;
    const left = last;
    last = undefined;
    nextOf(left)?.focus();
  };
  const observer = new MutationObserver(check);
  const attributeFilter = ["disabled", "hidden"];
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter });
  document.addEventListener("focusin", onFocus);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", onFocus);
  };
}

function describe(element: HTMLElement): Focused {
  const group = nextTo.find(([selector]) => element.closest(selector))?.[0];
  const row = element.closest(".layers li");
  return { element, group, row: row ? [...(row.parentElement?.children ?? [])].indexOf(row) : -1 };
}

/** Removed, hidden or disabled. */
function isUseless(element: Element): boolean {
  return !element.isConnected || element.matches(":disabled") || element.closest("[hidden]") !== null;
}

function nextOf({ group, row }: Focused): HTMLElement | undefined {
  if (row >= 0) {
    const rows = document.querySelectorAll(".layers li");
    const button = rows[Math.min(row, rows.length - 1)]?.querySelector<HTMLElement>(
      ".row-buttons button:last-child",
    );
    if (button) return button;
  }
  const targets = nextTo.find(([name]) => name === group)?.[1] ?? [".prompt textarea"];
  return targets
    .flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)])
    .find((element) => !isUseless(element));
}
