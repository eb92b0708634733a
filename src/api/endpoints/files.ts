import { imageDimensionsFromData } from "image-dimensions";
import * as z from "zod";
import { decodeBase64 } from "../base64.ts";
import { isUpload, type Upload } from "../call/body/upload.ts";

const maxFileBytes = 25 * 1024 * 1024;
const minImagePixels = 65_536;
const maxImagePixels = 33_177_600;

/** A file for an upload, at most 25 MB (spec E9, Other limits). */
export const fileUpTo25Mb = z.custom<Upload>(isUpload, "must be a file").superRefine((file, context) => {
  if (!isUpload(file)) return;
  if (file.size === 0) context.addIssue("the file is empty");
  if (file.size > maxFileBytes)
    context.addIssue(`a file may have at most 25 MB; this one has ${megabytes(file.size)} MB`);
});

/**
 * An image to edit: a file, a base64 string, a data URL or an http(s) URL. If the bytes are available here, they must
 * have 65,536 to 33,177,600 pixels and less than 25 MB (spec E5, E13).
 */
export const imageInput = z
  .union([z.string().min(1), z.custom<Upload>(isUpload)], "must be an image file, base64 text or a URL")
  .superRefine((image, context) => {
    const problem = imageProblem(image);
    if (problem) context.addIssue(problem);
  });
export type ImageInput = string | Upload;

function imageProblem(image: ImageInput): string | undefined {
  if (typeof image === "string" && /^https?:\/\//i.test(image)) return undefined;
  const bytes = typeof image === "string" ? decodeBase64(image) : image.head;
  if (bytes === undefined) return "must be base64 text, a data URL or an http(s) URL";
  const size = typeof image === "string" ? bytes.byteLength : image.size;
  if (size >= maxFileBytes) return `an image must be under 25 MB; this one has ${megabytes(size)} MB`;
  const dimensions = imageDimensionsFromData(bytes);
  if (!dimensions) return "can't be read as an image (PNG, JPEG, WebP, GIF, AVIF …)";
  return pixelProblem(dimensions.width, dimensions.height);
}

/** The reason that an image of this size is refused; undefined if it is valid. */
export function pixelProblem(width: number, height: number): string | undefined {
  const pixels = width * height;
  if (pixels >= minImagePixels && pixels <= maxImagePixels) return undefined;
  const rule = pixels < minImagePixels ? "at least 65536" : "at most 33177600";
  return `an image must have ${rule} pixels; this one has ${width} × ${height} = ${pixels}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
