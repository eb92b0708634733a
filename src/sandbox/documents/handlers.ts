import * as z from "zod";
import { countTokens } from "../chat/tokens.ts";
import { checkRequest } from "../checkRequest.ts";
import { bytesOf, type FilePart, type MediaHandler } from "../media.ts";

const Parse = z.strictObject({
  file: z.custom<FilePart>((value) => typeof value === "object" && value !== null, "Must be a file"),
  response_format: z.enum(["json", "text"]).default("json"),
});

/** POST /augment/text-parser (spec E9): a file's text, bare or with the number of its tokens. */
export const parseText: MediaHandler = async (state, { input, signal }) => {
  const { file, response_format } = checkRequest(Parse, input);
  const text = await state.media.workshop.run("parseDocument", await bytesOf(file, ["file"]), signal);
  const body =
    response_format === "text"
      ? ({ kind: "text", text, contentType: "text/plain; charset=utf-8" } as const)
      : ({ kind: "json", value: { text, tokens: countTokens(text) } } as const);
  return { status: 200, headers: {}, body };
};
