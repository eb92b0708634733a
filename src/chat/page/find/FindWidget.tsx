import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDialog } from "../../../webview/ui/dialog.ts";
import { isCallOver, type Message, type ToolCallCard } from "../../protocol/chatMessages.ts";
import { textsOfCall } from "../details/ToolCalls.tsx";
import { IconButton } from "../icons.ts";
import { isCommand } from "../keys.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { findablePlain, findableText, mostMatches, occurrences, searchedPlaces } from "./findText.ts";

export interface FindProps {
  readonly deps: ChatPageDeps;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The n-th match within the text of a turn, or within one of its finished calls. */
interface Match {
  readonly turnId: string;
  /** The id of the call. */
  readonly call?: string;
  readonly index: number;
}

/** Characters of a call that are searched. */
const longestCall = 50_000;

/** Limit of messages loaded for a search; for a longer conversation the range is shown. */
const mostSearched = 2000;
/** Maximum number of frames until a turn is rendered: long answers need several. */
const mostFrames = 120;
const [allName, currentName] = ["find-all", "find-current"];

/** Ctrl+F: finds text in the whole conversation, also in unmounted turns. */
export function Find(props: FindProps): JSX.Element | null {
  const [opened, setOpened] = useState(0);
  useEffect(
    () =>
      takeFindKey(() => {
        if (!props.deps.history.isShown.peek()) setOpened((count) => count + 1);
      }),
    [],
  );
  return opened === 0 ? null : <FindWidget {...props} opened={opened} onClose={() => setOpened(0)} />;
}

/** Calls this at Ctrl+F, which nobody else gets, until the returned function is called. */
export function takeFindKey(find: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isCommand(event) || event.key.toLowerCase() !== "f" || event.defaultPrevented) return;
    event.preventDefault();
    // VS Code listens on the window: its editor would find, too. It knows too late which of both has the focus.
    event.stopPropagation();
    find();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

interface FindWidgetProps extends FindProps {
  /** Changes each time the shortcut is pressed. */
  readonly opened: number;
  readonly onClose: () => void;
}

function FindWidget({ deps, scroller, opened, onClose }: FindWidgetProps): JSX.Element {
  const { store, bridge } = deps;
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>(".composer textarea")?.focus();
  };
  const [query, setQuery] = useState("");
  const [current, setCurrent] = useState<Match | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const texts = useRef(new WeakMap<Message | ToolCallCard, string>());
  const sought = findableText(query);
  const ids = store.turnIds.value;
  const earlier = store.earlierCount.value;
  const busy = store.field("busy");
  const matches = useMemo(
    () => (sought === "" ? [] : matchesIn(deps, ids, texts.current, sought)),
    [sought, ids, busy],
  );
  const at = matches.findIndex(
    ({ turnId, call, index }) =>
      turnId === current?.turnId && call === current.call && index === current.index,
  );
  const dialog = useDialog<HTMLElement>({ onClose: close, focus: "input" });
  useLayoutEffect(() => input.current?.select(), [opened]);
  useEffect(() => {
    if (sought !== "" && earlier > 0 && ids.length < mostSearched) bridge.post("showEarlier", {});
  }, [sought === "", earlier]);
  useEffect(() => {
    // Starts with the last match, near the newest messages.
    if (at < 0) setCurrent(matches.at(-1));
  }, [matches]);
  useEffect(() => {
    if (!current || !scroller.current || sought === "") return clear();
    return show(scroller.current, current, sought);
  }, [current, sought]);
  useEffect(() => clear, []);
  const step = (by: 1 | -1) => {
    if (matches.length > 0) setCurrent(matches.at((at + by + matches.length) % matches.length));
  };
  return (
    <search
      ref={dialog.ref}
      class="find"
      onKeyDown={(event) => {
        if (event.isComposing || dialog.handle(event)) return;
        if (event.key !== "Enter" || event.target !== input.current) return;
        step(event.shiftKey ? -1 : 1);
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <input
        type="text"
        ref={input}
        aria-label="Find in chat"
        placeholder="Find"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <span class="find-count" role="status">
        {countOf(matches.length, at, query)}
        {query !== "" && earlier > 0 && (
          <span class="find-extent"> in the last {ids.length.toLocaleString("en")} messages</span>
        )}
      </span>
      <IconButton name="up" label="Previous Match (Shift+Enter)" onClick={() => step(-1)} />
      <IconButton name="down" label="Next Match (Enter)" onClick={() => step(1)} />
      <IconButton name="close" label="Close Find (Escape)" onClick={close} />
    </search>
  );
}

function countOf(count: number, at: number, query: string): string {
  if (query === "") return "";
  if (count === 0) return "No results";
  const all = count >= mostMatches ? `${mostMatches.toLocaleString("en")}+` : count.toLocaleString("en");
  return `${at + 1} of ${all}`;
}

/** Each text is normalized once, and searched once per query. */
function matchesIn(
  { store }: ChatPageDeps,
  ids: readonly string[],
  texts: WeakMap<Message | ToolCallCard, string>,
  sought: string,
): Match[] {
  const matches: Match[] = [];
  const messageOf = (id: string) => store.turn(id).peek();
  const textOf = (id: string) => {
    const message = messageOf(id);
    const text = texts.get(message) ?? findableText(message.text);
    texts.set(message, text);
    return text;
  };
  const textOfCall = (call: ToolCallCard) => {
    const text = texts.get(call) ?? findablePlain(textsOfCall(call).join("\n").slice(0, longestCall));
    texts.set(call, text);
    return text;
  };
  for (const turnId of ids) {
    const together = store.together(turnId);
    const shown = together.length > 0 ? together : [turnId];
    const add = (text: string, call?: string) => {
      const found = occurrences(text, sought, mostMatches - matches.length);
      for (const index of found.keys())
        matches.push({ turnId, ...(call === undefined ? {} : { call }), index });
    };
    add(shown.map(textOf).join("\n"));
    for (const id of shown) for (const call of finishedCalls(messageOf(id))) add(textOfCall(call), call.id);
  }
  return matches;
}

/** In the order of the page: those behind one line come first. */
function finishedCalls(message: Message): readonly ToolCallCard[] {
  const calls = message.role === "assistant" ? (message.calls ?? []).filter(isCallOver) : [];
  const isDone = ({ state }: ToolCallCard) => state === "done";
  return [...calls.filter(isDone), ...calls.filter((call) => !isDone(call))];
}

/** Scrolls to a match and highlights it once its turn is rendered, until the returned function is called. */
function show(scroller: HTMLElement, { turnId, call, index }: Match, sought: string): () => void {
  let frame = 0;
  let left = mostFrames;
  const look = () => {
    const group = scroller.querySelector(`.turn-group[data-turns~="${CSS.escape(turnId)}"]`);
    // Scrolling to an unmounted group mounts it.
    if (group?.classList.contains("away")) group.scrollIntoView({ block: "start" });
    const turn = group?.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
    const ranges = turn ? rangesOf(turn, call, sought) : [];
    const range = ranges[index] ?? (left === 0 ? ranges.at(-1) : undefined);
    if (range) {
      mark(ranges, range);
      range.startContainer.parentElement?.scrollIntoView({ block: "center" });
    } else if (left-- > 0) frame = requestAnimationFrame(look);
    else turn?.scrollIntoView({ block: "start" });
  };
  look();
  return () => cancelAnimationFrame(frame);
}

/** The places in a turn, or in one of its calls, which is opened. */
function rangesOf(turn: Element, call: string | undefined, sought: string): Range[] {
  if (call === undefined) return rangesIn(turn.querySelectorAll(answerTexts), sought);
  const row = openCall(turn, call);
  return row ? rangesIn(row.querySelectorAll(callTexts), sought) : [];
}

const answerTexts = ".question, .markdown:not(.reasoning .markdown)";
const callTexts = ":scope > details > p, :scope > details > .call-text pre";

/** Opens the row of a call, and the line that it is folded into; undefined until it is drawn. */
function openCall(turn: Element, call: string): Element | undefined {
  for (const folded of turn.querySelectorAll<HTMLDetailsElement>(".calls-folded:not([open])")) {
    const isIn = folded.dataset.calls?.split(" ").includes(encodeURIComponent(call));
    if (isIn) folded.open = true;
  }
  const row = turn.querySelector(`[data-call="${CSS.escape(call)}"]`);
  const details = row?.querySelector<HTMLDetailsElement>(":scope > details");
  if (details) details.open = true;
  return row ?? undefined;
}

function rangesIn(elements: Iterable<Element>, sought: string): Range[] {
  const places = searchedPlaces(elements);
  return occurrences(places.text, sought, mostMatches).flatMap((from) => {
    const [start, end] = [places.placeOf(from), places.placeOf(from + sought.length - 1)];
    if (!start || !end) return [];
    const range = document.createRange();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, Math.min(end.node.length, end.offset + 1));
    return [range];
  });
}

function mark(all: readonly Range[], current: Range): void {
  CSS.highlights.set(allName, new Highlight(...all));
  CSS.highlights.set(currentName, new Highlight(current));
}

function clear(): void {
  CSS.highlights.delete(allName);
  CSS.highlights.delete(currentName);
}
