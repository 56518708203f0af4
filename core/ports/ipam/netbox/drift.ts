import type { NumberDrift } from "../ipam.ts";
import type { NumberState } from "./number-state.ts";
import type { NetboxObject } from "./object-type.ts";
import type { PoolObjects } from "./pool-objects.ts";

/** A number that NetBox shows otherwise than Slipway has it. */
export interface Difference extends NumberDrift {
  /** The holder that NetBox shows, of a number that nobody has. */
  shownFor?: string;
}

/** What Slipway's own store knows of a pool's numbers. */
export interface StoredNumbers {
  /** The numbers that somebody has, and who. Reads all of them. */
  states(): Promise<Map<number, NumberState>>;
  /** Leaves out what a claim or release explains that is under way, or was cut off and will continue. */
  unexplained(differences: Difference[]): Promise<Difference[]>;
}

/**
 * What NetBox shows otherwise than our own store has it. Nothing of it is repaired here: a person did it, and
 * may know why. Reads both whole, by pages, and once more where they differ: what was claimed or released
 * between two readings is otherwise the second time.
 */
export async function driftOf(known: StoredNumbers, objects: PoolObjects): Promise<NumberDrift[]> {
  const first = await known.unexplained(await differences(known, objects));
  if (first.length === 0) return [];
  const messages = new Map(first.map(({ number, message }) => [number, message]));
  const again = await differences(known, objects);
  return again.flatMap(({ number, message }) =>
    messages.get(number) === message ? { number, message } : [],
  );
}

/** In the order of the numbers. */
async function differences(known: StoredNumbers, pool: PoolObjects): Promise<Difference[]> {
  const states = await known.states();
  const objects = new Map<number, NetboxObject[]>();
  for await (const page of pool.pages())
    for (const object of page) {
      const number = pool.numberOf(object);
      if (number !== undefined) objects.set(number, [...(objects.get(number) ?? []), object]);
    }
  const numbers = [...new Set([...states.keys(), ...objects.keys()])].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const said = differenceOf(
      pool,
      states.get(number) ?? { use: "none" },
      objects.get(number) ?? [],
    );
    return said ? { number, ...said } : [];
  });
}

/** Undefined where NetBox shows what is so. */
function differenceOf(
  objects: PoolObjects,
  state: NumberState,
  there: NetboxObject[],
): Omit<Difference, "number"> | undefined {
  const tagged = there.flatMap((object) => objects.taggedOf(object) ?? []);
  if (state.use === "none") {
    const shown = tagged.find(({ use }) => use !== "resting");
    if (!shown) return undefined;
    const message = `NetBox shows it for ${shown.holder || "nobody"}, and no record has it`;
    return { message, shownFor: shown.holder };
  }
  if (state.use === "elsewhere") {
    const message = "NetBox has it for something else, so no order gets it";
    return there.length > 0 ? { message } : undefined;
  }
  const { use, holder } = state;
  const has = use === "held" ? `${holder} has it` : `it is reserved for the rest of ${holder}`;
  const but = (what: string) => ({ message: `${has}, and NetBox ${what}` });
  if (there.length > tagged.length) return but("has it for something else");
  const [object, twice] = tagged;
  if (!object) return but("does not have it");
  if (twice) return but("has it twice");
  if (object.use === "resting") return but("shows it at rest");
  if (object.use === use && object.holder === holder) return undefined;
  const shown = object.use === "held" ? "active" : "reserved";
  return but(`shows it as ${shown} for ${object.holder || "nobody"}`);
}
