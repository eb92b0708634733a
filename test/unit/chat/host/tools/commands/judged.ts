import {
  isAllowedLine,
  judgeLine,
} from "../../../../../../src/chat/host/tools/commands/approval/lineParts.ts";

/** A workspace that is not there: paths are judged by their names, and nothing in it is written or read. */
export const nowherePlace = { folder: "/nowhere/app", roots: ["/nowhere/app"] };

/** The keys of the approvals of a line; none if it always asks. */
export function commandScopes(line: string, place = nowherePlace): readonly string[] {
  return judgeLine(place, line)?.parts.map(({ scope }) => scope) ?? [];
}

/** True if these patterns of the user's settings allow a line. */
export function isAllowedCommand(line: string, patterns: readonly string[], place = nowherePlace): boolean {
  const judged = judgeLine(place, line);
  return judged !== undefined && isAllowedLine(judged, patterns);
}
