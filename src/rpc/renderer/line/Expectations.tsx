import type { JSX } from "preact";
import type { RpcExpectation, RpcOutput } from "../../output/rpcOutput.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";

/** Passed lines that are listed at once; more are behind a summary. */
const mostOpen = 5;

/** The `expect` lines of a run: first those that do not hold, with what was found. */
export function Expectations({ output }: { readonly output: RpcOutput }): JSX.Element | null {
  const { expectations: all, networks } = output;
  if (!Array.isArray(all) || all.length === 0) return null;
  const expectations: readonly RpcExpectation[] = all;
  const passed = expectations.filter(({ state }) => state === "passed");
  const others = expectations.filter(({ state }) => state !== "passed");
  const several = networks.length > 1;
  const unchecked = others.filter(({ state }) => state === "unchecked").length;
  const unmet = others.length - unchecked;
  const rows = (list: readonly RpcExpectation[]) => (
    <ul class="expectations">
      {list.map((one, at) => (
        <Row key={at} expectation={one} several={several} />
      ))}
    </ul>
  );
  const isOpen = others.length === 0 && passed.length <= mostOpen;
  return (
    <section class="checks" aria-label="Expectations">
      {others.length > 0 && (
        <p class={output.done && unmet > 0 ? "state bad" : "state quiet"}>
          {output.done
            ? [
                ...(unmet > 0 ? [`✗ ${unmet} of ${expectations.length} expectations not met`] : []),
                ...(unchecked > 0 ? [`– ${unchecked} of ${expectations.length} not checked`] : []),
              ].join(" · ")
            : "Expectations are checked at the end"}
        </p>
      )}
      {output.done && others.length > 0 && rows(others)}
      {passed.length > 0 && (
        <details open={isOpen}>
          <summary class="state good">
            ✓ {passed.length === 1 ? "1 expectation" : `${passed.length} expectations`} met
          </summary>
          {rows(passed)}
        </details>
      )}
    </section>
  );
}

const marks = { passed: "✓", failed: "✗", broken: "✗", unchecked: "–" } as const;
const names = {
  passed: "Met",
  failed: "Not met",
  broken: "Can't be checked",
  unchecked: "Not checked",
} as const;

function Row({
  expectation,
  several,
}: {
  readonly expectation: RpcExpectation;
  readonly several: boolean;
}): JSX.Element {
  const { state, source, network, line, expected, actual, difference, reason } = expectation;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Expected", expected],
    ["Actual", actual],
    ["Difference", difference],
    ["Reason", reason],
  ];
  return (
    <li>
      <span
        class={state === "passed" ? "good" : state === "unchecked" ? "quiet" : "bad"}
        role="img"
        aria-label={names[state] ?? ""}
      >
        {marks[state] ?? ""}
      </span>{" "}
      <code>{cutFieldText(source, 200)}</code>{" "}
      <span class="quiet">
        line {line + 1}
        {several && ` on ${cutFieldText(network, 80)}`}
        {state === "passed" && actual !== undefined && ` · ${cutFieldText(actual, 80)}`}
      </span>
      {state !== "passed" && (
        <dl class="facts">
          {facts.map(([name, text]) =>
            text === undefined ? null : (
              <div key={name}>
                <dt class="quiet">{name}</dt>
                <dd>{cutFieldText(text, 600)}</dd>
              </div>
            ),
          )}
        </dl>
      )}
    </li>
  );
}
