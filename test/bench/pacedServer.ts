// A service whose answers say when each of their parts was written.
import type { ServerResponse } from "node:http";
import { beginEvents, chunk, frame } from "../loopback/answers.ts";
import { listen } from "../loopback/server.ts";
import { monotonicMs } from "./monotonicMs.ts";

const pacedParts = 200;
/** Parts of an answer to a request with the word `many`. */
export const manyParts = 100_000;

export function startPacedServer(): ReturnType<typeof listen> {
  return listen(({ body }, response) => (body.includes("many") ? sendMany(response) : sendPaced(response)));
}

/** One part every 2 ms; its text is the time at which it was written. */
function sendPaced(response: ServerResponse): void {
  beginEvents(response);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === pacedParts) {
      clearInterval(timer);
      response.end(frame("[DONE]"));
      return;
    }
    sent += 1;
    response.write(frame(chunk(`${monotonicMs()} `)));
  }, 2);
}

function sendMany(response: ServerResponse): void {
  beginEvents(response);
  const event = frame(chunk("word "));
  let left = manyParts;
  const send = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(event)) return void response.once("drain", send);
    }
    response.end(frame("[DONE]"));
  };
  send();
}
