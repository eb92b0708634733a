import { extractText, getDocumentProxy } from "unpdf";
import { badField } from "../refusal.ts";

/** The text of a PDF, page by page. Throws the 400 of a damaged or locked one. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const pages = await pagesOf(bytes).catch((error: Error) => {
    const locked = error.name === "PasswordException";
    throw badField(["file"], locked ? "The PDF is locked with a password" : "The PDF file is damaged");
  });
  const trimmed = pages.map((page) => page.replace(/[^\S\n]+$/gm, "").trim());
  return trimmed.filter((page) => page !== "").join("\n\n");
}

async function pagesOf(bytes: Uint8Array): Promise<readonly string[]> {
  // The reader takes the bytes over, so it gets a copy; it is to keep quiet about what it mends.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  return (await extractText(pdf, { mergePages: false })).text;
}
