import * as z from "zod";
import { isMembers } from "../../../shared/members.ts";

/** The most characters of a script. The chat cuts longer results of tools. */
const maxLength = 64_000;
/** A step that calls tools without end, so that limits of the agent can be tried. */
const forever = "forever";

const ScriptedCall = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  // Not a record, which would drop a member named __proto__.
  arguments: z.custom<object>(isMembers, "must be an object"),
});
export type ScriptedCall = z.infer<typeof ScriptedCall>;

/** Text that one of the last results contains, or `isError`. */
const condition = z.string().min(1).max(1000).exactOptional();

const step = {
  reasoning: z.string().exactOptional(),
  say: z.string().exactOptional(),
  /** The calls of one answer run in parallel. */
  calls: z.array(ScriptedCall).min(1).max(32).exactOptional(),
  when: condition,
  unless: condition,
  repeat: z
    .union([z.int().min(1).max(1000), z.literal(forever)], `must be 1 to 1000 or "${forever}"`)
    .exactOptional(),
  /** Ends the script after this step. */
  end: z.boolean().exactOptional(),
};
const Step = z.strictObject(step);
const StepOrGroup = z
  .strictObject({ ...step, steps: z.array(Step).min(1).max(100).exactOptional() })
  .refine(({ steps, reasoning, say, calls }) => !steps || (reasoning ?? say ?? calls) === undefined, {
    path: ["steps"],
    message: "must stand without reasoning, say and calls",
  });
type StepOrGroup = z.infer<typeof StepOrGroup>;

/** A script of tool calls. A step with `steps` is a group, which `when`, `unless` and `repeat` apply to as a whole. */
export const ToolScript = z.strictObject({
  name: z.string().min(1).max(100),
  steps: z.array(StepOrGroup).min(1).max(100),
});
export type ToolScript = z.infer<typeof ToolScript>;

/** The script in a tool's result, or a sentence that names the field and the rule of its error. */
export function readToolScript(text: string, path: string): ToolScript | string {
  const broken = (reason: string) =>
    `I can't play \`${path}\`: ${reason.slice(0, 500).replace(/\s+/g, " ")}.`;
  if (text.length > maxLength) {
    return broken(
      `the file has more than ${maxLength.toLocaleString("en")} characters, the limit of a script`,
    );
  }
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  if (json === "") return broken(`read_file gave no JSON object, but “${text.slice(0, 200).trim()}”`);
  try {
    const parsed = ToolScript.safeParse(JSON.parse(json));
    // Arguments that nest too deeply can be read, but not written.
    JSON.stringify(parsed.data);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return broken(`${issue?.path.join(".") || "the script"}: ${issue?.message ?? "is invalid"}`);
  } catch (error) {
    return broken(
      error instanceof SyntaxError ? `it is not JSON: ${error.message}` : "its arguments nest too deeply",
    );
  }
}

/** One answer of the model. Without calls it is the last one. */
export interface ScriptRound {
  readonly reasoning: string;
  readonly say: string;
  readonly calls: readonly ScriptedCall[];
}

/** Yields a round for each answer with calls, takes the results of its calls, and returns the last answer. */
export type Play = Generator<ScriptRound, ScriptRound, readonly string[]>;

/** Steps without calls are said together with the next step that calls. */
export function* play({ steps }: ToolScript): Play {
  const player = new Player();
  yield* player.playAll(steps);
  return player.takeRound([]);
}

class Player {
  #results: readonly string[] = [];
  #said: StepOrGroup[] = [];
  #rounds = 0;
  #isOver = false;

  *playAll(steps: readonly StepOrGroup[]): Generator<ScriptRound, void, readonly string[]> {
    for (const one of steps) if (!this.#isOver) yield* this.#repeat(one);
  }

  *#repeat(one: StepOrGroup): Generator<ScriptRound, void, readonly string[]> {
    const times = one.repeat === forever ? Number.POSITIVE_INFINITY : (one.repeat ?? 1);
    for (let time = 0; time < times && !this.#isOver && this.#applies(one); time++) {
      const roundsBefore = this.#rounds;
      yield* one.steps ? this.playAll(one.steps) : this.#playOne(one);
      this.#isOver ||= one.end === true;
      // Without a call there is no new result, so it would go on like this without end.
      if (this.#rounds === roundsBefore) return;
    }
  }

  *#playOne(one: StepOrGroup): Generator<ScriptRound, void, readonly string[]> {
    this.#said.push(one);
    if (!one.calls) return;
    this.#rounds += 1;
    this.#results = yield this.takeRound(one.calls);
  }

  takeRound(calls: readonly ScriptedCall[]): ScriptRound {
    const said = this.#said;
    this.#said = [];
    return {
      reasoning: said.flatMap(({ reasoning = [] }) => reasoning).join("\n\n"),
      say: said.flatMap(({ say = [] }) => say).join("\n\n"),
      calls,
    };
  }

  #applies({ when, unless }: StepOrGroup): boolean {
    return (when === undefined || this.#holds(when)) && (unless === undefined || !this.#holds(unless));
  }

  #holds(text: string): boolean {
    return this.#results.some(text === "isError" ? isError : (result) => result.includes(text));
  }
}

/** Requests do not mark a failed call. Its result is one line that tells of a failure. */
function isError(result: string): boolean {
  const line = result.trim();
  if (line.length > 1000 || line.includes("\n")) return false;
  return /^(error|stopped|no result|the (user|window) (skipped|refused|stopped|opened|was closed)|the arguments are)\b|\b(can't|cannot|could not|failed|refused|denied|not (found|unique|a file|in)|no such|there is no|(do|does|did|was|is) not)\b/i.test(
    line,
  );
}
