import type { JSX } from "preact";

/** A share from 0 to 1 as a bar and as text. */
export function Meter({ share, label }: { readonly share: number; readonly label: string }): JSX.Element {
  const percent = Math.min(100, Math.max(0, share * 100));
  return (
    <span class="meter">
      <span class="meter-bar" aria-hidden="true">
        <span class="meter-part" style={{ width: `${percent}%` }} />
      </span>{" "}
      <span class="quiet">
        {percent.toFixed(percent < 10 ? 1 : 0)} % {label}
      </span>
    </span>
  );
}
