import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { hitRateText } from "../../../shared/chat/hitRate.ts";
import { fromAmountTexts, nothing } from "../../../shared/money/amounts.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { spendText } from "../../../shared/money/moneyText.ts";
import { limitText } from "../../../shared/money/statedPrice.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { GuidanceFile } from "../../protocol/chatGuidance.ts";
import type { ListedChange, TaskStatus } from "../../protocol/chatState.ts";
import { Icon, IconButton } from "../icons.ts";
import { isPlanUnsaved, PlanView, planCount } from "../plan/Plan.tsx";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { MiddleCut } from "../turn/answer/MiddleCut.tsx";

/** Files that the line names; the settings of the chat list all. */
const mostNamed = 2;

interface StripProps {
  readonly deps: ChatPageDeps;
}

/** Above the prompt: the plan, the changed files and the cost of the task. */
export function TaskStrip({ deps }: StripProps): JSX.Element | null {
  const { store } = deps;
  const task = store.field("task");
  const files = store.field("changedFiles");
  const plan = store.field("plan");
  const commands = store.field("commands");
  if (
    task === null &&
    plan === null &&
    files.length + commands.length === 0 &&
    !store.field("undoableRewind")
  )
    return null;
  return (
    <div class="task-strip">
      <div class="task-parts">
        {plan !== null && <Plan key={store.conversationId.value} deps={deps} plan={plan} />}
        <ChangedFiles deps={deps} />
        {commands.map(({ id, command, ended }) => (
          <p key={id} class="task-command">
            <Icon name="terminal" />
            <bdi class="ellipsis" title={command}>
              {visibleLine(command)}
            </bdi>
            {ended !== undefined && (
              <span class="task-ended ellipsis" role="status" title={ended}>
                {ended || "Ended"}
              </span>
            )}
            <IconButton
              name={ended === undefined ? "stop" : "close"}
              label={`${ended === undefined ? "Stop" : "Dismiss"} ${visibleLine(command)}`}
              onClick={() => deps.bridge.post("stopCommand", { id })}
            />
          </p>
        ))}
      </div>
      {task !== null && <TaskLine deps={deps} task={task} />}
    </div>
  );
}

function isSentWhole({ kind }: GuidanceFile): boolean {
  return kind === "instructions" || kind === "mode";
}

/** The files that are sent whole, by name as far as there is room, and all that the model is told. */
function SentFiles({ deps, files }: StripProps & { readonly files: readonly GuidanceFile[] }): JSX.Element {
  const { bridge } = deps;
  const more = files.length - mostNamed;
  return (
    <>
      {files.slice(0, mostNamed).map(({ path }) => (
        <button
          key={path}
          type="button"
          class="link ellipsis"
          title={`The instructions in ${visibleLine(path)} are sent with each question of this mode.`}
          onClick={() => bridge.post("openInstructions", { path })}
        >
          {visibleLine(path)}
        </button>
      ))}
      <button
        type="button"
        class="link"
        title="Opens the system prompt and the tools of the next request."
        onClick={() => bridge.post("showTold", {})}
      >
        {more > 0 ? `and ${more} more…` : "What the model is told…"}
      </button>
    </>
  );
}

function TaskLine({ deps, task }: StripProps & { readonly task: TaskStatus }): JSX.Element {
  const { round, rounds, spent, reservedUsd, predictedUsd, capUsd, isPlayMoney, hitRate } = task;
  const files = deps.store.field("guidanceFiles");
  const sum = fromAmountTexts(spent) ?? nothing;
  const reserved =
    reservedUsd > 0 ? `\n${limitText(reservedUsd, sum, isPlayMoney)} is reserved for calls in progress.` : "";
  const cached =
    hitRate === null ? "" : `\n${hitRateText(hitRate)} of its prompts were read from the service's cache.`;
  return (
    <p class="task-line" role="status">
      <span title={`Rounds of this task. It stops after ${rounds}.`}>
        Round {round} of {rounds}
      </span>
      {predictedUsd !== null && (
        <span title="Expected cost of this round, by its prompt and the rounds before. Not a limit.">
          ≈ {formatUsd(predictedUsd)}
        </span>
      )}
      <span title={`Spent on this task, of its cap.${reserved}${cached}`}>
        {spendText(sum)} of {limitText(capUsd, sum, isPlayMoney)}
      </span>
      <SentFiles deps={deps} files={files.filter(isSentWhole)} />
    </p>
  );
}

/** The task list of the model. The user can change it. */
function Plan({ deps, plan }: StripProps & { readonly plan: string }): JSX.Element {
  const { done, all } = planCount(plan);
  // Later changes are the user's.
  const [isOpenAtFirst] = useState(() => isPlanUnsaved(deps));
  return (
    <details class="task-plan" open={isOpenAtFirst}>
      <summary>Plan{all > 0 && `: ${done} of ${all} done`}</summary>
      <PlanView deps={deps} plan={plan} />
    </details>
  );
}

const words: Readonly<Record<ListedChange["kind"], string>> = {
  changed: "",
  created: "new",
  deleted: "deleted",
  moved: "moved",
};

/** Files with pending hunks; each opens its diff. */
function ChangedFiles({ deps }: StripProps): JSX.Element | null {
  const { store, bridge } = deps;
  const files = store.field("changedFiles");
  const count = store.field("changedFileCount");
  const rewound = store.field("undoableRewind");
  const undo = rewound && (
    <button type="button" class="link" onClick={() => bridge.post("undoRewind", {})}>
      {rewound === "rewind" ? "Undo Rewind" : "Rewind Again"}
    </button>
  );
  if (count === 0) return undo && <div class="changes-bar">{undo}</div>;
  const review = (action: "acceptAll" | "rejectAll" | "next" | "all" | "commit") =>
    bridge.post("review", { action });
  const title = count === 1 ? "1 changed file" : `${count} changed files`;
  return (
    <details class="changes" open>
      <summary>{title}</summary>
      <ul aria-label={title}>
        {files.map((file) => (
          <FileRow key={file.uri} deps={deps} file={file} />
        ))}
        {count > files.length && <li class="changes-more">and {count - files.length} more</li>}
      </ul>
      <div class="changes-bar">
        <button type="button" class="button" onClick={() => review("acceptAll")}>
          Accept All
        </button>
        <button type="button" class="button" onClick={() => review("rejectAll")}>
          Reject All
        </button>
        <button type="button" class="link" onClick={() => review("all")}>
          Review Changes
        </button>
        <button type="button" class="link" onClick={() => review("commit")}>
          Commit with Message
        </button>
        {undo}
      </div>
    </details>
  );
}

function FileRow({ deps, file }: StripProps & { readonly file: ListedChange }): JSX.Element {
  const { uri, path, kind, added, removed } = file;
  const name = visibleLine(path);
  const slash = name.lastIndexOf("/");
  const counts = `${name}: ${added} ${added === 1 ? "line" : "lines"} added, ${removed} removed`;
  const act = (action: "diff" | "accept" | "reject") => deps.bridge.post("review", { action, uri });
  return (
    <li class="change-row">
      <button
        type="button"
        class="change-open"
        aria-label={counts}
        title={`${counts}. Opens the diff.`}
        onClick={() => act("diff")}
      >
        <MiddleCut text={name.slice(slash + 1)} />
        {slash > 0 && <bdi class="change-folder ellipsis">{name.slice(0, slash)}</bdi>}
        {words[kind] !== "" && <span class="change-kind">{words[kind]}</span>}
        <span class="change-counts">
          {added > 0 && <span class="change-added">+{added}</span>}
          {removed > 0 && <span class="change-removed">−{removed}</span>}
        </span>
      </button>
      <IconButton name="check" label={`Accept ${name}`} onClick={() => act("accept")} />
      <IconButton name="close" label={`Reject ${name}`} onClick={() => act("reject")} />
    </li>
  );
}
