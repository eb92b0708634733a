import type { ProblemsSince } from "../../../../../../src/chat/host/tools/files/editReport.ts";

/** An editor without language services. */
export const noProblems = {
  since: (): ProblemsSince => ({ newIn: async () => "" }),
};
