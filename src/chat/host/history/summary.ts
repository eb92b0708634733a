import * as z from "zod";
import type { LogNode } from "./log/logEntry.ts";
import type { LogState } from "./log/logState.ts";

/** Data of a conversation for the list. */
export const Summary = z.object({
  id: z.string(),
  title: z.string(),
  /** Unix times in milliseconds. */
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  pinned: z.boolean(),
  /** On all branches. */
  messageCount: z.number(),
  /** The model of the last answer. */
  model: z.string().exactOptional(),
  /** Name of the workspace in which it was started. */
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

/** The title set by the user, or one made from the first question. */
export function titleOf({ meta, nodes }: Pick<LogState, "meta" | "nodes">): string {
  if (typeof meta.title === "string" && meta.title.trim() !== "") return meta.title;
  const messages = [...nodes.values()];
  const first = messages.find(({ role }) => role === "user") ?? messages[0];
  return toTitle(searchedText(first, "text"));
}

/** Maximum length of a title made from a question. */
const titleLength = 80;

/** The first line with text, without Markdown markup, cut between words. */
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

/** The searched text of a message: its text without its reasoning. */
export function searchedText(node: LogNode | undefined, member: "text" | "model"): string {
  const text = node?.[member];
  return typeof text === "string" ? text : "";
}
