/**
 * What a model or a user is told about a call that was begun and whose end nobody knows: it was stopped, took too long, or
 * its process ended. These sentences stand here alone, so that no caller says that such a call was not run, or was not
 * billed. `test/rules/structure/mayHaveHappened.test.ts` holds that.
 */
export const mayHaveHappened = {
  edit: "The change may have been made all the same: read the file again before you change it.",
  paid: "There is no result. Its request may have reached the service, and may have been billed.",
  command: "It had run, at least in part, and its output is lost.",
  /** Nothing is known about what the call does. */
  unknown: "It may have run, and its result is lost.",
  /** After a sentence that says how the call ended. */
  billed: "It may have been billed.",
} as const;
