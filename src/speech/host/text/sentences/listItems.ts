/** The number or letter of an item, with its mark: `[start, end)`, where `end` is that of the blanks behind it. */
interface ListItem {
  readonly start: number;
  readonly end: number;
}

/** `1.`, `1)`, `1.)`, `(1)` and the same with letters, between blanks. */
const itemMark = /(?:^|(?<=\s))(?:[•⁃‣▪-] ?)?(\(?)(\d{1,3}|[a-z])(\.\)|[.)])\s+(?=\S)/gu;

/**
 * The items of a list that stands in one line, as texts of PDF files have them: `1. Open it 2. Close it`. They follow
 * each other, so a number that happens to end a sentence begins none.
 */
export function listItems(text: string): ListItem[] {
  const runs = new Map<string, { next: string; items: ListItem[] }>();
  for (const { index, 0: found, 1: open = "", 2: label = "", 3: close = "" } of text.matchAll(itemMark)) {
    const kind = `${open}${/^\d/.test(label) ? "1" : "a"}${close}`;
    const run = runs.get(kind);
    const item = { start: index, end: index + found.length };
    if (run && label === run.next) {
      run.items.push(item);
      run.next = after(label);
    } else if (!run && mayBegin(text.slice(0, index))) runs.set(kind, { next: after(label), items: [item] });
  }
  return [...runs.values()].flatMap(({ items }) => (items.length > 1 ? items : []));
}

/** A list begins a text, or follows a colon. */
function mayBegin(before: string): boolean {
  return /(?:^|:)\s*$/.test(before);
}

function after(label: string): string {
  return /^\d/.test(label) ? String(Number(label) + 1) : String.fromCharCode(label.charCodeAt(0) + 1);
}
