// The page of the guide that lists all members. `node test/unit/fields/fieldsPage.ts` writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dialects, isAbsent } from "../../../src/api/dialect/dialect.ts";
import { routeOf } from "../../../src/api/endpoint.ts";
import { root } from "../../tools/paths.ts";
import type { Place, Places } from "./place.ts";
import { type RowName, rowNames, rows } from "./service.ts";
import { placesOf } from "./table/fieldTable.ts";

export const fieldsPath = join(root, "media/docs/reference/fields.md");

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}

const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

export function fieldsPage(): string {
  const head = [
    "# Fields of the service",
    "Where each field of a request is set, and where each field of a reply is shown. Fields of the public service alone, or of the specification alone, are marked.",
  ];
  return `${[...head, ...rowNames.flatMap(sectionOf)].join("\n\n")}\n`;
}

function sectionOf(row: RowName): string[] {
  const { request, reply } = placesOf(row);
  const [, call = ""] = row.split(".");
  return [
    `## ${rows[row].method} ${rows[row].path} (${call})`,
    ...tableOf(row, "Request", request),
    ...tableOf(row, "Reply", reply),
  ];
}

function tableOf(row: RowName, side: string, places: Places): string[] {
  const lines = Object.entries(places).map(
    ([path, place]) => `| \`${path}\`${dialectOf(row, side, path)} | ${wordsOf(place)} |`,
  );
  return lines.length === 0 ? [] : [[`| ${side} | Where |`, "|---|---|", ...lines].join("\n")];
}

/** The only dialect that has a member of a request. */
function dialectOf(row: RowName, side: string, path: string): string {
  const [member = ""] = path.split(".");
  const route = routeOf(rows[row]);
  if (side === "Reply") return "";
  if (isAbsent(dialects.standard, route, member)) return " (public service)";
  return isAbsent(dialects.venice, route, member) ? " (specification)" : "";
}

function wordsOf(place: Place): string {
  if ("control" in place) return `*${place.control}* in the ${place.in}`;
  if ("setting" in place) return `the setting \`${place.setting}\``;
  if ("command" in place) return `the command *${titleOf(place.command)}*`;
  if ("cell" in place) return `an RPC cell: \`${place.cell.replaceAll("\n", " ⏎ ").replaceAll("|", "\\|")}\``;
  if ("shown" in place) return `shown: ${place.shown}`;
  if ("automatic" in place) return `automatic: ${place.automatic}`;
  return "unused" in place ? `not used: ${place.unused}` : "not in the interface yet";
}

function titleOf(id: string): string {
  return contributes.commands.find(({ command }) => command === id)?.title ?? id;
}

if (import.meta.main) writeFileSync(fieldsPath, fieldsPage());
