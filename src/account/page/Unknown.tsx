import type { Known } from "../../shared/known.ts";
import type { UsageState } from "../protocol/usageProtocol.ts";

/** A value that could not be read: a dash, which a screen reader says as "unknown". */
export function Unknown() {
  return (
    <span role="img" aria-label="unknown">
      –
    </span>
  );
}

/** The reason, unless the page says it above all parts. */
export function reasonIn({ problem }: Pick<UsageState, "problem">, reason: string): string {
  return problem.includes(reason) ? "Not read." : reason;
}

export function KnownText({ text, none = "" }: { readonly text: Known<string>; readonly none?: string }) {
  if (text.is === "unknown") return <Unknown />;
  return <>{text.is === "none" ? none : text.value}</>;
}

/** The list, also an empty one; empty if it is unknown. */
export function rowsIn<Row>(rows: Known<readonly Row[]>): readonly Row[] {
  return rows.is === "value" ? rows.value : [];
}
