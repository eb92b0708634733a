/** Error code of requests that need a language model. The sandbox answers by rules alone. */
export const needsLanguageModel = "NEEDS_LANGUAGE_MODEL";
