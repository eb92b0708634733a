import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { bundle } from "./page.ts";
import type { ContrastPage, ThemeColours } from "./pages/contrastHandle.ts";
import themes from "./themes.json" with { type: "json" };

declare const contrastPage: ContrastPage;

export type ThemeName = keyof typeof themes;
/** The editor's own themes. */
export const themeNames = Object.keys(themes) as readonly ThemeName[];

/** Applies a theme's colours to a page. */
export async function wear(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(await bundle("contrastPage.ts"));
  await page.evaluate((worn: ThemeColours) => contrastPage.wear(worn), themes[theme] as ThemeColours);
}

/** Asserts that every text, drawing and border of a page has enough contrast. */
export async function assertSeen(page: Page, what: string): Promise<void> {
  const pale = await page.evaluate(() => contrastPage.pale());
  assert.deepEqual(
    pale.map((one) => `${one.what}: ${one.ratio.toFixed(2)}, ${one.colours.join(" on ")}`),
    [],
    what,
  );
}
