import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { fromAmountTexts, nothing } from "../../../../shared/money/amounts.ts";
import { formatUsd } from "../../../../shared/money/formatUsd.ts";
import { hitRateText } from "../../../../shared/money/hitRate.ts";
import { spendText } from "../../../../shared/money/moneyText.ts";
import { limitText } from "../../../../shared/money/statedPrice.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import type { TaskStatus } from "../../../protocol/chatState.ts";
import { Icon, IconButton } from "../../icons.ts";
import { PlanView } from "../../plan/Plan.tsx";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { contextNote } from "../attachments/ContextNote.tsx";
import { PopupPanel } from "../PopupPanel.tsx";
import type { PanelName } from "../panels.ts";
import { ChangesPanel } from "./ChangesPanel.tsx";
import { isSentWhole, Sources, ToldLink } from "./Sources.tsx";

export interface TaskPanelProps {
  readonly deps: ChatPageDeps;
  readonly name: PanelName | null;
  readonly onClose: () => void;
}

/** What a part of the task's line opens. Null for other panels, and once there is nothing to show. */
export function TaskPanel({ deps, name, onClose }: TaskPanelProps): JSX.Element | null {
  const { store } = deps;
  const [task, plan, commands] = [store.field("task"), store.field("plan"), store.field("commands")];
  const note = contextNote(deps);
  const has: Readonly<Partial<Record<PanelName, boolean>>> = {
    files: store.field("changedFileCount") > 0,
    money: task !== null,
    plan: plan !== null,
    commands: commands.length > 0,
    sources: store.field("guidanceFiles").some(isSentWhole),
    context: note !== null,
  };
  const isEmpty = name !== null && has[name] === false;
  // It must not come back by itself.
  useEffect(() => {
    if (isEmpty) onClose();
  }, [isEmpty]);
  if (isEmpty) return null;
  if (name === "files") return <ChangesPanel deps={deps} onClose={onClose} />;
  if (name === "money" && task !== null)
    return (
      <TaskPopup title="Task" onClose={onClose}>
        <TaskFacts deps={deps} task={task} />
      </TaskPopup>
    );
  if (name === "plan" && plan !== null)
    return (
      <TaskPopup title="Plan" onClose={onClose}>
        <div class="task-plan">
          <PlanView key={store.conversationId.value} deps={deps} plan={plan} />
        </div>
      </TaskPopup>
    );
  if (name === "commands" && commands.length > 0)
    return (
      <TaskPopup title="Commands in the background" onClose={onClose}>
        <Commands deps={deps} />
      </TaskPopup>
    );
  if (name === "sources")
    return (
      <TaskPopup title="Instructions" onClose={onClose}>
        <Sources deps={deps} />
      </TaskPopup>
    );
  if (name === "context" && note !== null)
    return (
      <TaskPopup title="Context" onClose={onClose}>
        <p class="task-note">{note}</p>
      </TaskPopup>
    );
  return null;
}

function TaskPopup(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: JSX.Element;
}): JSX.Element {
  const { title, onClose, children } = props;
  return (
    <PopupPanel
      title={title}
      label={title}
      closeLabel={`Close ${title}`}
      focus=":is(textarea, header .icon-button)"
      closesOutside
      onClose={onClose}
    >
      {children}
    </PopupPanel>
  );
}

function TaskFacts(props: { readonly deps: ChatPageDeps; readonly task: TaskStatus }): JSX.Element {
  const { deps, task } = props;
  const { round, rounds, spent, reservedUsd, predictedUsd, capUsd, isPlayMoney, hitRate } = task;
  const sum = fromAmountTexts(spent) ?? nothing;
  const facts: readonly (readonly [string, string] | false)[] = [
    ["Rounds", `${round} of at most ${rounds}`],
    ["Spent", `${spendText(sum)}${isPlayMoney ? " play money" : ""}`],
    ["Cap", limitText(capUsd, sum, isPlayMoney)],
    reservedUsd > 0 && ["Reserved for calls in progress", limitText(reservedUsd, sum, isPlayMoney)],
    predictedUsd !== null && ["Expected cost of this round", `≈ ${formatUsd(predictedUsd, isPlayMoney)}`],
    hitRate !== null && ["Read from the service's cache", `${hitRateText(hitRate)} of its prompts`],
  ];
  return (
    <>
      <dl class="task-facts">
        {facts
          .filter((fact) => fact !== false)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <p class="task-note">
        The cap and the rounds are for each task: a question with all of its rounds. It stops before the call
        that could exceed the cap.
      </p>
      <ToldLink deps={deps} />
    </>
  );
}

function Commands({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  return (
    <ul class="task-list">
      {deps.store.field("commands").map(({ id, command, ended }) => (
        <li key={id}>
          <Icon name="terminal" />
          <bdi class="task-command" title={command}>
            {visibleLine(command)}
          </bdi>
          {ended !== undefined && <span class="task-ended">{ended || "Ended"}</span>}
          <IconButton
            name={ended === undefined ? "stop" : "close"}
            label={`${ended === undefined ? "Stop" : "Dismiss"} ${visibleLine(command)}`}
            onClick={() => deps.bridge.post("stopCommand", { id })}
          />
        </li>
      ))}
    </ul>
  );
}
