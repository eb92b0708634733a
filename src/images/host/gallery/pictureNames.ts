import { imageFormat, imageFormats } from "../../../shared/images/imageFormats.ts";

const pictures = new RegExp(
  `\\.(?:${imageFormats.flatMap(({ isDrawn, id, extensions }) => (isDrawn && id !== "svg" ? extensions : [])).join("|")})$`,
  "i",
);
const ownName = /^\d{8}-\d{6}-/;

/** The name of a picture generated at that time (UTC); names sort by time. */
export function pictureName(prompt: string, atMs: number, type: string): string {
  const [day = "", time = ""] = new Date(atMs).toISOString().split("T");
  const stamp = `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
  return `${stamp}-${slug(prompt)}.${extensionOf(type)}`;
}

/** Letters, digits and hyphens of a prompt's first words. */
function slug(prompt: string): string {
  const words = prompt
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 48)
    .replace(/^-+|-+$/g, "");
  return words || "picture";
}

/** The name of a picture without its timestamp. */
export function plainName(name: string): string {
  return name.replace(ownName, "") || name;
}

/** `a.png` → `a-2.png`. */
export function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf(".");
  return count < 2 ? name : `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
}

function extensionOf(type: string): string {
  return imageFormat(type)?.extensions[0] ?? type;
}

/** The metadata file of a picture. */
export function factsName(picture: string): string {
  return `${picture}.json`;
}

/** The pictures in a folder: generated ones first, newest first, then the others by name. */
export function galleryNames(names: readonly string[]): readonly string[] {
  const shown = names.filter((name) => pictures.test(name) && !name.startsWith("."));
  const own = shown.filter((name) => ownName.test(name)).sort();
  const others = shown.filter((name) => !ownName.test(name)).sort();
  return [...own.reverse(), ...others];
}
