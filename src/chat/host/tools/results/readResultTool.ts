import { Refusal } from "../../../../platform/errors/refusal.ts";
import { upperTokens } from "../../../../shared/chat/tokenEstimate.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { readResultName } from "../../../protocol/agentModes.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import { countRows, fittingRows, rowsOf } from "./resultText.ts";

/** Room for the note at the end, in tokens. */
const noteTokens = 100;

/** Reads on in a result of the same chat that was cut, or that is older. */
export function createReadResultTool(): ChatTool {
  return {
    ...builtIn(readResultName, "Read a result", "read"),
    description: "Reads lines of an earlier result that was cut, or finds lines in it, by its handle.",
    parameters: toolSchema(
      {
        handle: { type: "string", minLength: 1, maxLength: 100 },
        offset: { type: "integer", minimum: 1, description: "First line, from 1." },
        limit: { type: "integer", minimum: 1, description: "Number of lines." },
        query: { type: "string", minLength: 1, description: "Only the lines with this text, in any case." },
      },
      ["offset", "limit", "query"],
    ),
    summary(input) {
      const query = inputText(input, "query");
      return query === "" ? "Read on in a result" : `Find “${query}” in a result`;
    },
    async run(input, _, { results }) {
      const text = await results.find(inputText(input, "handle"));
      const room = results.maxTokens - noteTokens;
      return input.query === undefined
        ? rangeOf(text, input, room)
        : linesWith(text, inputText(input, "query"), input, room);
    },
  };
}

/** These rows as they are, so that all parts together are the text, and where they are in it. */
function rangeOf(
  text: string,
  { offset = 1, limit = Number.POSITIVE_INFINITY }: ToolInput,
  room: number,
): string {
  const total = countRows(text);
  const from = Number(offset);
  if (from > Math.max(1, total))
    throw new Refusal(`Line ${from} is after the end: the result has ${total} lines.`);
  const fitting = fittingRows(someRows(text, from, Number(limit)), room);
  const to = from + fitting.length - 1;
  const part = fitting.join("");
  if (to >= total) return from === 1 ? part : `${part}\n[Lines ${from} to ${to} of ${total}: the end.]`;
  return `${part}\n[Lines ${from} to ${to} of ${total}. To read on, use the offset ${to + 1}.]`;
}

function* someRows(text: string, from: number, limit: number): Generator<string> {
  let row = 0;
  for (const next of rowsOf(text)) {
    row += 1;
    if (row >= from + limit) return;
    if (row >= from) yield next;
  }
}

/** The rows with a text, each after its number. */
function linesWith(
  text: string,
  query: string,
  { offset = 1, limit = Number.POSITIVE_INFINITY }: ToolInput,
  room: number,
): string {
  const wanted = query.toLowerCase();
  const shown: string[] = [];
  let [row, tokens, found] = [0, 0, 0];
  for (const next of rowsOf(text)) {
    row += 1;
    if (row < Number(offset) || !next.toLowerCase().includes(wanted)) continue;
    found += 1;
    const line = `${String(row).padStart(6)}\t${next.trimEnd()}`;
    tokens += upperTokens(line);
    if (found === shown.length + 1 && shown.length < Number(limit) && tokens <= room) shown.push(line);
  }
  if (found === 0) return `No line of the result contains “${query}”. It has ${row} lines.`;
  const left = found - shown.length;
  return [...shown, ...(left > 0 ? [`(${left} more lines contain it: use a later offset)`] : [])].join("\n");
}
