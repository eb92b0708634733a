import type { FrameLocator, Locator } from "playwright-core";

/** The answer to the next question, by its index among all turns: the page removes distant ones. */
export async function nextAnswer(chat: FrameLocator): Promise<Locator> {
  const places = await chat
    .locator(".turn")
    .evaluateAll((turns) => turns.map((turn) => Number(turn.getAttribute("aria-posinset"))));
  return chat.locator(`.answer[aria-posinset="${Math.max(0, ...places) + 2}"]`);
}
