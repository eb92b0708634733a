import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../tools/paths.ts";
import { fieldsPage, fieldsPath } from "./fieldsPage.ts";
import { replyMembers, requestMembers } from "./members.ts";
import type { Place } from "./place.ts";
import { rowNames, rows } from "./service.ts";
import { allPlaces, placesOf } from "./table/fieldTable.ts";

test("every member of every row has a place, and every place a member", () => {
  for (const name of rowNames) {
    const { request, reply } = placesOf(name);
    const row = rows[name];
    assert.deepEqual(Object.keys(request).sort(), requestMembers(row).sort(), `the request of ${name}`);
    assert.deepEqual(Object.keys(reply).sort(), replyMembers(row).sort(), `the reply of ${name}`);
  }
});

/** Members without a place yet. The list only shrinks: whoever gives one a place takes it out here. */
const open: readonly string[] = [
  "later: chat.complete request messages.content.type: input_audio",
  "later: chat.complete request messages.content.type: video_url",
  "later: chat.complete request messages.content.input_audio.data",
  "later: chat.complete request messages.content.input_audio.format",
  "later: chat.complete request messages.content.video_url.url",
  "later: chat.stream request messages.content.type: input_audio",
  "later: chat.stream request messages.content.type: video_url",
  "later: chat.stream request messages.content.input_audio.data",
  "later: chat.stream request messages.content.input_audio.format",
  "later: chat.stream request messages.content.video_url.url",
];

test("the members without a place are those of the list", () => {
  assert.deepEqual(
    allPlaces.flatMap(({ row, side, path, place }) =>
      "open" in place ? [`${place.open}: ${row} ${side} ${path}`] : [],
    ),
    open,
  );
});

test("each setting and command that sets a member is in the manifest, and each reason is a sentence", () => {
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const isNamed = (id: string) => manifest.includes(`"${id}"`);
  for (const { row, path, place } of allPlaces) {
    const member = `${row} ${path}`;
    if ("setting" in place) assert.ok(isNamed(place.setting), `${member}: there is no ${place.setting}`);
    if ("command" in place) assert.ok(isNamed(place.command), `${member}: there is no ${place.command}`);
    const reason = reasonOf(place);
    if (reason !== undefined) assert.match(reason, /^\w.{8,}[^.]$/, member);
  }
});

test("the guide's page of fields is the table; node test/unit/fields/fieldsPage.ts writes it", () => {
  assert.equal(readFileSync(fieldsPath, "utf8"), fieldsPage());
});

function reasonOf(place: Place): string | undefined {
  if ("automatic" in place) return place.automatic;
  return "unused" in place ? place.unused : undefined;
}
