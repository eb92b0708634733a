/** Milliseconds between two announcements, so that a screen reader can finish one before the next. */
const everyMs = 4000;

/** Announces a streaming answer in whole sentences, not word by word. */
export interface LiveRegion {
  attach(region: HTMLElement): void;
  /** More of the answer. */
  handle(text: string): void;
  /** Announces the rest, and how the answer ended or what it waits for. */
  end(how: string): void;
}

export function createLiveRegion(): LiveRegion {
  let region: HTMLElement | undefined;
  let waiting = "";
  let timer: number | undefined;

  // Announced text is replaced, so the region stays small.
  const say = (text: string) => region?.replaceChildren(text);
  const sayWholeSentences = () => {
    timer = undefined;
    const end = lastSentenceEnd(waiting);
    if (end > 0) say(spoken(waiting.slice(0, end)));
    waiting = waiting.slice(end);
  };
  return {
    attach(element) {
      region = element;
    },
    handle(text) {
      waiting += text;
      timer ??= window.setTimeout(sayWholeSentences, everyMs);
    },
    end(how) {
      clearTimeout(timer);
      timer = undefined;
      say(`${spoken(waiting)} ${how}`.trim());
      waiting = "";
    },
  };
}

function lastSentenceEnd(text: string): number {
  const last = [...text.matchAll(/[.!?:]\s|\n/g)].at(-1);
  return last ? last.index + last[0].length : 0;
}

/** Removes Markdown markup that should not be read aloud. */
function spoken(markdown: string): string {
  const withoutTargets = markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return withoutTargets.replace(/[#*_`>|\s]+/g, " ").trim();
}
