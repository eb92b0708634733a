import { createRandom, hashOf } from "../ids.ts";
import { type Palette, paletteOf } from "./palette.ts";
import { type Color, createPicture, mix, type Picture } from "./picture.ts";
import type { Size } from "./size.ts";

type Random = () => number;

/** A landscape in the colours that the prompt names, the same for the same prompt, seed and size. */
export function paintScene(prompt: string, seed: number, size: Size): Picture {
  const picture = createPicture(size.width, size.height);
  const random = createRandom(hashOf(`${seed} ${prompt}`));
  const palette = paletteOf(prompt);
  paintSky(picture, palette);
  if (palette.dark) paintStars(picture, palette, random);
  paintSun(picture, palette, random);
  palette.hills.forEach((color, index) => {
    paintHill(picture, color, 0.5 + (index + 0.4 * random()) * 0.11, random);
  });
  paintBubbles(picture, palette, random);
  return picture;
}

function paintSky({ width, height, data }: Picture, { skyTop, skyBottom }: Palette): void {
  for (let y = 0; y < height; y++) {
    const share = Math.min(1, (y / height) * 1.3);
    const color = skyTop.map(
      (from, channel) => from + ((skyBottom[channel] ?? 0) - from) * share,
    ) as unknown as Color;
    for (let x = 0; x < width; x++) mix(data, (y * width + x) * 4, color, 1);
  }
}

function paintStars(picture: Picture, { light }: Palette, random: Random): void {
  const edge = Math.min(picture.width, picture.height);
  for (let count = 0; count < 120; count++) {
    const center = { x: random() * picture.width, y: random() ** 1.5 * picture.height * 0.7 };
    paintDisc(picture, light, { ...center, radius: edge * (0.0008 + 0.0016 * random()), soft: 1.5 }, 0.9);
  }
}

function paintSun(picture: Picture, { light }: Palette, random: Random): void {
  const edge = Math.min(picture.width, picture.height);
  const center = { x: picture.width * (0.2 + 0.6 * random()), y: picture.height * (0.18 + 0.2 * random()) };
  const radius = edge * (0.06 + 0.05 * random());
  paintDisc(picture, light, { ...center, radius: radius * 0.6, soft: radius * 3.5 }, 0.5);
  paintDisc(picture, light, { ...center, radius, soft: 1.5 }, 1);
}

/** A ridge of three waves; `level` is the share of the height above it. */
function paintHill({ width, height, data }: Picture, color: Color, level: number, random: Random): void {
  const waves = [1.2, 2.7, 6.1].map((turns, index) => ({
    turns: turns * (0.7 + 0.6 * random()),
    phase: random() * Math.PI * 2,
    swing: (height * 0.055) / (index + 1),
  }));
  for (let x = 0; x < width; x++) {
    const angle = (x / width) * Math.PI * 2;
    const sway = waves.reduce(
      (sum, { turns, phase, swing }) => sum + swing * Math.sin(angle * turns + phase),
      0,
    );
    const ridge = height * level + sway;
    for (let y = Math.max(0, Math.floor(ridge)); y < height; y++) {
      mix(data, (y * width + x) * 4, color, Math.min(1, y - ridge + 1));
    }
  }
}

function paintBubbles(picture: Picture, { light }: Palette, random: Random): void {
  const edge = Math.min(picture.width, picture.height);
  for (let count = 0; count < 9; count++) {
    const center = { x: random() * picture.width, y: random() * picture.height };
    paintDisc(
      picture,
      light,
      { ...center, radius: edge * (0.01 + 0.05 * random() ** 2), soft: edge / 60 },
      0.16,
    );
  }
}

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Pixels over which the rim fades. */
  readonly soft: number;
}

function paintDisc({ width, height, data }: Picture, color: Color, disc: Disc, strength: number): void {
  const reach = disc.radius + disc.soft;
  const rows = { first: Math.max(0, Math.floor(disc.y - reach)), end: Math.min(height, disc.y + reach) };
  const columns = { first: Math.max(0, Math.floor(disc.x - reach)), end: Math.min(width, disc.x + reach) };
  for (let y = rows.first; y < rows.end; y++) {
    for (let x = columns.first; x < columns.end; x++) {
      const fade = Math.max(0, Math.min(1, (reach - Math.hypot(x - disc.x, y - disc.y)) / disc.soft));
      if (fade > 0) mix(data, (y * width + x) * 4, color, strength * fade * fade);
    }
  }
}
