import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Highlighter } from "../markdown/highlighter.ts";
import { createMarkdownStream, type MarkdownStream } from "../markdown/markdownStream.ts";

export interface MarkdownViewProps {
  readonly text: string;
  /** No more will come: what is half open is closed. */
  readonly isWhole: boolean;
  readonly highlighter: Highlighter;
}

interface Drawing {
  readonly stream: MarkdownStream;
  drawn: string;
  isFinished: boolean;
}

/** Text of an answer, drawn outside the component tree: what has been drawn is never looked at again. */
export function MarkdownView({ text, isWhole, highlighter }: MarkdownViewProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const current = continued(drawing.current, text, () => {
      element.replaceChildren();
      return { stream: createMarkdownStream(element, highlighter), drawn: "", isFinished: false };
    });
    drawing.current = current;
    current.stream.append(text.slice(current.drawn.length));
    current.drawn = text;
    if (isWhole && !current.isFinished) {
      current.stream.finish();
      current.isFinished = true;
    } else {
      current.stream.draw();
    }
  }, [text, isWhole, highlighter]);
  useEffect(() => () => root.current?.replaceChildren(), []);
  return <div class="markdown" ref={root} dir="auto" />;
}

/** The drawing so far, if the text goes on where it ended; else a new one. */
function continued(drawing: Drawing | undefined, text: string, begin: () => Drawing): Drawing {
  const goesOn = drawing && text.startsWith(drawing.drawn);
  if (!goesOn) return begin();
  return drawing.isFinished && text.length > drawing.drawn.length ? begin() : drawing;
}
