import { createParser } from "eventsource-parser";

/** Cuts a body into the `data` of its events, however its bytes and characters are split. */
export interface EventCutter {
  /** The data of every event that these bytes complete. */
  feed(bytes: Uint8Array): string[];
  /** The data of a last event that the body left without its blank line. */
  end(): string[];
}

/** Longer texts leave V8's young heap, which costs a sixth of the whole: measured in the benchmark `sse`. */
const biteSize = 16_384;

export function createEventCutter(): EventCutter {
  // TextDecoder holds back half a character; a byte order mark is dropped by it, as the standard asks.
  const decoder = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({
    onEvent: (event) => {
      events.push(event.data);
    },
  });
  const taken = () => {
    const ready = events;
    events = [];
    return ready;
  };
  return {
    feed(bytes) {
      for (let start = 0; start < bytes.length; start += biteSize) {
        parser.feed(decoder.decode(bytes.subarray(start, start + biteSize), { stream: true }));
      }
      return taken();
    },
    end() {
      parser.feed(`${decoder.decode()}\n\n`);
      return taken();
    },
  };
}
