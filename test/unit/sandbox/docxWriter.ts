// Random DOCX files with the words that a reader of them sees, in order. Every word is used once.
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";

export interface Written {
  readonly xml: string;
  /** In reading order. */
  readonly words: readonly string[];
  /** Of the text boxes of a paragraph, which follow it. */
  readonly boxWords: readonly string[];
  /** Words that are not to be seen. */
  readonly gone: readonly string[];
  /** Of each table that is not within another one: the column of each word. */
  readonly columns: ReadonlyMap<string, number>;
}

const nothing: Written = { xml: "", words: [], boxWords: [], gone: [], columns: new Map() };

function joined(parts: readonly Written[]): Written {
  return {
    xml: parts.map(({ xml }) => xml).join(""),
    words: parts.flatMap(({ words }) => words),
    boxWords: [],
    gone: parts.flatMap(({ gone }) => gone),
    columns: new Map(parts.flatMap(({ columns }) => [...columns])),
  };
}

/** Wrappers of runs whose text is seen. */
const kept = ["w:ins", "w:hyperlink", "w:smartTag", "w:fldSimple", "w:moveTo", "inline sdt", "none"] as const;
const removed = ["w:del", "w:moveFrom"] as const;

type Counter = () => string;

interface RunPlan {
  readonly wrapper: (typeof kept)[number] | (typeof removed)[number];
  readonly box: "none" | "both forms" | "VML" | "DrawingML";
}
interface ParagraphPlan {
  readonly kind: "paragraph";
  readonly runs: readonly RunPlan[];
  readonly isEndRemoved: boolean;
}
interface CellPlan {
  readonly span: number;
  readonly vMerge: boolean;
  readonly isSdt: boolean;
  readonly content: "word" | "empty" | "two paragraphs" | "nested table" | "text box";
}
interface RowPlan {
  readonly before: number;
  readonly cells: readonly CellPlan[];
  readonly isSdt: boolean;
}
interface TablePlan {
  readonly kind: "table";
  readonly rows: readonly RowPlan[];
}
export type DocumentPlan = readonly (ParagraphPlan | TablePlan)[];

const run: fc.Arbitrary<RunPlan> = fc.record({
  wrapper: fc.constantFrom(...kept, ...removed),
  box: fc.constantFrom("none", "none", "none", "both forms", "VML", "DrawingML"),
});
const paragraph: fc.Arbitrary<ParagraphPlan> = fc.record({
  kind: fc.constant("paragraph"),
  runs: fc.array(run, { maxLength: 4 }),
  isEndRemoved: fc.boolean(),
});
const cell: fc.Arbitrary<CellPlan> = fc.record({
  span: fc.integer({ min: 1, max: 3 }),
  vMerge: fc.boolean(),
  isSdt: fc.boolean(),
  content: fc.constantFrom("word", "word", "empty", "two paragraphs", "nested table", "text box"),
});
const table: fc.Arbitrary<TablePlan> = fc.record({
  kind: fc.constant("table"),
  rows: fc.array(
    fc.record({
      before: fc.integer({ min: 0, max: 2 }),
      cells: fc.array(cell, { minLength: 1, maxLength: 4 }),
      isSdt: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export const documentPlan: fc.Arbitrary<DocumentPlan> = fc.array(fc.oneof(paragraph, table), {
  minLength: 1,
  maxLength: 6,
});

export function writeDocument(plan: DocumentPlan): Written {
  let count = 0;
  const next: Counter = () => `word${++count}x`;
  const written = plan.map((block) =>
    block.kind === "table" ? tableOf(block, next) : paragraphOf(block, next),
  );
  const words: string[] = [];
  // A paragraph whose end was deleted goes on in the next one, before the boxes of both.
  let waiting: string[] = [];
  for (const [index, part] of written.entries()) {
    const block = plan[index];
    words.push(...part.words);
    waiting.push(...part.boxWords);
    const goesOn = block?.kind === "paragraph" && block.isEndRemoved && plan[index + 1]?.kind !== "table";
    if (goesOn) continue;
    words.push(...waiting);
    waiting = [];
  }
  return { ...joined(written), words: [...words, ...waiting] };
}

export function docxOf(bodyXml: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const names = {
    w: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
    wps: "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    wp: "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    a: "http://schemas.openxmlformats.org/drawingml/2006/main",
    v: "urn:schemas-microsoft-com:vml",
  };
  const declared = Object.entries(names)
    .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
    .join(" ");
  const content = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  const files = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${content}"/></Types>`,
    "_rels/.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": `<w:document ${declared}><w:body>${bodyXml}</w:body></w:document>`,
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

function runXml(inner: string): string {
  return `<w:r>${inner}</w:r>`;
}

function textXml(word: string): string {
  return `<w:t xml:space="preserve"> ${word} </w:t>`;
}

function paragraphOf({ runs, isEndRemoved }: ParagraphPlan, next: Counter): Written {
  const parts = runs.map((plan) => runOf(plan, next));
  const properties = isEndRemoved ? '<w:pPr><w:rPr><w:del w:id="9" w:author="A"/></w:rPr></w:pPr>' : "";
  return {
    xml: `<w:p>${properties}${parts.map(({ xml }) => xml).join("")}</w:p>`,
    words: parts.flatMap(({ words }) => words),
    boxWords: parts.flatMap(({ boxWords }) => boxWords),
    gone: parts.flatMap(({ gone }) => gone),
    columns: new Map(),
  };
}

function runOf({ wrapper, box }: RunPlan, next: Counter) {
  const word = next();
  const isGone = wrapper === "w:del" || wrapper === "w:moveFrom";
  const text = wrapper === "w:del" ? `<w:delText>${word}</w:delText><w:tab/>` : textXml(word);
  const boxWord = box === "none" || isGone ? "" : next();
  return {
    xml: wrapped(runXml(text + (boxWord === "" ? "" : boxXml(box, boxWord))), wrapper),
    words: isGone ? [] : [word],
    boxWords: boxWord === "" ? [] : [boxWord],
    gone: isGone ? [word] : [],
  };
}

function wrapped(xml: string, wrapper: RunPlan["wrapper"]): string {
  if (wrapper === "none") return xml;
  if (wrapper === "inline sdt")
    return `<w:sdt><w:sdtPr><w:alias w:val="a"/></w:sdtPr><w:sdtContent>${xml}</w:sdtContent></w:sdt>`;
  const attributes = wrapper === "w:fldSimple" ? ' w:instr=" AUTHOR "' : ' w:id="1" w:author="A"';
  return `<${wrapper}${attributes}>${xml}</${wrapper}>`;
}

function boxXml(kind: RunPlan["box"], word: string): string {
  const content = `<w:txbxContent><w:p>${runXml(textXml(word))}</w:p></w:txbxContent>`;
  const vml = `<w:pict><v:shape><v:textbox>${content}</v:textbox></v:shape></w:pict>`;
  const drawing = `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${content}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`;
  if (kind === "VML") return vml;
  if (kind === "DrawingML") return drawing;
  return `<mc:AlternateContent><mc:Choice Requires="wps">${drawing}</mc:Choice><mc:Fallback>${vml}</mc:Fallback></mc:AlternateContent>`;
}

function tableOf({ rows }: TablePlan, next: Counter): Written {
  const written = rows.map((row) => rowOf(row, next));
  const { xml, ...rest } = joined(written);
  return { ...rest, xml: `<w:tbl><w:tblPr/><w:tblGrid/>${xml}</w:tbl>` };
}

function rowOf({ before, cells, isSdt }: RowPlan, next: Counter): Written {
  const columns = new Map<string, number>();
  let column = before;
  const parts = cells.map((plan) => {
    const part = cellOf(plan, next);
    for (const word of part.words) columns.set(word, column);
    column += plan.span;
    return part;
  });
  const { xml, words, gone } = joined(parts);
  const properties = before > 0 ? `<w:trPr><w:gridBefore w:val="${before}"/></w:trPr>` : "";
  const row = `<w:tr>${properties}${xml}</w:tr>`;
  return { ...nothing, xml: isSdt ? sdt(row) : row, words, gone, columns };
}

function cellOf({ span, vMerge, isSdt, content }: CellPlan, next: Counter): Written {
  const inner = cellContent(content, next);
  const spanXml = span > 1 ? `<w:gridSpan w:val="${span}"/>` : "";
  const former =
    '<w:tcPrChange w:id="4" w:author="A"><w:tcPr><w:gridSpan w:val="5"/></w:tcPr></w:tcPrChange>';
  const xml = `<w:tc><w:tcPr>${spanXml}${vMerge ? '<w:vMerge w:val="restart"/>' : ""}${former}</w:tcPr>${inner.xml}</w:tc>`;
  return { ...inner, xml: isSdt ? sdt(xml) : xml };
}

function cellContent(content: CellPlan["content"], next: Counter): Written {
  const empty = "<w:p/>";
  const simple = (count: number): Written => {
    const words = Array.from({ length: count }, next);
    return { ...nothing, words, xml: words.map((word) => `<w:p>${runXml(textXml(word))}</w:p>`).join("") };
  };
  if (content === "empty") return { ...nothing, xml: empty };
  if (content === "word") return simple(1);
  if (content === "two paragraphs") return simple(2);
  if (content === "text box") {
    const [word, boxWord] = [next(), next()];
    const xml = `<w:p>${runXml(boxXml("both forms", boxWord))}${runXml(textXml(word))}</w:p>`;
    return { ...nothing, words: [word, boxWord], xml };
  }
  const [left, right] = [simple(1), simple(1)];
  const cells = [left, right].map(({ xml }) => `<w:tc>${xml}</w:tc>`).join("");
  return {
    ...nothing,
    words: [...left.words, ...right.words],
    xml: `<w:tbl><w:tr>${cells}</w:tr></w:tbl>${empty}`,
  };
}

function sdt(xml: string): string {
  return `<w:sdt><w:sdtPr/><w:sdtContent>${xml}</w:sdtContent></w:sdt>`;
}
