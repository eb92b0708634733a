import type { JSX } from "preact";
import { type HostedAgentOffer, hostedAgentNamed } from "../../../shared/chat/hostedAgentNames.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";
import { type ChatMode, chatModes, defaultTaskLimits } from "../../protocol/agentModes.ts";
import type { CustomMode } from "../../protocol/chatGuidance.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { withoutAgent } from "../../protocol/chatUsable.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

const modeTitles: Readonly<Record<ChatMode, string>> = {
  ask: "Ask: the model answers, and reads with the tools that you choose.",
  plan: "Plan: the model reads the workspace and writes a plan. It changes nothing.",
  agent: "Agent: the model changes files and runs commands. You review each change.",
};
const modeNames: Readonly<Record<ChatMode, string>> = { ask: "Ask", plan: "Plan", agent: "Agent" };

/** A file can take tools away from the mode Agent. It allows nothing. */
function titleOf(mode: CustomMode | undefined): string {
  if (!mode) return "The file of this mode is not there any more. Choose another mode.";
  const { id, description, model, tools } = mode;
  const limits = tools === null ? "" : `\nTools: ${tools.join(", ") || "none"}.`;
  const suggested = model === undefined ? "" : `\nThe file suggests the model ${model}.`;
  return visibleText(
    `${description || "Agent with the instructions of a file."}\nFrom ${id}.${limits}${suggested}`,
  );
}

/** The file is in the home folder, and not in the workspace. */
function isOfHome(path: string): boolean {
  return path.startsWith("~/");
}

function CustomModes({ label, modes }: { readonly label: string; readonly modes: readonly CustomMode[] }) {
  if (modes.length === 0) return null;
  return (
    <optgroup label={label}>
      {modes.map((one) => (
        <option key={one.id} value={one.id} title={titleOf(one)}>
          {visibleLine(one.name)}
        </option>
      ))}
    </optgroup>
  );
}

/** Before the name of an agent, in place of a mode. The id of a custom mode is a path. */
const agentPrefix = "agent:";

/** Agents of this machine. One that can't be started can be chosen, too: a notice says why, and how it can. */
function AgentOptions({
  offers,
  chosen,
}: {
  readonly offers: readonly HostedAgentOffer[];
  readonly chosen: string | undefined;
}) {
  const isUnknown = chosen !== undefined && offers.every(({ name }) => name !== chosen);
  const shown = isUnknown ? [...offers, { name: chosen }] : offers;
  if (shown.length === 0) return null;
  return (
    <optgroup label="Other agents on this machine">
      {shown.map(({ name, problem }: { readonly name: string; readonly problem?: string }) => (
        <option
          key={name}
          value={agentPrefix + name}
          title={problem ?? `${name} answers, with tools and settings of its own. You review each change.`}
        >
          {problem === undefined ? name : `${name}: can't be started…`}
        </option>
      ))}
    </optgroup>
  );
}

function ModeSelect({ deps: { store, bridge } }: { readonly deps: ChatPageDeps }): JSX.Element {
  const settings = store.field("settings");
  const customModes = store.field("customModes");
  const { mode = "ask", agent } = settings;
  const customId = mode === "agent" ? settings.customMode : undefined;
  const custom = customModes.find(({ id }) => id === customId);
  const current = agent === undefined ? (customId ?? mode) : agentPrefix + agent;
  const choose = (chosen: string) => {
    const name = chosen.startsWith(agentPrefix)
      ? hostedAgentNamed(chosen.slice(agentPrefix.length))
      : undefined;
    if (name) return bridge.post("chooseAgent", { name });
    const { mode: _, customMode: __, ...others } = withoutAgent(settings);
    const found = chatModes.find((one) => one === chosen);
    const set = (next: ChatSettings) => bridge.post("setSettings", { settings: next });
    if (found === "ask") set(others);
    else set(found ? { ...others, mode: found } : { ...others, mode: "agent", customMode: chosen });
  };
  const ownTitle = customId === undefined ? modeTitles[mode] : titleOf(custom);
  return (
    <select
      class="mode-picker"
      aria-label="Mode"
      title={agent === undefined ? ownTitle : `${agent} answers. You review each change.`}
      value={current}
      onFocus={() => bridge.post("findAgents", {})}
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        // The host decides whether an agent can be chosen.
        if (value.startsWith(agentPrefix)) currentTarget.value = current;
        choose(value);
      }}
    >
      {chatModes.map((one) => (
        <option key={one} value={one} title={modeTitles[one]}>
          {modeNames[one]}
        </option>
      ))}
      {customId !== undefined && !custom && <option value={customId}>Mode without its file</option>}
      <CustomModes label="Modes of the project" modes={customModes.filter(({ id }) => !isOfHome(id))} />
      <CustomModes label="Your own modes" modes={customModes.filter(({ id }) => isOfHome(id))} />
      <AgentOptions offers={store.field("agents")} chosen={agent} />
    </select>
  );
}

/** The mode, and the cap of a task in the modes that act. */
export function ModePicker({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const settings = deps.store.field("settings");
  const { mode = "ask", task } = settings;
  const capUsd = task?.capUsd ?? defaultTaskLimits.capUsd;
  const set = (next: ChatSettings) => deps.bridge.post("setSettings", { settings: next });
  return (
    <>
      <ModeSelect deps={deps} />
      {mode !== "ask" && (
        <label
          class="cap-label"
          title="The most that a task may cost, in USD. It stops before the call that could cost more."
        >
          $
          <input
            class="task-cap"
            type="text"
            inputMode="decimal"
            aria-label="Cap of a task in USD"
            pattern="[0-9]*[.,]?[0-9]+"
            // Not controlled: a change of the state while the user types must not replace the text.
            key={capUsd}
            defaultValue={capText(capUsd)}
            onChange={(event) => {
              const typed = Number(typedAmount(event.currentTarget.value));
              if (typed > 0 && typed <= 10_000) set({ ...settings, task: { ...task, capUsd: typed } });
              else event.currentTarget.value = capText(capUsd);
            }}
          />
        </label>
      )}
    </>
  );
}

/** `0.50` and `1`, as prices are written. */
function capText(usd: number): string {
  const text = String(usd);
  return /\.\d$/.test(text) ? `${text}0` : text;
}
