// Two clients of pacedServer.ts, in turns: how late the parts of its answers are, and how much the processes grow.
import { startContestants } from "./interleave.ts";
import { manyParts, startPacedServer } from "./pacedServer.ts";

const warmUps = 3;
const rounds = 11;

type OfEach<Name extends string> = Readonly<Record<Name, number[]>>;

export interface PacedFigures<Name extends string> {
  /** The delay of each part in milliseconds. */
  readonly ms: OfEach<Name>;
  /** Megabytes by which an answer of many parts lets the process grow. */
  readonly grown: OfEach<Name>;
}

export async function pacedRounds<Name extends string>(
  module: string,
  names: readonly Name[],
): Promise<PacedFigures<Name>> {
  const server = await startPacedServer();
  const contestants = await startContestants({ module, names, given: server.origin });
  const none = () => Object.fromEntries(names.map((name) => [name, []])) as unknown as OfEach<Name>;
  const [ms, grown] = [none(), none()];
  const inTurns = async (count: number, asked: string, take: (name: Name, result: unknown) => void) => {
    for (let round = 0; round < count; round++)
      for (const name of names) {
        const { result } = await contestants.run(name, asked);
        if (round >= count - taken[asked as keyof typeof taken]) take(name, result);
      }
  };
  try {
    await inTurns(warmUps + rounds, "paced", (name, result) =>
      ms[name].push(...(result as { latencies: number[] }).latencies),
    );
    await inTurns(warmUps, "many", (name, result) => {
      const { parts, megabytes } = result as { parts: number; megabytes: number };
      if (parts !== manyParts) throw new Error(`${name} got ${parts} of ${manyParts} parts`);
      grown[name].push(megabytes);
    });
  } finally {
    contestants.close();
    await server.close();
  }
  return { ms, grown };
}

/** The last rounds count. The first answer of many parts includes the heap's own growth. */
const taken = { paced: rounds, many: warmUps - 1 };
