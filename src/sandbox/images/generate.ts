import { blur } from "./blur.ts";
import { writeCaption } from "./caption.ts";
import type { ContentFinding } from "./finding.ts";
import { createPicture, type Picture } from "./picture.ts";
import { type PictureFile, type PictureFormat, toFile } from "./pictureFile.ts";
import { paintScene } from "./scene.ts";
import type { Size } from "./size.ts";

/** A picture to be drawn from words alone. */
export interface ImagePlan {
  readonly prompt: string;
  /** Other numbers give other pictures of the same prompt. */
  readonly seed: number;
  readonly size: Size;
  readonly format: PictureFormat;
  /** What is written below the prompt. */
  readonly signature: string;
  readonly finding: ContentFinding;
}

/** Draws a prompt; the same order gives the same file. Adult content is blurred, forbidden content is left blank. */
export function drawPicture(drawing: ImagePlan): Promise<PictureFile> {
  return toFile(paint(drawing), drawing.format, drawing.finding);
}

function paint({ prompt, seed, size, signature, finding }: ImagePlan): Picture {
  if (finding === "forbidden") return blank(size);
  const scene = paintScene(prompt, seed, size);
  const picture = finding === "adult" ? blur(scene) : scene;
  writeCaption(picture, finding === "adult" ? "" : prompt, signature);
  return picture;
}

function blank({ width, height }: Size): Picture {
  const picture = createPicture(width, height);
  for (let index = 0; index < picture.data.length; index += 4) picture.data.set([32, 32, 32, 255], index);
  return picture;
}
