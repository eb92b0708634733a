import type { FrameLocator, Locator } from "playwright-core";

/** The answer to the question that is asked next, by its place among all turns: those that are far leave the page. */
export async function nextAnswer(chat: FrameLocator): Promise<Locator> {
  const places = await chat
    .locator(".turn")
    .evaluateAll((turns) => turns.map((turn) => Number(turn.getAttribute("aria-posinset"))));
  return chat.locator(`.answer[aria-posinset="${Math.max(0, ...places) + 2}"]`);
}
