import * as z from "zod";
import { checkRequest } from "../checkRequest.ts";
import type { MediaHandler } from "../media.ts";
import { scrape } from "./scrape.ts";

const Scrape = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "Must be an http or https URL" }),
});

/** POST /augment/scrape (spec E4): a page as markdown. */
export const scrapePage: MediaHandler = async (state, { input, signal }) => {
  const { url } = checkRequest(Scrape, input);
  const value = await scrape(url, state.media.workshop, signal);
  return { status: 200, headers: {}, body: { kind: "json", value } };
};
