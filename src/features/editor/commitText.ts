import { withoutFence } from "./cleanAnswer.ts";

/** A model's answer as a commit message: without fence, label or quotes, a blank line after its subject. */
export function toCommitMessage(answer: string): string {
  const bare = withoutFence(answer.replace(/\r\n?/g, "\n"), "").trim();
  const [first = "", ...rest] = bare.split("\n");
  const subject = first
    .replace(/^\**(commit message|subject)\**:\**\s*/i, "")
    .replace(/^(["'`])(.*)\1$/, "$2")
    .trim();
  const body = rest
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
  return body === "" ? subject : `${subject}\n\n${body}`;
}
