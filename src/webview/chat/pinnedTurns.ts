/** What must stay in the page, wherever the reader scrolls to. */
export interface PinnedTurns {
  /** Whether something in there has the focus, is selected, is on its way, or is as the reader has made it. */
  isHeld(group: Element): boolean;
  dispose(): void;
}

const controls = "button, summary, input, textarea, select, label";
/** What is typed, or comes: neither is kept elsewhere. */
const unfinished = '[aria-busy="true"], textarea';

/** `onSelect` hears of each change of what is selected. */
export function createPinnedTurns(scroller: HTMLElement, onSelect: () => void): PinnedTurns {
  /** Groups in which something was opened, chosen or moved: drawn anew it would be as it was at first. */
  const changed = new WeakSet<Element>();
  const note = (event: Event) => {
    const { target } = event;
    if (!(target instanceof Element) || target === scroller) return;
    if (event.type === "click" && !target.closest(controls)) return;
    const group = target.closest(".turn-group");
    if (group) changed.add(group);
  };
  const kinds = ["click", "input", "scroll"] as const;
  for (const kind of kinds) scroller.addEventListener(kind, note, { capture: true, passive: true });
  document.addEventListener("selectionchange", onSelect);
  return {
    isHeld: (group) =>
      changed.has(group) ||
      group.contains(document.activeElement) ||
      isSelected(group) ||
      group.querySelector(unfinished) !== null,
    dispose() {
      for (const kind of kinds) scroller.removeEventListener(kind, note, { capture: true });
      document.removeEventListener("selectionchange", onSelect);
    },
  };
}

/** Whether something of this element is selected. */
export function isSelected(element: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
