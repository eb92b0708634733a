/** Red, green and blue from 0 to 255, and the opacity from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** The chart colours of a theme, ordered so that neighbours differ. */
const named = ["blue", "orange", "green", "purple", "red", "yellow"];
/** WCAG 2.2, 1.4.11: parts of a drawing. */
const leastContrast = 3;
/** Distance in Oklab, where 0.02 is just seen side by side: a legend and its bars are apart. */
const leastDistance = 0.08;

/**
 * Colours for the series of a chart, in the current theme: those of the theme, as far as it has them and they can be told
 * apart, then others. A high contrast theme has no orange, and older ones have a transparent one. Read them again after a
 * change of the theme.
 */
export function seriesColours(count: number): string[] {
  const back = colourIn(computedColour("var(--vscode-editor-background, Canvas)"));
  const ofTheme = named.map((name) => colourIn(computedColour(`var(--vscode-charts-${name}, transparent)`)));
  return distinctColours(count, ofTheme, back).map((colour) => `rgb(${colour.slice(0, 3).join(", ")})`);
}

/** A CSS colour, with its variables, as a canvas needs it. */
export function computedColour(css: string): string {
  const probe = document.body.appendChild(Object.assign(document.createElement("i"), { hidden: true }));
  probe.style.color = css;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Reads `rgb(1, 2, 3)` and `rgba(1, 2, 3, 0.5)`, as a browser computes colours. */
function colourIn(computed: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (computed.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue, alpha];
}

/**
 * So many colours, each of which can be told from the background and from each other. `wanted` come first; one that is
 * transparent, pale or like an earlier one is left out. The others are as far from all before them as possible.
 */
export function distinctColours(count: number, wanted: readonly Colour[], back: Colour): Colour[] {
  const isSeen = (colour: Colour) => colour[3] > 0.99 && contrast(colour, back) >= leastContrast;
  const chosen: Colour[] = [];
  const nearest = (colour: Colour) => Math.min(1, ...chosen.map((other) => distance(colour, other)));
  for (const colour of wanted)
    if (chosen.length < count && isSeen(colour) && nearest(colour) >= leastDistance) chosen.push(colour);
  const others = wheel().filter(isSeen);
  while (chosen.length < count) {
    const [first, ...rest] = others;
    if (!first) break;
    chosen.push(rest.reduce((best, colour) => (nearest(colour) > nearest(best) ? colour : best), first));
  }
  return chosen;
}

/** Relative luminance of WCAG, from 0 to 1. */
function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

export function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function linear(byte: number): number {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** How different two colours look: the distance in Oklab (https://bottosson.github.io/posts/oklab). */
export function distance(one: Colour, other: Colour): number {
  const [from, to] = [oklab(one), oklab(other)];
  return Math.hypot(...from.map((value, index) => value - (to[index] ?? 0)));
}

function oklab([red, green, blue]: Colour): readonly number[] {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Colours of all hues, each in several shades. */
function wheel(): Colour[] {
  return [0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9].flatMap((light) =>
    Array.from({ length: 24 }, (_, step) => fromHsl(step * 15, 0.75, light)),
  );
}

/** Degrees, and two shares from 0 to 1. */
function fromHsl(hue: number, saturation: number, light: number): Colour {
  const reach = saturation * Math.min(light, 1 - light);
  const part = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return Math.round(255 * (light - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return [part(0), part(8), part(4), 1];
}
