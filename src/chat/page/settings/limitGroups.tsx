import type { JSX } from "preact";
import { definedMembers } from "../../../shared/members.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { defaultTaskLimits } from "../../protocol/agentModes.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { type ChangeSetting, Group, SwitchField, TextField } from "./fields.tsx";

type Task = NonNullable<ChatSettings["task"]>;

interface GroupSettings {
  readonly settings: ChatSettings;
  readonly change: ChangeSetting;
}

export function BudgetGroup({ settings, change }: GroupSettings): JSX.Element {
  return (
    <Group title="Budget">
      <TextField
        label="Ask above (USD)"
        hint="The chat asks before it costs more than this."
        useless={undefined}
        placeholder="no limit"
        value={settings.budgetUsd?.toString()}
        check={(text) => (Number(typedAmount(text)) > 0 ? undefined : "must be a number above 0")}
        onChange={(text) => change("budgetUsd", text === undefined ? undefined : Number(typedAmount(text)))}
      />
    </Group>
  );
}

export function TaskGroup({ settings, change }: GroupSettings): JSX.Element {
  const { task } = settings;
  const set = <Name extends keyof Task>(name: Name, value: Task[Name] | undefined) => {
    const next = definedMembers({ ...task, [name]: value });
    change("task", Object.keys(next).length > 0 ? next : undefined);
  };
  const number = (name: "rounds" | "minutes" | "tokens", label: string, least: number, most: number) => (
    <TextField
      key={name}
      label={label}
      hint="A task of the modes Plan and Agent stops there, until you raise it and press Continue."
      useless={undefined}
      placeholder={defaultTaskLimits[name].toLocaleString("en")}
      value={task?.[name]?.toString()}
      check={(text) =>
        Number.isInteger(Number(text)) && Number(text) >= least && Number(text) <= most
          ? undefined
          : `must be a whole number from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}`
      }
      onChange={(text) => {
        set(name, text === undefined ? undefined : Number(text));
      }}
    />
  );
  return (
    <Group title="Task">
      <SwitchField
        label="Ask before edits"
        hint="Each edit of a file waits for your approval, as a command does. Otherwise it is reviewed afterwards."
        useless={undefined}
        value={task?.asksBeforeEdits}
        onChange={(value) => set("asksBeforeEdits", value || undefined)}
      />
      {number("rounds", "Rounds", 1, 1000)}
      {number("minutes", "Minutes", 1, 1440)}
      {number("tokens", "Tokens", 1000, 1e9)}
    </Group>
  );
}
