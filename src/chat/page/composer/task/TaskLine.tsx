import type { ComponentChildren, JSX } from "preact";
import { fromAmountTexts, nothing } from "../../../../shared/money/amounts.ts";
import { formatUsd } from "../../../../shared/money/formatUsd.ts";
import { spendText } from "../../../../shared/money/moneyText.ts";
import { limitText } from "../../../../shared/money/statedPrice.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { isCallOver } from "../../../protocol/chatMessages.ts";
import type { TaskStatus } from "../../../protocol/chatState.ts";
import { Icon, type IconName } from "../../icons.ts";
import { planCount } from "../../plan/Plan.tsx";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { shortContextNote } from "../attachments/ContextNote.tsx";
import type { PanelName } from "../panels.ts";
import { isSentWhole } from "./Sources.tsx";

interface TaskLineProps {
  readonly deps: ChatPageDeps;
  /** The open panel, whose button is pressed. */
  readonly open: PanelName | null;
  readonly onPress: (name: PanelName) => void;
}

/** The task on one line over the prompt. Each part opens its panel; in a narrow view it loses its words first. */
export function TaskLine({ deps, open, onPress }: TaskLineProps): JSX.Element | null {
  const { store, bridge } = deps;
  const task = store.field("task");
  const plan = store.field("plan");
  const files = store.field("changedFileCount");
  const commands = store.field("commands");
  const sources = store.field("guidanceFiles").filter(isSentWhole);
  const rewound = store.field("undoableRewind");
  const note = shortContextNote(deps);
  const isActing = (store.field("settings").mode ?? "ask") !== "ask";
  const ended = commands.filter((command) => command.ended !== undefined);
  const part = (name: PanelName, label: string, children: ComponentChildren, icon?: IconName) => (
    <button
      key={name}
      type="button"
      class={`task-part ${name}-part`}
      aria-haspopup="dialog"
      aria-expanded={open === name}
      aria-label={label}
      title={label}
      onClick={() => onPress(name)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
  const parts = [
    note !== undefined && part("context", note, <span class="word">{note}</span>, "warning"),
    task !== null && part("money", ...taskPart(task, isOpen(deps))),
    files > 0 && part("files", count(files, "changed file"), <Counted count={files} word="file" />, "file"),
    plan !== null && part("plan", ...planPart(plan), "checklist"),
    commands.length > 0 &&
      part(
        "commands",
        commandsLabel(commands.length, ended.length),
        ended.length < commands.length ? (
          <Counted count={commands.length} word="command" />
        ) : (
          <Counted count={ended.length} word="ended" plural="" />
        ),
        "terminal",
      ),
    isActing &&
      sources.length > 0 &&
      part(
        "sources",
        count(sources.length, "source of instructions", "sources of instructions"),
        <Counted count={sources.length} word="source" />,
        "document",
      ),
    rewound !== null && (
      <button key="rewound" type="button" class="link" onClick={() => bridge.post("undoRewind", {})}>
        {rewound === "rewind" ? "Undo Rewind" : "Rewind Again"}
      </button>
    ),
  ].filter((shown) => shown !== false);
  return (
    <>
      {parts.length > 0 && (
        <div class="task-line" role="toolbar" aria-label="Task">
          {parts}
        </div>
      )}
      <p class="visually-hidden" role="status">
        {ended.map(({ command, ended: how }) => `${visibleLine(command)}: ${how || "Ended"}`).join("\n")}
      </p>
    </>
  );
}

/** A number whose word is left out in a narrow view. */
function Counted(props: {
  readonly count: number;
  readonly word: string;
  readonly plural?: string;
}): JSX.Element {
  const { count: number, word, plural = "s" } = props;
  return (
    <>
      {number}
      <span class="word">
        {word}
        {number === 1 ? "" : plural}
      </span>
    </>
  );
}

function count(number: number, word: string, plural = `${word}s`): string {
  return number === 1 ? `1 ${word}` : `${number} ${plural}`;
}

function commandsLabel(all: number, ended: number): string {
  const running = all - ended;
  const parts = [
    ...(running > 0 ? [`${count(running, "command")} running`] : []),
    ...(ended > 0 ? [`${count(ended, "command")} ended`] : []),
  ];
  return parts.join(", ");
}

function planPart(plan: string): [string, ComponentChildren] {
  const { done, all } = planCount(plan);
  if (all === 0)
    return [
      "Plan",
      <span key="word" class="word">
        Plan
      </span>,
    ];
  const words = (
    <>
      <span class="word">Plan</span>
      {done}
      <span class="word">of</span>
      <span class="short">/</span>
      {all}
    </>
  );
  return [`Plan: ${done} of ${all} done`, words];
}

/** True while the task may spend more: it runs, waits for the user, or was stopped and can go on. */
function isOpen({ store }: ChatPageDeps): boolean {
  const last = store.turnIds.value.at(-1);
  const message = last === undefined ? undefined : store.turn(last).value;
  if (store.field("busy") || message?.role !== "assistant") return true;
  return message.state !== "done" || (message.calls ?? []).some((call) => !isCallOver(call));
}

/** A task that has ended has used so many rounds and so much money: caps that are set now are for the next one. */
function taskPart(task: TaskStatus, mayGoOn: boolean): [string, ComponentChildren] {
  const { round, rounds, spent, predictedUsd, capUsd, isPlayMoney } = task;
  const sum = fromAmountTexts(spent) ?? nothing;
  const cap = limitText(capUsd, sum);
  const play = isPlayMoney && <span class="word">play money</span>;
  if (!mayGoOn)
    return [
      `The last task had ${count(round, "round")} and cost ${spendText(sum)}`,
      <>
        <span class="word">{count(round, "round")} ·</span>
        <span>{spendText(sum)}</span>
        {play}
      </>,
    ];
  return [
    `Round ${round} of at most ${rounds}, ${spendText(sum)} of ${cap} spent`,
    <>
      <span class="word">Round {round} ·</span>
      <span>
        {spendText(sum)} of {cap}
      </span>
      {play}
      {predictedUsd !== null && <span class="word">· ≈ {formatUsd(predictedUsd)}</span>}
    </>,
  ];
}
