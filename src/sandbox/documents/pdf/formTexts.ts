/** What the reader of PDF files says of an annotation; other members are not used. */
export interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
  readonly noView?: boolean;
  /** `Tx`: text, `Ch`: choice, `Btn`: button. */
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  /** What the field has as its value if the box is ticked, or this radio button is chosen. */
  readonly exportValue?: string;
  readonly buttonValue?: string | null;
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[];
  readonly contentsObj?: { readonly str?: string };
  /** Who wrote it. */
  readonly titleObj?: { readonly str?: string };
}

/** A text on a page that is not in its content: left, bottom and top in points. */
export interface PlacedText {
  readonly text: string;
  readonly left: number;
  readonly bottom: number;
  readonly top: number;
}

/** What a person sees in the fields of a form, and texts that were written onto the page. */
export function formTexts(annotations: readonly Annotation[]): PlacedText[] {
  return annotations.flatMap((annotation) => {
    const [left = 0, bottom = 0, , top = 0] = annotation.rect ?? [];
    if (annotation.hidden || annotation.noView) return [];
    const text = shownText(annotation).trim();
    return text === "" ? [] : [{ text, left, bottom, top }];
  });
}

/** Marks of a reader that can have a comment. */
const marks = new Set(["Text", "Highlight", "Underline", "StrikeOut", "Squiggly", "Caret"]);

/** What readers wrote in the margins, in the words of the comments of a DOCX file. */
export function commentTexts(annotations: readonly Annotation[]): string[] {
  return annotations.flatMap(({ subtype = "", hidden, noView, contentsObj, titleObj }) => {
    const text = lines(contentsObj?.str ?? "").trim();
    if (!marks.has(subtype) || hidden || noView || text === "") return [];
    const author = titleObj?.str?.trim() ?? "";
    return [author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`];
  });
}

function shownText(annotation: Annotation): string {
  if (annotation.subtype === "FreeText") return lines(annotation.contentsObj?.str ?? "");
  if (annotation.subtype !== "Widget") return "";
  const { fieldType, fieldValue, password } = annotation;
  if (fieldType === "Tx") return password ? "" : lines(valuesOf(fieldValue).join("\n"));
  if (fieldType === "Ch")
    return valuesOf(fieldValue)
      .map((value) => displayed(annotation, value))
      .join(", ");
  return fieldType === "Btn" ? buttonText(annotation) : "";
}

function buttonText({ checkBox, radioButton, exportValue, buttonValue, fieldValue }: Annotation): string {
  const isOn = (value: string | null | undefined) =>
    typeof fieldValue === "string" && fieldValue !== "Off" && (value ?? fieldValue) === fieldValue;
  if (checkBox) return isOn(exportValue) ? `☒${named(exportValue)}` : "☐";
  if (radioButton) return isOn(buttonValue) ? "◉" : "○";
  return "";
}

/** The name of a box is often its meaning, such as Yes. */
function named(value: string | undefined): string {
  return value !== undefined && /^\p{L}{2}/u.test(value) && !/^on$/i.test(value) ? ` ${value}` : "";
}

function valuesOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === "string" && each !== "");
}

function displayed({ options = [] }: Annotation, value: string): string {
  return options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
}

/** Forms separate lines with a carriage return. */
function lines(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\s*\n\s*/g, " ");
}
