import type { Picture } from "./picture.ts";
import { resize } from "./resize.ts";

/** So few pixels across keep the colours and nothing else. */
const blurredEdge = 12;

export function blur(picture: Picture): Picture {
  const { width, height } = picture;
  const scale = blurredEdge / Math.min(width, height);
  const tiny = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  return resize(resize(picture, tiny), { width, height });
}
