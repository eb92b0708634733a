import type { JSX } from "preact";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import {
  cacheRetentions,
  maxAnswersAtOnce,
  maxStops,
  maxStopTokens,
  type NumberParameter,
  namePattern,
  nameRule,
  reasoningEfforts,
  reasoningSummaries,
  type ServiceSwitch,
  toolChoices,
  verbosities,
  webSearchChoices,
} from "../../../shared/chat/chatParameters.ts";
import { suffixLabels } from "../../../shared/chat/modelNames.ts";
import { definedMembers, isMembers } from "../../../shared/members.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { type ControlName, uselessBecause, uselessInMode } from "../../protocol/chatUsable.ts";
import { stopLines, stopsIn, tokenIdsIn } from "../../protocol/stopTexts.ts";
import { PopupPanel } from "../composer/PopupPanel.tsx";
import { chosenCard } from "../details/chosenCard.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { choiceTexts, numberTexts, switchTexts } from "./controlTexts.ts";
import { type ChangeSetting, ChoiceField, Group, NumberField, SwitchField, TextField } from "./fields.tsx";
import { GuidanceGroup } from "./GuidanceGroup.tsx";
import { BudgetGroup, TaskGroup } from "./limitGroups.tsx";
import { PresetBar } from "./PresetBar.tsx";

type Service = NonNullable<ChatSettings["service"]>;

const sampling = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "min_temp",
  "max_temp",
  "frequency_penalty",
  "presence_penalty",
  "repetition_penalty",
  "seed",
] as const satisfies readonly NumberParameter[];
const searching = [
  "enable_web_citations",
  "enable_web_scraping",
  "enable_x_search",
  "include_search_results_in_stream",
  "return_search_results_as_documents",
] as const satisfies readonly ServiceSwitch[];
const thinking = ["strip_thinking_response", "disable_thinking"] as const satisfies readonly ServiceSwitch[];
const others = ["include_venice_system_prompt", "enable_e2ee"] as const satisfies readonly ServiceSwitch[];

interface PanelProps {
  readonly deps: ChatPageDeps;
  /** Shows the tools instead. */
  readonly onTools: () => void;
  readonly onClose: () => void;
}

/** They have controls of their own. */
const keptOnReset: ReadonlySet<string> = new Set(["tools", "mode", "customMode", "agent"]);

/** Settings of the conversation. An empty field means the model's default. */
export function SettingsPanel({ deps, onTools, onClose }: PanelProps): JSX.Element {
  const settings = deps.store.field("settings");
  const set = (next: ChatSettings) => deps.bridge.post("setSettings", { settings: next });
  const fields = fieldsOf(settings, chosenCard(deps), set);
  return (
    <PopupPanel
      title="Settings of this chat"
      label="Chat settings"
      closeLabel="Close Settings"
      focus=":is(select, input, textarea):enabled"
      action={{
        label: "Reset",
        isDisabled: Object.keys(settings).every((name) => keptOnReset.has(name)),
        run: () =>
          set(
            definedMembers({
              tools: settings.tools,
              mode: settings.mode,
              customMode: settings.customMode,
              agent: settings.agent,
            }),
          ),
      }}
      onClose={onClose}
    >
      <PresetBar deps={deps} />
      <button type="button" class="link tools-link" onClick={onTools}>
        Tools of This Chat{settings.tools ? ` (${settings.tools.length} on)` : ""}
      </button>
      <TextField
        label="System prompt"
        hint="Sent to the model before the conversation."
        useless={undefined}
        isLong
        placeholder="What the model should know and how it should answer"
        value={settings.system}
        onChange={(value) => fields.change("system", value)}
      />
      <GuidanceGroup deps={deps} settings={settings} change={fields.change} />
      <ChoiceField
        label="Sent as"
        hint="The role of the system prompt. Some models expect developer."
        useless={undefined}
        none="system"
        choices={["developer"]}
        value={settings.system_role}
        onChange={(value) => fields.change("system_role", value === "developer" ? value : undefined)}
      />
      <TextField
        label="Your name"
        hint="Sent with each of your messages, so that a model can tell who speaks."
        useless={undefined}
        placeholder="none"
        value={settings.user_name}
        check={(text) => (namePattern.test(text) ? undefined : `${nameRule}, not “${text}”`)}
        onChange={(value) => fields.change("user_name", value)}
      />
      <AnswerGroup fields={fields} />
      <ReasoningGroup fields={fields} />
      <UseOfToolsGroup fields={fields} />
      <SamplingGroup fields={fields} />
      <SearchGroup fields={fields} />
      <ServiceGroup fields={fields} />
      <BudgetGroup settings={settings} change={fields.change} />
      <TaskGroup settings={settings} change={fields.change} />
    </PopupPanel>
  );
}

/** The settings, with the fields that show and change them. */
interface Fields {
  readonly settings: ChatSettings;
  readonly card: ModelCard | undefined;
  readonly change: ChangeSetting;
  readonly changeService: <Name extends keyof Service>(name: Name, value: Service[Name] | undefined) => void;
  useless(name: ControlName): string | undefined;
  number(name: NumberParameter, max?: number): JSX.Element;
  choice(name: keyof typeof choiceTexts, choices: readonly string[], useless?: string): JSX.Element;
  toggle(name: ServiceSwitch): JSX.Element;
}

function fieldsOf(
  settings: ChatSettings,
  card: ModelCard | undefined,
  set: (settings: ChatSettings) => void,
): Fields {
  const change: ChangeSetting = (name, value) => set(definedMembers({ ...settings, [name]: value }));
  const changeService: Fields["changeService"] = (name, value) => {
    const service = definedMembers({ ...settings.service, [name]: value });
    change("service", Object.keys(service).length > 0 ? service : undefined);
  };
  const useless = (name: ControlName) => uselessInMode(name, settings) ?? uselessBecause(name, card);
  return {
    settings,
    card,
    change,
    changeService,
    useless,
    number: (name, max) => (
      <NumberField
        key={name}
        name={name}
        {...numberTexts[name]}
        max={max}
        value={settings[name]}
        useless={useless(name)}
        onChange={(value) => change(name, value)}
      />
    ),
    choice: (name, choices, why) => (
      <ChoiceField
        key={name}
        {...choiceTexts[name]}
        useless={why}
        choices={choices}
        value={settings[name]}
        onChange={(value) => change(name, value as ChatSettings[typeof name])}
      />
    ),
    toggle: (name) => (
      <ChoiceField
        key={name}
        {...switchTexts[name]}
        value={onOff(settings.service?.[name])}
        choices={onOffChoices}
        useless={useless(name)}
        onChange={(value) => changeService(name, isOn(value))}
      />
    ),
  };
}

/** False is another request than nothing: the service's own default may be true. */
const onOffChoices = ["on", "off"] as const;

function onOff(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "on" : "off";
}

function isOn(choice: string | undefined): boolean | undefined {
  return choice === undefined ? undefined : choice === "on";
}

interface FieldsProps {
  readonly fields: Fields;
}

function AnswerGroup({ fields }: FieldsProps): JSX.Element {
  const { settings, card, change, number, choice, useless } = fields;
  return (
    <Group title="Answer" isOpen>
      {number("max_completion_tokens", card?.maxAnswerTokens)}
      {number("n", maxAnswersAtOnce)}
      {choice("verbosity", verbosities)}
      <TextField
        label="Stop at"
        hint={`Up to ${maxStops} texts that end the answer, one a line. Blanks count, and \\n is a line break.`}
        useless={undefined}
        isLong
        keepsBlanks
        placeholder={"END\n###"}
        value={settings.stop && stopLines(settings.stop)}
        check={(text) =>
          stopsIn(text).length > maxStops
            ? `accepts at most ${maxStops} texts, not ${stopsIn(text).length}`
            : undefined
        }
        onChange={(text) => change("stop", text === undefined ? undefined : stopsIn(text))}
      />
      <TextField
        label="Stop at tokens"
        hint="Ids of tokens that end the answer, separated by commas."
        useless={undefined}
        placeholder="none"
        value={settings.stop_token_ids?.join(", ")}
        check={stopTokensProblem}
        onChange={(text) => change("stop_token_ids", text === undefined ? undefined : tokenIdsIn(text))}
      />
      <TextField
        label="JSON schema"
        hint="The answer is JSON that fits this schema."
        useless={useless("schema")}
        isLong
        placeholder={'{"type": "object", "properties": {}}'}
        value={settings.schema}
        check={jsonObjectProblem}
        onChange={(value) => change("schema", value)}
      />
      {settings.schema !== undefined && (
        <TextField
          label="Schema name"
          hint="The name that the model gets with the schema."
          useless={useless("schema_name")}
          placeholder="answer"
          value={settings.schema_name}
          check={(text) => (namePattern.test(text) ? undefined : nameRule)}
          onChange={(value) => change("schema_name", value)}
        />
      )}
      {settings.schema !== undefined && (
        <ChoiceField
          label="Schema is strict"
          hint="off: the answer need not fit the schema exactly."
          useless={useless("schema_strict")}
          choices={["off"]}
          value={onOff(settings.schema_strict)}
          onChange={(value) => change("schema_strict", value === "off" ? false : undefined)}
        />
      )}
    </Group>
  );
}

function ReasoningGroup({ fields: { card, choice, useless, toggle } }: FieldsProps): JSX.Element {
  const efforts = reasoningEfforts.filter((effort) => !card || card.reasoningEfforts.includes(effort));
  return (
    <Group title="Reasoning">
      {choice("reasoning_effort", efforts, useless("reasoning_effort"))}
      {choice("reasoning_summary", reasoningSummaries, useless("reasoning_summary"))}
      {thinking.map(toggle)}
    </Group>
  );
}

function UseOfToolsGroup({ fields: { settings, change, choice, useless } }: FieldsProps): JSX.Element {
  return (
    <Group title="Tools">
      {choice("tool_choice", toolChoices, useless("tool_choice"))}
      <ChoiceField
        label="Several at once"
        hint="Whether one reply may call several tools."
        useless={useless("parallel_tool_calls")}
        choices={onOffChoices}
        value={onOff(settings.parallel_tool_calls)}
        onChange={(value) => change("parallel_tool_calls", isOn(value))}
      />
    </Group>
  );
}

function SamplingGroup({ fields: { settings, change, number, useless } }: FieldsProps): JSX.Element {
  return (
    <Group title="Sampling">
      {sampling.map((name) => number(name))}
      <SwitchField
        label="Token probabilities"
        hint="Shows the probability of each token."
        useless={useless("logprobs")}
        value={settings.logprobs}
        onChange={(value) => change("logprobs", value)}
      />
      {settings.logprobs && number("top_logprobs")}
    </Group>
  );
}

function SearchGroup({ fields: { settings, changeService, useless, toggle } }: FieldsProps): JSX.Element {
  return (
    <Group title="Search">
      <ChoiceField
        label={suffixLabels.enable_web_search}
        hint="The service searches the web before the model answers. Costs extra."
        useless={useless("enable_web_search")}
        choices={webSearchChoices}
        value={settings.service?.enable_web_search}
        onChange={(value) => changeService("enable_web_search", value as Service["enable_web_search"])}
      />
      {searching.map(toggle)}
    </Group>
  );
}

function ServiceGroup({ fields: { settings, changeService, choice, toggle } }: FieldsProps): JSX.Element {
  return (
    <Group title="Service">
      <TextField
        label={suffixLabels.character_slug}
        hint="The slug of a character of the service."
        useless={undefined}
        placeholder="none"
        value={settings.service?.character_slug}
        onChange={(value) => changeService("character_slug", value?.trim())}
      />
      {choice("prompt_cache_retention", cacheRetentions)}
      {others.map(toggle)}
    </Group>
  );
}

function stopTokensProblem(text: string): string | undefined {
  const ids = tokenIdsIn(text);
  if (ids === undefined) return "must be whole numbers, such as 13, 198";
  return ids.length > maxStopTokens ? `accepts at most ${maxStopTokens} ids, not ${ids.length}` : undefined;
}

function jsonObjectProblem(text: string): string | undefined {
  try {
    return isMembers(JSON.parse(text)) ? undefined : "must be a JSON object";
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : "unreadable"}`;
  }
}
