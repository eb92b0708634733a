/** Replaces a part of a text. */
interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Edits of one text, in the order of their offsets, that do not overlap. */
export type TextEdits = readonly TextEdit[];

/** `undo` turns the new text into the old one. */
export function applyEdits(
  text: string,
  edits: TextEdits,
): { readonly text: string; readonly undo: TextEdits } {
  const undo: TextEdit[] = [];
  let [changed, moved] = [text, 0];
  for (const edit of edits) {
    const offset = edit.offset + moved;
    const end = offset + edit.length;
    undo.push({ offset, length: edit.text.length, text: changed.slice(offset, end) });
    changed = changed.slice(0, offset) + edit.text + changed.slice(end);
    moved += edit.text.length - edit.length;
  }
  return { text: changed, undo };
}

/** The end of a line as most of the text has it. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return /\r\n/.test(text) ? "\r\n" : "\n";
}

/** The number of the line, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
