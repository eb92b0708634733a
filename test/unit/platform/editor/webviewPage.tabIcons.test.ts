import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../../../..");

/** Backgrounds of active and inactive tabs in the editor's own themes; high contrast belongs to dark or light. */
const backgrounds = {
  dark: ["#181818", "#1f1f1f", "#2d2d2d", "#1e1e1e", "#000000"],
  light: ["#f8f8f8", "#ffffff", "#ececec", "#f3f3f3"],
};

for (const [theme, colours] of Object.entries(backgrounds))
  test(`the icon of our tabs is visible on ${theme} themes`, () => {
    const svg = readFileSync(join(root, "media", `tab-${theme}.svg`), "utf8");
    const iconColours = [...svg.matchAll(/(?:stroke|fill)="(#[0-9a-f]{6})"/g)].map(
      ([, colour]) => colour ?? "",
    );
    assert.ok(iconColours.length > 0);
    // A separate image can't inherit the text colour.
    assert.doesNotMatch(svg, /currentColor/);
    for (const colour of iconColours)
      for (const background of colours)
        assert.ok(contrast(colour, background) >= 4.5, `${colour} on ${background}`);
  });

test("each page in a tab has this icon", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  const texts = sources.map((path) => readFileSync(join(root, "src", path), "utf8"));
  const opening = texts.filter((text) => text.includes("createWebviewPanel("));
  assert.ok(opening.length >= 3);
  for (const text of opening) assert.match(text, /\.iconPath = tabIcon\(/);
});

/** WCAG 2.2: the ratio of relative luminances. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
