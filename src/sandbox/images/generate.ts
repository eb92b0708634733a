import { createRandom, hashOf } from "../state/ids.ts";
import { fromHsl, hueOf } from "./drawing/colors.ts";
import { blur } from "./drawing/effects.ts";
import type { ContentFinding } from "./drawing/finding.ts";
import { type Color, createPicture, mix, type Picture } from "./drawing/picture.ts";
import type { Size } from "./drawing/size.ts";
import { type PictureFile, type PictureFormat, toFile } from "./pictureFile.ts";

/** An order for a picture from a prompt. */
export interface ImagePlan {
  readonly prompt: string;
  /** Another seed gives another picture for the same prompt. */
  readonly seed: number;
  readonly size: Size;
  readonly format: PictureFormat;
  readonly finding: ContentFinding;
}

/** Draws a prompt. Equal plans give equal files. Adult content is blurred, forbidden content is left blank. */
export function drawPicture(plan: ImagePlan): Promise<PictureFile> {
  return toFile(paint(plan), plan.format, plan.finding);
}

function paint({ prompt, seed, size, finding }: ImagePlan): Picture {
  if (finding === "forbidden") return blank(size);
  const picture = discs(prompt, seed, size);
  return finding === "adult" ? blur(picture) : picture;
}

function blank({ width, height }: Size): Picture {
  const picture = createPicture(width, height);
  for (let index = 0; index < picture.data.length; index += 4) picture.data.set([32, 32, 32, 255], index);
  return picture;
}

const discCount = 12;

/** A gradient in the colour that the prompt names, with discs where prompt and seed put them. */
function discs(prompt: string, seed: number, size: Size): Picture {
  const picture = createPicture(size.width, size.height);
  const random = createRandom(hashOf(`${seed} ${prompt}`));
  const hue = hueOf(prompt) ?? hashOf(prompt) % 360;
  paintGradient(picture, fromHsl(hue, 0.65, 0.75), fromHsl(hue + 20, 0.6, 0.3));
  for (let count = 0; count < discCount; count++) {
    const color = fromHsl(hue + 60 * (random() - 0.5), 0.7, 0.3 + 0.5 * random());
    const center = { x: random() * size.width, y: random() * size.height };
    paintDisc(picture, color, {
      ...center,
      radius: Math.min(size.width, size.height) * (0.04 + 0.12 * random()),
    });
  }
  return picture;
}

function paintGradient({ width, height, data }: Picture, top: Color, bottom: Color): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = (y * width + x) * 4;
      mix(data, index, top, 1);
      mix(data, index, bottom, y / height);
    }
  }
}

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function paintDisc({ width, height, data }: Picture, color: Color, { x, y, radius }: Disc): void {
  const last = { row: Math.min(height - 1, y + radius), column: Math.min(width - 1, x + radius) };
  for (let row = Math.max(0, Math.floor(y - radius)); row <= last.row; row++) {
    for (let column = Math.max(0, Math.floor(x - radius)); column <= last.column; column++) {
      const share = Math.max(0, Math.min(1, radius - Math.hypot(column - x, row - y)));
      mix(data, (row * width + column) * 4, color, share);
    }
  }
}
