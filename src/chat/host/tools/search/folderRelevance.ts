/** How much the hits in a file tell, by its path: those in sources first. */
export type Relevance = "source" | "test" | "text" | "generated";

export const relevances: readonly Relevance[] = ["source", "test", "text", "generated"];

const generatedFolder =
  /^(?:dist|build|out|target|coverage|vendor|vendored|third[-_]?party|node_modules|bower_components|site-packages|generated|__generated__|gen|\.next|\.nuxt|\.cache|__snapshots__|minified)$/i;
const generatedFile =
  /(?:[.-]min\.\w+|\.bundle\.\w+|\.generated\.\w+|\.g\.\w+|_pb2?\.\w+|\.pb\.\w+|\.map|\.snap|\.lock|[-.]lock\.\w+|-lock\.json|\.sum|\.svg)$/i;
const testFolder = /^(?:tests?|__tests__|specs?|e2e|fixtures?|testdata|__mocks__|mocks?)$/i;
const testFile = /(?:[._-](?:test|tests|spec)\.\w+$|^test_\w+\.\w+$|_test\.\w+$)/i;
const textFolder = /^(?:docs?|documentation|wiki|examples?|samples?|changelogs?)$/i;
const textFile = /\.(?:md|mdx|markdown|rst|adoc|txt|log|csv|tsv|html?)$/i;

export function relevanceOf(path: string): Relevance {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  if (folders.some((name) => generatedFolder.test(name)) || generatedFile.test(file)) return "generated";
  if (folders.some((name) => testFolder.test(name)) || testFile.test(file)) return "test";
  if (folders.some((name) => textFolder.test(name)) || textFile.test(file)) return "text";
  return "source";
}
