import * as z from "zod";
import { checkRequest } from "../checkRequest.ts";
import { json } from "../http/reply.ts";
import { chargeRequest, type MediaHandler } from "../media.ts";
import { scrape } from "./scrape.ts";

const Scrape = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "Must be an http or https URL" }),
});

/** POST /augment/scrape (spec E4): a page as markdown. */
export const scrapePage: MediaHandler = async (state, call) => {
  const { url } = checkRequest(Scrape, call.input);
  const page = await scrape(url, state.media.workerPool, call.signal);
  chargeRequest(state, call, "scrape");
  return json(page);
};
