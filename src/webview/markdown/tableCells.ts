/** Reads the cells of a row, however it is cut. */
export interface CellReader {
  /** More of the row. */
  read(text: string): void;
  /** The row is complete. Returns how many cells it has. */
  end(): number;
}

const tokens = /[^|\\ \t]+|[ \t]+|\\\|?|\|/g;

/** A cell's text comes as it is read, without the white space around it; a backslash keeps a bar in its cell. */
export function createCellReader(
  onText: (cell: number, text: string) => void,
  onCellEnd: (cell: number) => void = () => {},
): CellReader {
  let cell = 0;
  let hasBegun = false;
  let isEmpty = true;
  let spaces = "";
  let held = "";
  const add = (text: string) => {
    onText(cell, spaces + text);
    spaces = "";
    hasBegun = true;
    isEmpty = false;
  };
  const endCell = () => {
    if (hasBegun) onCellEnd(cell++);
    hasBegun = true;
    isEmpty = true;
    spaces = "";
  };
  return {
    read(text) {
      const fresh = held + text;
      // The bar after it may still come.
      held = fresh.endsWith("\\") ? "\\" : "";
      for (const [token] of fresh.slice(0, fresh.length - held.length).matchAll(tokens)) {
        if (token === "|") endCell();
        else if (token === "\\|") add("|");
        else if (!/^[ \t]/.test(token)) add(token);
        else if (!isEmpty) spaces += token;
      }
    },
    end() {
      if (held !== "") add(held);
      if (!isEmpty) onCellEnd(cell++);
      return cell;
    },
  };
}

/** The cells of a row, trimmed. */
export function tableCells(row: string): string[] {
  const cells: string[] = [];
  const reader = createCellReader((cell, text) => {
    cells[cell] = (cells[cell] ?? "") + text;
  });
  reader.read(row);
  const count = reader.end();
  return Array.from({ length: count }, (_, cell) => cells[cell] ?? "");
}
