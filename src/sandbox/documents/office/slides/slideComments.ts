import { type Relation, relationsOf, targetsOf } from "../../xml/relations.ts";
import { attribute, readXml } from "../../xml/xml.ts";
import type { ZipParts } from "../../zip.ts";

/** The names of those who commented, by id: of the list of older programs, and of newer ones. */
export function commentAuthors(
  parts: ZipParts,
  presentation: ReadonlyMap<string, Relation>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const part of targetsOf(presentation, "commentAuthors", "authors"))
    readXml(parts.text(part) ?? "<none/>", {
      open(name, attributes) {
        if (name === "cmAuthor" || name === "author")
          names.set(attributes.id ?? "", attribute(attributes, "name")?.trim() ?? "");
      },
    });
  return names;
}

interface Comment {
  isReply: boolean;
  readonly author: string;
  text: string;
}

/** What readers wrote about a slide, each with its replies below it, in the words of the comments of a DOCX file. */
export function slideComments(
  parts: ZipParts,
  slide: string,
  authors: ReadonlyMap<string, string>,
): string[] {
  return targetsOf(relationsOf(parts, slide), "comments").flatMap((name) =>
    commentsIn(parts.text(name) ?? "<none/>").flatMap(({ isReply, author, text }) => {
      const line = text.replace(/\s+/g, " ").trim();
      const by = authors.get(author) ? ` by ${authors.get(author)}` : "";
      return line === "" ? [] : [`${isReply ? "Reply" : "Comment"}${by}: ${line}`];
    }),
  );
}

function commentsIn(xml: string): readonly Comment[] {
  const comments: Comment[] = [];
  const open: Comment[] = [];
  let isText = false;
  readXml(xml, {
    open(name, attributes) {
      if (name === "cm" || name === "reply") {
        const comment = { isReply: name === "reply", author: attributes.authorId ?? "", text: "" };
        comments.push(comment);
        open.push(comment);
      }
      // Older programs store a reply as a comment that refers to another.
      const last = open.at(-1);
      if (name === "parentCm" && last) last.isReply = true;
      if (name === "t" || name === "text") isText = true;
      const isBreak = name === "p" || name === "br";
      if (isBreak && last) last.text += " ";
    },
    text(text) {
      const last = open.at(-1);
      if (isText && last) last.text += text;
    },
    close(name) {
      if (name === "cm" || name === "reply") open.pop();
      if (name === "t" || name === "text") isText = false;
    },
  });
  return comments;
}
