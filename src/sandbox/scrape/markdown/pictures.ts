import type { DominoElement } from "@mixmark-io/domino";
import { classOf, elements, nameOf } from "./elements.ts";

const lazy = [
  "data-src",
  "data-original",
  "data-lazy-src",
  "data-lazy",
  "data-original-src",
  "data-actualsrc",
  "data-hi-res-src",
  "data-echo",
  "data-image",
  "data-full-src",
  "lazy-src",
  "data-url",
];
const lazySets = ["data-srcset", "data-lazy-srcset", "data-original-set"];
const emoji =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[#*\d]\ufe0f?\u20e3)(?:\p{Emoji_Modifier}|\ufe0f|\u200d|\p{Extended_Pictographic})*$/u;
/** What stands in for a picture until it is scrolled into sight. */
const standIn =
  /^data:|(?:placeholder|spacer|blank|transparent|1x1|pixel|loading|lazy)[\w-]*\.(?:gif|png|svg|jpe?g|webp)/i;

/** The emoji that a picture stands for. */
export function emojiOf(image: DominoElement): string | undefined {
  const text = (image.getAttribute("alt") ?? "").trim();
  return emoji.test(text) ? text : undefined;
}

/** The file of a picture, as it is written on the page. Undefined if it names none, or one that nobody sees. */
export function pictureFile(image: DominoElement): string | undefined {
  if (isTiny(image)) return undefined;
  const late = lazy.map((name) => image.getAttribute(name) ?? "").find(isFile);
  if (late !== undefined) return late;
  const src = (image.getAttribute("src") ?? "").trim();
  if (src !== "" && !standIn.test(src)) return src;
  const set = ["srcset", ...lazySets].map((name) => largest(image.getAttribute(name) ?? "")).find(isFile);
  const other = set ?? sourceFile(image);
  return other ?? (src.startsWith("data:") || src === "" || waitsForAnother(image) ? undefined : src);
}

/** True if the picture itself follows, for browsers without scripts. */
function waitsForAnother(image: DominoElement): boolean {
  const next = image.nextElementSibling;
  return next !== null && nameOf(next) === "noscript" && next.getElementsByTagName("img").length > 0;
}

/** The file of a `source` beside the image. */
function sourceFile(image: DominoElement): string | undefined {
  const picture = image.closest("picture");
  if (!picture) return undefined;
  const sets = elements(picture.getElementsByTagName("source")).flatMap((source) =>
    ["srcset", ...lazySets].map((name) => largest(source.getAttribute(name) ?? "")),
  );
  return sets.find(isFile);
}

/** A picture without an image: browsers show nothing, but the page meant one. */
export function lonePicture(picture: DominoElement): DominoElement | undefined {
  if (picture.querySelector("img") || nameOf(picture) !== "picture") return undefined;
  return elements(picture.getElementsByTagName("source")).find((source) =>
    isFile(largest(source.getAttribute("srcset") ?? "")),
  );
}

/** Pictures of one point count visitors. */
function isTiny(image: DominoElement): boolean {
  const size = (name: string) => Number.parseFloat(image.getAttribute(name) ?? "");
  if (size("width") <= 1 || size("height") <= 1) return true;
  return /(?:^|[;\s])(?:width|height)\s*:\s*[01]px/i.test(image.getAttribute("style") ?? "");
}

function isFile(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "" && !text.trim().startsWith("data:");
}

/** The largest candidate of a `srcset`. URLs can contain commas. */
function largest(set: string): string | undefined {
  const candidates = [
    ...set.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(?:\s+([\d.]+)[wx](?:\s+[\d.]+h)?)?\s*(?:,|$)/g),
  ]
    .map(([, url = "", size]) => ({ url, size: size === undefined ? 1 : Number(size) }))
    .filter(({ url }) => isFile(url));
  return candidates.toSorted((left, right) => right.size - left.size)[0]?.url;
}

/** True for the placeholder of the picture in the `noscript` before it. */
export function followsItself(image: DominoElement): boolean {
  const before = image.previousElementSibling;
  const isAfter =
    before !== null && nameOf(before) === "noscript" && before.querySelector("img") !== undefined;
  return isAfter && standsIn(image);
}

/** True if the image before this `noscript` waits for it: both show one picture. */
export function standsIn(image: DominoElement | null): boolean {
  if (!image) return false;
  const inner = nameOf(image) === "img" ? image : image.querySelector("img");
  return (
    inner !== undefined && (/lazy|placeholder/i.test(classOf(inner)) || pictureFile(inner) === undefined)
  );
}
