// Loaded before the test files of a complete run: random cases are the same each time, so that a failure comes from
// the change. `node --test FILE` and `npm test -- --seed any` use new random cases.
import fc from "fast-check";
import { randomCases } from "./cases.ts";

/** Of a property that does not say how many. */
const usualCases = 100;

fc.configureGlobal({ seed: Number(process.env.INFERENCE_TEST_SEED), numRuns: randomCases(usualCases) });
