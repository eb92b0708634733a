/** The sample of the tour. *Open Sample Code* opens it, and the folder of `npm start` contains it. */
export const sampleName = "hello.ts";

/** Each part is whole lines. The sandbox has written answers about each of them. */
export const sampleParts = {
  comment: "/** Says hello. Select this function and ask about it in the Inference side bar. */",
  function: `export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}`,
  call: 'console.log(greet("world"));',
} as const;
export type SamplePart = keyof typeof sampleParts;

const order: readonly SamplePart[] = ["comment", "function", "call"];

export const sampleCode = `${sampleParts.comment}\n${sampleParts.function}\n\n${sampleParts.call}\n`;

/** The parts of the sample that a text consists of, in their order; undefined for any other text. */
export function readSample(text: string): readonly SamplePart[] | undefined {
  let rest = text.replaceAll("\r\n", "\n").trim();
  const found: SamplePart[] = [];
  for (const part of order) {
    if (!rest.startsWith(sampleParts[part])) continue;
    found.push(part);
    rest = rest.slice(sampleParts[part].length).trimStart();
  }
  return rest === "" && found.length > 0 ? found : undefined;
}
