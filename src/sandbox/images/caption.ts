import { glyph, glyphOf } from "./glyphs.ts";
import { type Color, mix, type Picture } from "./picture.ts";

const ink: Color = [255, 255, 255];
const plate: Color = [12, 14, 20];
const lineHeight = glyph.height + 3;
const margin = 4;
const mostLines = 3;

/** Writes a text small on a dark band at the bottom, so that nobody takes the picture for another service's. */
export function writeCaption(picture: Picture, text: string, signature: string): void {
  const scale = Math.max(1, Math.round(Math.min(picture.width, picture.height) / 360));
  const room = Math.floor((picture.width / scale - 2 * margin) / glyph.advance);
  const lines = [...wrap(text, room), signature.slice(0, Math.max(0, room))];
  const height = (lines.length * lineHeight + 2 * margin - 3) * scale;
  const top = picture.height - height;
  darken(picture, Math.max(0, top));
  lines.forEach((line, index) => {
    const y = top + (margin + index * lineHeight) * scale;
    writeLine(picture, line, { x: margin * scale, y, scale }, index === lines.length - 1 ? 0.6 : 1);
  });
}

function darken({ width, height, data }: Picture, top: number): void {
  for (let index = top * width * 4; index < width * height * 4; index += 4) mix(data, index, plate, 0.82);
}

interface Spot {
  readonly x: number;
  readonly y: number;
  /** Pixels per dot. */
  readonly scale: number;
}

function writeLine(picture: Picture, line: string, { x, y, scale }: Spot, strength: number): void {
  [...line].forEach((character, index) => {
    glyphOf(character).forEach((bits, column) => {
      for (let row = 0; row < glyph.height; row++) {
        if ((bits >> row) % 2 === 0) continue;
        fillDot(
          picture,
          { x: x + (index * glyph.advance + column) * scale, y: y + row * scale, scale },
          strength,
        );
      }
    });
  });
}

function fillDot({ width, height, data }: Picture, { x, y, scale }: Spot, strength: number): void {
  for (let row = Math.max(0, y); row < Math.min(height, y + scale); row++) {
    for (let column = x; column < Math.min(width, x + scale); column++) {
      mix(data, (row * width + column) * 4, ink, strength);
    }
  }
}

/** At most so many lines of so many characters; what does not fit ends in dots. */
export function wrap(text: string, room: number): string[] {
  if (room < 4) return [];
  const lines: string[] = [];
  let rest = [...text.replace(/\s+/g, " ").trim()];
  while (rest.length > 0 && lines.length < mostLines) {
    const fits = rest.length <= room;
    const space = fits ? rest.length : rest.slice(0, room + 1).lastIndexOf(" ");
    const end = space > 0 ? space : room;
    lines.push(rest.slice(0, end).join(""));
    rest = rest.slice(rest[end] === " " ? end + 1 : end);
  }
  const last = lines.at(-1);
  if (rest.length > 0 && last !== undefined) lines[lines.length - 1] = `${last.slice(0, room - 3)}...`;
  return lines;
}
