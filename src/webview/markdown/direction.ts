/**
 * A browser looks for the first letter that says a direction (`dir="auto"`) whenever something is added, through all
 * that says none: numbers, signs, what is empty. Where there is much of it, what has been found so far counts.
 */
export function settleDirection(element: Element): void {
  const next = (from: Element | null | undefined) => from?.closest<HTMLElement>('[dir="auto"]');
  for (let at = next(element); at; at = next(at.parentElement)) {
    at.dir = at.matches(":dir(rtl)") ? "rtl" : "ltr";
  }
}
