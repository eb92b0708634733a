import * as z from "zod";
import type { LogNode } from "./logEntry.ts";
import type { LogState } from "./logState.ts";

/** What the list says of a conversation. */
export const Summary = z.object({
  id: z.string(),
  title: z.string(),
  /** Unix times in milliseconds. */
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  pinned: z.boolean(),
  /** In all branches. */
  messageCount: z.number(),
  /** That answered last. */
  model: z.string().exactOptional(),
  /** Of the workspace that it was begun in, by name. */
  workspace: z.string().exactOptional(),
});
export type Summary = Readonly<z.infer<typeof Summary>>;

const untitled = "New chat";

export function toSummary(state: LogState): Summary {
  const { id, createdAtMs, updatedAtMs, nodes, meta } = state;
  const messages = [...nodes.values()];
  const model = searchedText(
    messages.findLast(({ role }) => role === "assistant"),
    "model",
  );
  const workspace = typeof meta.workspace === "string" ? meta.workspace : "";
  return {
    id,
    title: titleOf(state),
    createdAtMs,
    updatedAtMs,
    pinned: meta.pinned === true,
    messageCount: messages.length,
    ...(model === "" ? {} : { model }),
    ...(workspace === "" ? {} : { workspace }),
  };
}

/** The name it was given, or its first question. */
export function titleOf({ meta, nodes }: Pick<LogState, "meta" | "nodes">): string {
  if (typeof meta.title === "string" && meta.title.trim() !== "") return meta.title;
  const messages = [...nodes.values()];
  const first = messages.find(({ role }) => role === "user") ?? messages[0];
  return toTitle(searchedText(first, "text"));
}

/** Characters of a title that is made from a question. */
const titleLength = 80;

/** The first line that says something, without the marks of Markdown, cut between words. */
export function toTitle(text: string): string {
  const lines = text.slice(0, 4000).split("\n");
  const line = lines
    .map((one) => one.replace(/^[\s#>*`~-]+|[\s*`]+$/g, "").replace(/\s+/g, " "))
    .find(Boolean);
  if (line === undefined) return untitled;
  const characters = [...line];
  if (characters.length <= titleLength) return line;
  const cut = characters.slice(0, titleLength).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > titleLength / 2 ? cut.slice(0, space) : cut}…`;
}

/** What is searched of a message: what was said, not what was thought. */
export function searchedText(node: LogNode | undefined, member: "text" | "model"): string {
  const text = node?.[member];
  return typeof text === "string" ? text : "";
}
