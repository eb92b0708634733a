import type { Known } from "../../../shared/known.ts";
import type { ComparisonState } from "../../protocol/comparisonProtocol.ts";
import type { ComparisonModel } from "./comparisonModel.ts";

/** This month against the same days of the last one, each row in its own currency. */
export function Comparison({ model }: { readonly model: ComparisonModel }) {
  const isOn = model.isOn.value;
  const state = model.state.value;
  return (
    <section class="panel comparison" aria-label="This month and the last">
      <header>
        <h2>This month and the last</h2>
        <button type="button" class="link" aria-pressed={isOn} onClick={() => model.turn(!isOn)}>
          {isOn ? "Hide" : "Compare with last month"}
        </button>
      </header>
      {!isOn && (
        <p class="quiet">
          The same days of both months, by currency, product and key. The bill of last month is read for it.
        </p>
      )}
      {isOn && !state && <p class="quiet">Reading the bill of both months…</p>}
      {isOn && state && <Tables state={state} />}
    </section>
  );
}

function Tables({ state: { nowDays, beforeDays, groups, problem } }: { readonly state: ComparisonState }) {
  return (
    <>
      <p class="quiet">
        {nowDays}, today so far, beside {beforeDays}. Days are UTC days.
      </p>
      {problem && <p class="quiet">Not read: {problem}</p>}
      {groups.map(({ title, lines }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <section key={title} class="scroll" aria-label={`${title}, this month and the last`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{title}</th>
                <th scope="col">Last month</th>
                <th scope="col">This month</th>
                <th scope="col">Difference</th>
              </tr>
            </thead>
            <tbody>
              {lines.is === "value" ? (
                lines.value.map(({ name, before, now, difference }, index) => (
                  <tr key={`${index} ${name}`}>
                    <th scope="row">{name}</th>
                    <td>{textOf(before)}</td>
                    <td>{textOf(now)}</td>
                    <td>{textOf(difference)}</td>
                  </tr>
                ))
              ) : (
                <tr>
                  <td colSpan={4}>{lines.is === "unknown" ? "not read" : "Nothing was spent."}</td>
                </tr>
              )}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}

function textOf(amount: Known<string>): string {
  return amount.is === "value" ? amount.value : "not read";
}
