import type { PictureFacts } from "../../images/pictureFacts.ts";
import { type ChatBody, lastUserMessage, partsOf, questionText } from "../ask.ts";
import type { Author } from "../draft.ts";
import { guide } from "../guide/guide.ts";

/** The model that takes pictures. */
export const viewerId = "viewer";

const note =
  "*The sandbox has no language model. It reads the format, the size and the colours of a picture from its file, and does not know what it shows. For that, choose a model that runs on this machine, or one of a live service.*";

/** Tells the facts of the pictures, and is the guide without one. */
export const viewer: Author = (context) => {
  const { pictures, ask } = context;
  const message = lastUserMessage(ask.body);
  const question = message ? questionText(message) : "";
  if (pictures.length === 0 || !(asksWithPicture(ask.body) || isAboutPicture(question)))
    return guide(context);
  const [first] = pictures;
  if (first && /\b(?:one|a single) sentence\b/i.test(question)) return { content: sentence(first) };
  const facts = pictures.map((picture, index) =>
    [pictures.length > 1 ? `### Picture ${index + 1}\n\n` : "", describe(picture)].join(""),
  );
  return { content: [...facts, note].join("\n\n") };
};

/** True if the last message has a picture, as an attachment or as the result of a call. */
export function asksWithPicture(body: ChatBody): boolean {
  const last = body.messages.at(-1);
  return last?.role === "user" && partsOf(last).some(({ type }) => type === "image_url");
}

/** A question after that about the picture. */
function isAboutPicture(question: string): boolean {
  return /\b(?:pictures?|images?|photos?|screenshots?|colou?rs?|pixels?|transparen\w+|describe|wide|high|format)\b/i.test(
    question,
  );
}

/** Alternative text. */
function sentence(picture: PictureFacts): string {
  const { width, height, colours } = picture;
  const named = inWords(colours.map(({ name }) => name));
  return `${kindOf(picture)} of ${width} × ${height} pixels${named === "" ? "" : `, mostly ${named}`}.`;
}

function kindOf({ format, frames }: PictureFacts): string {
  return frames > 1 ? `A moving ${format} picture` : `A ${format} picture`;
}

function describe(picture: PictureFacts): string {
  const { format, width, height, frames, transparent, colours } = picture;
  const shares = colours.map(({ name, share }) => `${name} (${percent(share)})`);
  const moves = frames > 1 ? [`It moves: the file has ${frames} pictures.`] : [];
  const main =
    shares.length === 0
      ? []
      : [`Its main ${shares.length === 1 ? "colour is" : "colours are"} ${inWords(shares)}.`];
  return [
    `This is a ${format} picture of ${width} × ${height} pixels.`,
    ...moves,
    ...main,
    ...clearWords(transparent),
  ].join(" ");
}

function clearWords(transparent: number | undefined): readonly string[] {
  if (transparent === undefined) return [];
  return [
    transparent === 0 ? "No part of it is transparent." : `${percent(transparent)} of it is transparent.`,
  ];
}

function percent(share: number): string {
  return share < 0.01 ? "less than 1 %" : `${Math.round(share * 100)} %`;
}

function inWords(words: readonly string[]): string {
  const [last = "", ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}
