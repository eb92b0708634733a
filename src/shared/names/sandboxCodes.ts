/** Error code of requests that need a language model. The sandbox answers by rules and written answers alone. */
export const needsLanguageModel = "NEEDS_LANGUAGE_MODEL";
