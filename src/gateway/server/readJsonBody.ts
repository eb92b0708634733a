import type { IncomingMessage } from "node:http";
import { isTooDeep } from "../../api/call/body/readText.ts";
import { isMembers, type Members } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { Refused } from "./refused.ts";

/** Bytes of a body: the service takes 35 MB, and its names are longer at times. */
const maxBodyBytes = 34_000_000;
/** A body that is refused for its size is read on up to here, so that the client gets the answer. */
const maxPassedBytes = 70_000_000;

/** Of the body itself. No route knows a tenth of them, and each unknown one is looked at. */
const mostMembers = 500;

/**
 * The JSON object in the body of a request. Throws `Refused` if the body is no JSON object, is too large or too deep, or has too
 * many members, and if the client goes away.
 */
export async function readJsonBody(message: IncomingMessage): Promise<Members> {
  const announced = Number(message.headers["content-length"] ?? 0);
  if (announced > maxPassedBytes) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > maxPassedBytes) throw tooLarge();
    if (size <= maxBodyBytes) pieces.push(piece);
    else pieces.length = 0;
  }
  if (size > maxBodyBytes) throw tooLarge();
  const text = Buffer.concat(pieces).toString("utf8");
  if (isTooDeep(text))
    throw new Refused({ status: 400, sentence: "The body is nested too deeply. Nothing was sent." });
  const value = parseJson(text);
  if (isMembers(value)) return checkCount(value);
  throw new Refused({ status: 400, sentence: "The body has to be a JSON object. Nothing was sent." });
}

function checkCount(body: Members): Members {
  if (Object.keys(body).length <= mostMembers) return body;
  const sentence = `The body has more than ${mostMembers} members. Send those of its route. Nothing was sent.`;
  throw new Refused({ status: 400, sentence });
}

function tooLarge(): Refused {
  const sentence = `The body is over ${maxBodyBytes / 1_000_000} MB. Send less at once. Nothing was sent to the service.`;
  return new Refused({ status: 413, sentence });
}
