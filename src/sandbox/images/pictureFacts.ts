import { imageDimensionsFromData } from "image-dimensions";
import { frameCount, imageFormatOf } from "../../shared/images/imageFormats.ts";
import { badField } from "../refusal.ts";
import { toHsl } from "./drawing/colors.ts";
import { at, type Picture } from "./drawing/picture.ts";
import { decodePicture } from "./edit.ts";

/** What a program without a model can tell of a picture. */
export interface PictureFacts {
  readonly format: string;
  /** Pixels, as a browser draws it. */
  readonly width: number;
  readonly height: number;
  /** Pictures of one that moves; 1 for one that does not. */
  readonly frames: number;
  /** The share of the pixels that are transparent, 0 to 1; undefined if the pixels were not read. */
  readonly transparent: number | undefined;
  /** Names with their shares of the visible pixels, 0 to 1, the largest first; empty if the pixels were not read. */
  readonly colours: readonly { readonly name: string; readonly share: number }[];
}

/** spec E13. */
const mostPixels = 33_177_600;

/** Throws a 400 that names the field if the file is no picture, too large or damaged. */
export async function pictureFacts(
  bytes: Uint8Array,
  path: readonly (string | number)[],
): Promise<PictureFacts> {
  const found = imageFormatOf(bytes);
  const size = imageDimensionsFromData(bytes);
  if (!found || !size || !(found.isSent || found.id === "gif")) {
    const other = found && !found.isSent ? `; this one is ${found.name}` : "";
    throw badField(path, `A picture must be a PNG, JPEG, WebP or GIF file${other}`);
  }
  const { name: format } = found;
  const pixels = size.width * size.height;
  if (pixels > mostPixels) throw badField(path, `Too big: ${pixels} pixels, at most ${mostPixels} expected`);
  const frames = frameCount(bytes);
  // Nothing here decodes a GIF, and only one frame of others is decoded.
  if (found.id === "gif" || frames > 1)
    return { format, width: size.width, height: size.height, frames, transparent: undefined, colours: [] };
  const picture = await decodePicture(bytes, path);
  const { width, height } = picture;
  return { format, width, height, frames, ...coloursOf(picture) };
}

/** Rows and columns of the pixels that are counted. */
const steps = 96;
/** A colour with a smaller share is not named. */
const leastShare = 0.08;
const mostColours = 3;

function coloursOf({ width, height, data }: Picture): Pick<PictureFacts, "transparent" | "colours"> {
  const counts = new Map<string, number>();
  const [columns, rows] = [Math.min(steps, width), Math.min(steps, height)];
  for (let row = 0; row < rows; row++) {
    const y = Math.floor(((row + 0.5) * height) / rows);
    for (let column = 0; column < columns; column++) {
      const x = Math.floor(((column + 0.5) * width) / columns);
      const index = (y * width + x) * 4;
      const name =
        at(data, index + 3) < 128
          ? ""
          : colourName(at(data, index), at(data, index + 1), at(data, index + 2));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const clear = counts.get("") ?? 0;
  const visible = columns * rows - clear;
  counts.delete("");
  const colours = [...counts]
    .map(([name, count]) => ({ name, share: count / visible }))
    .filter(({ share }) => share >= leastShare)
    .sort((one, other) => other.share - one.share)
    .slice(0, mostColours);
  return { transparent: clear / (columns * rows), colours };
}

/** The end of each range of hues in degrees, with the names of a dark and of a lighter colour. */
const hueNames: readonly (readonly [end: number, dark: string, light: string])[] = [
  [15, "dark red", "red"],
  [45, "brown", "orange"],
  [70, "olive", "yellow"],
  [165, "dark green", "green"],
  [195, "dark cyan", "cyan"],
  [255, "dark blue", "blue"],
  [290, "dark purple", "purple"],
  [345, "dark pink", "pink"],
  [360, "dark red", "red"],
];

function colourName(red: number, green: number, blue: number): string {
  const [hue, saturation, lightness] = toHsl(red, green, blue);
  if (lightness < 0.08) return "black";
  if (lightness > 0.95) return "white";
  if (saturation < 0.12) return lightness < 0.35 ? "dark grey" : lightness > 0.7 ? "light grey" : "grey";
  const [, dark, light] = hueNames.find(([end]) => hue < end) ?? [0, "dark red", "red"];
  return lightness < 0.35 ? dark : light;
}
