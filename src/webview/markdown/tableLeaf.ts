import type { DrawContext } from "./drawContext.ts";
import { createInlineText, type InlineText } from "./inlineText.ts";
import type { Leaf } from "./leaf.ts";
import { type Alignment, tableCells } from "./lineSyntax.ts";
import { createTableParts } from "./tableParts.ts";

/** A table, drawn row by row; the row that is being written grows cell by cell. */
export function createTable(
  parent: Element,
  header: readonly string[],
  alignments: readonly Alignment[],
  context: DrawContext,
): Leaf {
  const frame = document.createElement("div");
  frame.className = "table-frame";
  frame.tabIndex = 0;
  const table = document.createElement("table");
  table.dir = "auto";
  const head = document.createElement("thead");
  table.append(head);
  frame.append(table);
  parent.append(frame);
  let source = "";
  let row: Row | undefined;

  const headRow = createRow("th", alignments, context);
  head.append(headRow.element);
  headRow.show(header);
  headRow.finish();
  const parts = createTableParts(frame, table, headRow.element);
  const showRow = () => {
    if (!row) {
      row = createRow("td", alignments, context);
      parts.add(row.element);
    }
    row.show(tableCells(source));
    return row;
  };
  return {
    kind: "table",
    append(text) {
      source += text;
    },
    endLine() {
      if (source.trim() !== "") showRow().finish();
      row = undefined;
      source = "";
    },
    draw() {
      if (source.trim() !== "") showRow().draw();
    },
    finish() {
      if (source !== "") this.endLine();
    },
  };
}

interface Row {
  readonly element: HTMLTableRowElement;
  /** The cells as far as they are known; each call knows more. */
  show(cells: readonly string[]): void;
  draw(): void;
  finish(): void;
}

function createRow(tag: "th" | "td", alignments: readonly Alignment[], context: DrawContext): Row {
  const element = document.createElement("tr");
  const cells = alignments.map((alignment) => {
    const cell = document.createElement(tag);
    if (alignment) cell.className = `align-${alignment}`;
    element.append(cell);
    return { cell, text: "", inline: undefined as InlineText | undefined };
  });
  return {
    element,
    show(texts) {
      for (const [index, state] of cells.entries()) {
        const text = texts[index] ?? "";
        if (text === state.text && state.inline) continue;
        // Mostly a cell grows; a bar that turns out to be escaped takes a part of it back.
        if (!state.inline || !text.startsWith(state.text)) {
          state.cell.replaceChildren();
          state.inline = createInlineText(state.cell, context);
          state.text = "";
        }
        state.inline.append(text.slice(state.text.length));
        state.text = text;
      }
    },
    draw() {
      for (const { inline } of cells) inline?.draw();
    },
    finish() {
      for (const { inline } of cells) inline?.finish();
    },
  };
}
