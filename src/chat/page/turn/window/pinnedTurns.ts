/** Groups that must stay mounted, wherever the user scrolls. */
export interface PinnedTurns {
  /** True if the group has the focus, a selection, running text, or a state that the user has changed. */
  isHeld(group: Element): boolean;
  dispose(): void;
}

const controls = "button, summary, input, textarea, select, label";
/** Typed or streaming text, which is stored nowhere else. */
const unfinished = '[aria-busy="true"], textarea';

/** `onSelect` is called after each change of the selection. */
export function createPinnedTurns(scroller: HTMLElement, onSelect: () => void): PinnedTurns {
  /** Groups with a control that the user has changed: rendering again would reset it. */
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

/** True if the selection intersects this element. */
export function isSelected(element: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
