import type { JSX } from "preact";
import type { SchemaError } from "../../shared/chatMessages.ts";
import { Icon } from "./icons.ts";

/** Whether an answer fits the schema that it was given, and where it does not. */
export function SchemaVerdict({ errors }: { readonly errors: readonly SchemaError[] }): JSX.Element {
  if (errors.length === 0)
    return (
      <p class="verdict">
        <Icon name="check" /> Fits the schema
      </p>
    );
  return (
    <div class="verdict wrong">
      <p>
        <Icon name="warning" /> Does not fit the schema
      </p>
      <ul>
        {errors.map(({ at, message }) => (
          <li key={`${at} ${message}`}>
            {at !== "" && <code>{at}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
