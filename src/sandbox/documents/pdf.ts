import { extractText, getDocumentProxy } from "unpdf";
import { badField } from "../refusal.ts";

/** The text of a PDF by page. Throws a 400 if it is damaged or locked. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const pages = await pagesOf(bytes).catch((error: Error) => {
    const locked = error.name === "PasswordException";
    throw badField(["file"], locked ? "The PDF is locked with a password" : "The PDF file is damaged");
  });
  const trimmed = pages.map((page) => page.replace(/[^\S\n]+$/gm, "").trim());
  return trimmed.filter((page) => page !== "").join("\n\n");
}

async function pagesOf(bytes: Uint8Array): Promise<readonly string[]> {
  // The reader takes ownership of the bytes, so it gets a copy. Verbosity 0 turns off its warnings.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  return (await extractText(pdf, { mergePages: false })).text;
}
