import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Colour,
  contrast,
  distance,
  distinctColours,
} from "../../../../src/webview/ui/seriesColours.ts";

/** Background; blue, orange, green, purple, red, yellow. Without a value: the theme does not set it. */
const themes: Readonly<Record<string, readonly [string, ...(string | undefined)[]]>> = {
  "Dark 2026": ["#121314", "#57a3f8", "#cd861a", "#86cf86", "#ad80d7", "#ef8773", "#e0b97f"],
  "Light 2026": ["#ffffff", "#1a5cff", "#d18616", "#388a34", "#652d90", "#ad0707", "#667309"],
  "Dark+": ["#1e1e1e", "#59a4f9", "#ea5c0055", "#89d185", "#b180d7", "#f14c4c", "#cca700"],
  "Light+": ["#ffffff", "#0063d3", "#ea5c0055", "#388a34", "#652d90", "#e51400", "#bf8803"],
  "Dark High Contrast": ["#000000", "#59a4f9", undefined, "#89d185", "#b180d7", "#f48771", "#ffd370"],
  "Light High Contrast": ["#ffffff", "#0063d3", undefined, "#374e06", "#652d90", "#b5200d", "#895503"],
  "one colour for all": ["#808080", "#000000", "#000000", "#000000", "#000000", "#000000", "#000000"],
};

function colourOf(hex = "#00000000"): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 255] = (hex.slice(1).match(/../g) ?? []).map((digits) =>
    Number.parseInt(digits, 16),
  );
  return [red, green, blue, alpha / 255];
}

for (const [name, [back, ...wanted]] of Object.entries(themes))
  test(`nine series can be told from each other and from the background in the theme ${name}`, () => {
    const background = colourOf(back);
    const colours = distinctColours(9, wanted.map(colourOf), background);
    assert.equal(colours.length, 9);
    for (const [index, colour] of colours.entries()) {
      assert.ok(contrast(colour, background) >= 3, `${index}: ${colour} on ${back}`);
      for (const other of colours.slice(index + 1))
        assert.ok(distance(colour, other) >= 0.08, `${colour} and ${other}`);
    }
  });

test("the first series have the colours of the theme", () => {
  const [back, ...wanted] = themes["Dark 2026"] ?? [""];
  const colours = distinctColours(6, wanted.map(colourOf), colourOf(back));
  assert.deepEqual(colours, wanted.map(colourOf));
});
