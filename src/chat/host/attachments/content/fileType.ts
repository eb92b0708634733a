import { isPdf } from "../../../../shared/documents/pdfHeader.ts";

/** The type of a file for a chat, detected by its first bytes and, if those are ambiguous, its name. */
export interface FileType {
  readonly kind: "image" | "document" | "text" | "binary";
  readonly mediaType: string;
  readonly extension: string;
}

const office = "application/vnd.openxmlformats-officedocument";
const documents: Readonly<Record<string, string>> = {
  docx: `${office}.wordprocessingml.document`,
  pptx: `${office}.presentationml.presentation`,
  xlsx: `${office}.spreadsheetml.sheet`,
};
/** Signatures of images in hexadecimal; a dot matches any digit. */
const images: readonly (readonly [extension: string, mediaType: string, start: RegExp])[] = [
  ["png", "image/png", /^89504e470d0a1a0a/],
  ["jpg", "image/jpeg", /^ffd8ff/],
  ["gif", "image/gif", /^4749463[89]/],
  ["webp", "image/webp", /^52494646.{8}57454250/],
];

const pdf = "255044462d";
const zip = "504b0304";

export function fileTypeOf(name: string, head: Uint8Array): FileType {
  const start = Buffer.from(head.subarray(0, 16)).toString("hex");
  const image = images.find(([, , pattern]) => pattern.test(start));
  if (image) return { kind: "image", mediaType: image[1], extension: image[0] };
  if (start.startsWith(pdf) || isPdf(head))
    return { kind: "document", mediaType: "application/pdf", extension: "pdf" };
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const mediaType = documents[extension];
  if (mediaType && start.startsWith(zip)) return { kind: "document", mediaType, extension };
  if (head.subarray(0, 8192).includes(0))
    return { kind: "binary", mediaType: "application/octet-stream", extension: "bin" };
  return { kind: "text", mediaType: "text/plain", extension: "txt" };
}
