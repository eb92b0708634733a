import type { ComponentChildren, JSX } from "preact";
import { useId, useState } from "preact/hooks";
import {
  type NumberParameter,
  type NumberRule,
  numberParameters,
  parameterProblem,
} from "../../../shared/chat/chatParameters.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";

interface FieldProps {
  readonly label: string;
  readonly hint: string;
  /** The reason why it has no effect. */
  readonly useless: string | undefined;
}

interface RowProps extends FieldProps {
  readonly id: string;
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** A label and a field, with its problem or hint below. */
function Row({ id, label, hint, useless, problem, children }: RowProps): JSX.Element {
  const note = problem ?? useless;
  return (
    <div class={useless === undefined ? "setting" : "setting useless"} title={useless ?? hint}>
      <label for={id}>{label}</label>
      {children}
      {note !== undefined && (
        <p id={`${id}-note`} class={problem === undefined ? "setting-note" : "setting-note wrong"}>
          {note}
        </p>
      )}
    </div>
  );
}

export interface NumberFieldProps extends FieldProps {
  readonly name: NumberParameter;
  readonly value: number | undefined;
  /** The upper limit, if it depends on other values. */
  readonly max?: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Common attributes of fields: disabled state, validity and description. */
function attributesOf(id: string, { hint, useless }: FieldProps, problem?: string) {
  return {
    id,
    disabled: useless !== undefined,
    "aria-invalid": problem !== undefined,
    "aria-describedby": (problem ?? useless) === undefined ? undefined : `${id}-note`,
    "aria-description": (problem ?? useless) === undefined ? hint : undefined,
  };
}

/** A number; empty for the model's default. An invalid value is reported and not applied. */
export function NumberField({ name, value, max, onChange, ...texts }: NumberFieldProps): JSX.Element {
  const id = useId();
  const rule: NumberRule = numberParameters[name];
  const [problem, setProblem] = useState<string | undefined>(undefined);
  /** An invalid text stays in the field so that it can be corrected. */
  const [typed, setTyped] = useState("");
  const take = (text: string, isBad: boolean) => {
    setTyped(text);
    if (text.trim() === "" && !isBad) {
      setProblem(undefined);
      return onChange(undefined);
    }
    const number = Number(text);
    const wrong = isBad ? "must be a number" : problemOf(name, number, max);
    setProblem(wrong === undefined ? undefined : `${texts.label} ${wrong}.`);
    if (wrong === undefined) onChange(number);
  };
  // It was set for another model.
  const isOver = max !== undefined && value !== undefined && value > max;
  const note = problem ?? (isOver ? `The model takes at most ${max}, so ${max} is sent.` : undefined);
  return (
    <Row id={id} problem={note} {...texts}>
      <input
        {...attributesOf(id, texts, note)}
        type="number"
        min={rule.min}
        max={max ?? rule.max}
        step={rule.isWhole ? 1 : "any"}
        placeholder="default"
        value={problem === undefined ? (value ?? "") : typed}
        onChange={({ currentTarget }) => take(currentTarget.value, currentTarget.validity.badInput)}
      />
    </Row>
  );
}

function problemOf(name: NumberParameter, value: number, max: number | undefined): string | undefined {
  const problem = parameterProblem(name, value);
  if (problem !== undefined) return problem;
  return max !== undefined && value > max ? `must be at most ${max}, not ${value}` : undefined;
}

export interface ChoiceFieldProps extends FieldProps {
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** The text of no choice. */
  readonly none?: string;
  readonly onChange: (value: string | undefined) => void;
}

/** A value of a fixed set; empty for the default. */
export function ChoiceField({
  value,
  choices,
  none = "default",
  onChange,
  ...texts
}: ChoiceFieldProps): JSX.Element {
  const id = useId();
  return (
    <Row id={id} {...texts}>
      <select
        {...attributesOf(id, texts)}
        value={value ?? ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      >
        <option value="">{none}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </Row>
  );
}

export interface SwitchFieldProps extends FieldProps {
  readonly value: boolean | undefined;
  readonly onChange: (value: boolean | undefined) => void;
}

export function SwitchField({ value, onChange, ...texts }: SwitchFieldProps): JSX.Element {
  const id = useId();
  return (
    <Row id={id} {...texts}>
      <input
        {...attributesOf(id, texts)}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
      />
    </Row>
  );
}

export interface TextFieldProps extends FieldProps {
  readonly value: string | undefined;
  readonly placeholder: string;
  readonly isLong?: boolean;
  /** Blanks alone are a value. */
  readonly keepsBlanks?: boolean;
  /** The problem of a text, as the end of a sentence that starts with the label. */
  readonly check?: (text: string) => string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function TextField({
  value,
  placeholder,
  isLong,
  keepsBlanks,
  check,
  onChange,
  ...texts
}: TextFieldProps): JSX.Element {
  const id = useId();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const take = (text: string) => {
    setTyped(text);
    const isEmpty = keepsBlanks ? /^[\r\n]*$/.test(text) : text.trim() === "";
    const wrong = isEmpty ? undefined : check?.(text);
    setProblem(wrong === undefined ? undefined : `${texts.label} ${wrong}.`);
    if (wrong === undefined) onChange(isEmpty ? undefined : text);
  };
  const common = {
    ...attributesOf(id, texts, problem),
    placeholder,
    value: problem === undefined ? (value ?? "") : typed,
  };
  return (
    <Row id={id} problem={problem} {...texts}>
      {isLong ? (
        <textarea
          {...common}
          rows={3}
          dir="auto"
          onChange={({ currentTarget }) => take(currentTarget.value)}
        />
      ) : (
        <input {...common} type="text" onChange={({ currentTarget }) => take(currentTarget.value)} />
      )}
    </Row>
  );
}

interface GroupProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: JSX.Element | readonly (JSX.Element | readonly JSX.Element[] | false | undefined)[];
}

/** A section of fields. */
export function Group({ title, isOpen, children }: GroupProps): JSX.Element {
  return (
    <details class="settings-group" open={isOpen ?? false}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Sets a member of the settings; undefined removes it. */
export type ChangeSetting = <Name extends keyof ChatSettings>(
  name: Name,
  value: ChatSettings[Name] | undefined,
) => void;
