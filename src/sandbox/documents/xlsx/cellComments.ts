import { relationsOf, targetsOf } from "../xml/relations.ts";
import { attribute, readXml } from "../xml/xml.ts";
import type { ZipParts } from "../zip.ts";
import { StringReader } from "./workbook.ts";

/** What readers wrote about cells of a sheet, in the words of the comments of a DOCX file. */
export function cellComments(parts: ZipParts, sheet: string): string[] {
  return targetsOf(relationsOf(parts, sheet), "comments").flatMap((name) =>
    commentsIn(parts.text(name) ?? "<none/>"),
  );
}

function commentsIn(xml: string): string[] {
  const comments: string[] = [];
  const authors: string[] = [];
  const reader = new StringReader();
  let isAuthor = false;
  let cell = "";
  let author = "";
  readXml(xml, {
    open(name, attributes) {
      reader.open(name, attributes);
      if (name === "author") {
        isAuthor = true;
        authors.push("");
      }
      if (name !== "comment") return;
      cell = attribute(attributes, "ref") ?? "";
      author = authors[Number(attribute(attributes, "authorId"))] ?? "";
      reader.take();
    },
    text(text) {
      reader.text(text);
      if (isAuthor) authors.push((authors.pop() ?? "") + text);
    },
    close(name) {
      reader.close(name);
      if (name === "author") isAuthor = false;
      if (name !== "comment") return;
      const text = textOf(reader.take(), author);
      if (text !== "") comments.push(`Comment on ${cell}${byAuthor(author)}: ${text}`);
    },
  });
  return comments;
}

/** A comment of a conversation has an author that is an id. */
function byAuthor(author: string): string {
  return author === "" || author.startsWith("tc=") ? "" : ` by ${author}`;
}

/** Spreadsheets begin a comment with its author, and one of a conversation with a note to older programs. */
function textOf(comment: string, author: string): string {
  const said = comment.startsWith("[Threaded comment]")
    ? comment.replace(/^[\s\S]*?\n\s*Comment:\s*/, "").replace(/\n\s*Reply:\s*/g, " Reply: ")
    : comment;
  const text = author !== "" && said.startsWith(`${author}:`) ? said.slice(author.length + 1) : said;
  return text.replace(/\s*[\r\n]\s*/g, " ").trim();
}
