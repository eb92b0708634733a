/** A function that a model may ask for. */
export interface ChatTool {
  /** As the model spells it. */
  readonly name: string;
  readonly title: string;
  /** For the model. */
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly origin: "built-in" | "workspace";
  /** What a call costs, in words; absent where it costs nothing. */
  readonly price?: string;
  /** Changes when what it does may have changed: an approval for more than one call is for this alone. */
  readonly fingerprint: () => Promise<string>;
  /** What such an approval is bound to besides, such as the site of a page. */
  readonly scope?: (input: ToolInput) => string;
  /** What a call would do, in a line that a person can judge. */
  says(input: ToolInput): string;
  /** Absent where a person writes the result. Rejects with a sentence for the model and the person. */
  readonly run?: (input: ToolInput, signal: AbortSignal) => Promise<string>;
}

/** Arguments that fit the schema. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Why a tool can't do what it is asked for; its message is for the model and the person. */
export class ToolRefusal extends Error {}

/** A member of the input as text; empty where it is none. */
export function inputText(input: ToolInput, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}
