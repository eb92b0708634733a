import * as z from "zod";
import { countTokens } from "../chat/reply/tokens.ts";
import { checkRequest } from "../checkRequest.ts";
import { json } from "../http/reply.ts";
import { type FilePart, isFilePart } from "../http/request/filePart.ts";
import { bytesOf, chargeRequest, type MediaHandler } from "../media.ts";

const Parse = z.strictObject({
  file: z.custom<FilePart>(isFilePart, "Must be a file"),
  response_format: z.enum(["json", "text"]).default("json"),
});

/** POST /augment/text-parser (spec E9): a file's text, plain or as JSON with its token count. */
export const parseText: MediaHandler = async (state, call) => {
  const { file, response_format } = checkRequest(Parse, call.input);
  const bytes = await bytesOf(file, ["file"]);
  const text = await state.media.workerPool.run("parseDocument", bytes, call.signal);
  chargeRequest(state, call, "text-parser");
  if (response_format === "json") return json({ text, tokens: countTokens(text) });
  return { status: 200, headers: {}, body: { kind: "text", text, contentType: "text/plain; charset=utf-8" } };
};
