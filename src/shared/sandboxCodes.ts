/** The code of a request that the sandbox's small programs can't answer: it takes a language model. */
export const needsLanguageModel = "NEEDS_LANGUAGE_MODEL";
