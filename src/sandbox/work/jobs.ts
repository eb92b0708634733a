import type { PdfOptions } from "../documents/pdf/pdf.ts";
import type { EditOrder, InputImage } from "../images/edit.ts";
import type { ImagePlan } from "../images/generate.ts";
import type { PictureFacts } from "../images/pictureFacts.ts";
import type { PictureFile } from "../images/pictureFile.ts";
import type { PageText } from "../scrape/htmlToMarkdown.ts";
import type { SpeechOrder } from "../speech/speak.ts";

interface Page {
  readonly html: string;
  readonly url: string;
}

interface PageBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The jobs of a worker. Each loads its libraries on first use, from a separate chunk. */
export const jobs = {
  async *drawPicture(drawing: ImagePlan): AsyncGenerator<PictureFile> {
    const { drawPicture } = await import("../images/generate.ts");
    yield await drawPicture(drawing);
  },
  async *editPicture(order: EditOrder): AsyncGenerator<PictureFile> {
    const { editPicture } = await import("../images/edit.ts");
    yield await editPicture(order);
  },
  async *pictureFacts({ bytes, path }: InputImage): AsyncGenerator<PictureFacts> {
    const { pictureFacts } = await import("../images/pictureFacts.ts");
    yield await pictureFacts(bytes, path);
  },
  /** The audio file in pieces. Concatenated, they are the file. */
  async *speak(order: SpeechOrder): AsyncGenerator<Uint8Array> {
    const { speak } = await import("../speech/speak.ts");
    yield* speak(order);
  },
  async *parseDocument(bytes: Uint8Array): AsyncGenerator<string> {
    const { parseDocument } = await import("../documents/parseDocument.ts");
    yield await parseDocument(bytes);
  },
  async *readDocument({ bytes, ...options }: { bytes: Uint8Array } & PdfOptions): AsyncGenerator<string> {
    const { parseDocument } = await import("../documents/parseDocument.ts");
    yield await parseDocument(bytes, options);
  },
  /** The text of a page, whose encoding the sender may not name: the detector is a heavy library. */
  async *decodePage({ bytes, contentType }: PageBytes): AsyncGenerator<string> {
    const { decodePage } = await import("../scrape/encoding/decodePage.ts");
    yield await decodePage(bytes, contentType);
  },
  async *readPage({ html, url }: Page): AsyncGenerator<PageText> {
    const { readHtml } = await import("../scrape/htmlToMarkdown.ts");
    yield readHtml(html, url);
  },
};

export type JobName = keyof typeof jobs;
export type JobInput<Name extends JobName> = Parameters<(typeof jobs)[Name]>[0];
export type JobPiece<Name extends JobName> =
  ReturnType<(typeof jobs)[Name]> extends AsyncGenerator<infer Piece> ? Piece : never;
