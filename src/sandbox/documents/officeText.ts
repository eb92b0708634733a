import { readXml } from "./xml.ts";

/** Parts of a document that say nothing, or say again what stands beside them. */
const silent = new Set(["Fallback", "tabs", "instrText", "delText"]);

/**
 * The text of a part of a DOCX or PPTX file, a line to a paragraph, a line to a table's row with tabs between its
 * cells. Both formats name these the same, but for the prefix.
 */
export function officeText(xml: string): string {
  const lines = createLines();
  let muted = 0;
  let inText = false;
  const opened: Readonly<Record<string, () => void>> = {
    t: () => {
      inText = true;
    },
    tab: () => lines.add("\t"),
    br: () => lines.add("\n"),
    cr: () => lines.add("\n"),
    noBreakHyphen: () => lines.add("-"),
    numPr: () => lines.add("- "),
    tr: lines.startRow,
    tc: lines.startCell,
  };
  const closed: Readonly<Record<string, () => void>> = {
    t: () => {
      inText = false;
    },
    p: lines.endParagraph,
    tc: lines.endCell,
    tr: lines.endRow,
  };
  readXml(xml, {
    open(name) {
      if (silent.has(name)) muted += 1;
      else if (muted === 0) opened[name]?.();
    },
    close(name) {
      if (silent.has(name)) muted -= 1;
      else if (muted === 0) closed[name]?.();
    },
    text(text) {
      if (inText && muted === 0) lines.add(text);
    },
  });
  return lines.text();
}

/** Text as it comes together; a table's cell may hold paragraphs, and tables again. */
function createLines() {
  const stack: { text: string; cells: string[] }[] = [{ text: "", cells: [] }];
  const top = () => stack.at(-1) ?? { text: "", cells: [] };
  return {
    add(text: string) {
      top().text += text;
    },
    endParagraph() {
      top().text += "\n";
    },
    startRow() {
      stack.push({ text: "", cells: [] });
    },
    startCell() {
      stack.push({ text: "", cells: [] });
    },
    endCell() {
      const cell =
        stack
          .pop()
          ?.text.trim()
          .replace(/\s*\n\s*/g, " ") ?? "";
      top().cells.push(cell);
    },
    endRow() {
      const row = stack.pop()?.cells.join("\t") ?? "";
      top().text += `${row}\n`;
    },
    text: () => top().text,
  };
}
