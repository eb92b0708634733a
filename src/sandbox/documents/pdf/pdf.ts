import { getDocumentProxy } from "unpdf";
import { badField } from "../../refusal.ts";
import { type Annotation, commentTexts, formTexts } from "./formTexts.ts";
import { linesOf, pageText, withTexts } from "./pageText.ts";

export interface PdfOptions {
  /** Opens a file that is locked. */
  readonly password?: string;
  /** Puts `<!-- Page 2 -->` before each page of a file that has several. */
  readonly marksPages?: boolean;
}

/** The text of a PDF by page, with what its forms contain. Throws a 400 if it is damaged or locked. */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<string> {
  const pages = await pagesOf(bytes, options.password).catch((error: Error) => {
    throw badField(["file"], problemOf(error, options.password !== undefined));
  });
  const trimmed = pages.map((page) => page.replace(/[^\S\n]+$/gm, "").trim());
  const marks = (index: number) =>
    options.marksPages && pages.length > 1 ? `<!-- Page ${index + 1} -->\n\n` : "";
  return trimmed.flatMap((page, index) => (page === "" ? [] : [marks(index) + page])).join("\n\n");
}

function problemOf(error: Error, hasPassword: boolean): string {
  if (error.name !== "PasswordException") return "The PDF file is damaged";
  return hasPassword
    ? "The password does not open the PDF: it is locked with another one"
    : "The PDF is locked with a password";
}

async function pagesOf(bytes: Uint8Array, password: string | undefined): Promise<readonly string[]> {
  // The reader takes ownership of the bytes, so it gets a copy. Verbosity 0 turns off its warnings.
  const given = password === undefined ? {} : { password };
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, ...given });
  const pages: string[] = [];
  try {
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      // What is wrong with a form is not the fault of the text.
      const annotations: readonly Annotation[] = await page.getAnnotations().catch(() => []);
      const lines = linesOf(items.flatMap((item) => ("str" in item ? [item] : [])));
      const text = pageText(withTexts(lines, formTexts(annotations)));
      pages.push([text, ...commentTexts(annotations)].join("\n\n"));
      page.cleanup();
    }
  } finally {
    await pdf.destroy();
  }
  return pages;
}
