import type { NumberDrift } from "../ipam.ts";
import type { NumberState } from "./number-state.ts";
import type { NetboxObject } from "./object-type.ts";
import type { PoolObjects } from "./pool-objects.ts";

/** A number that NetBox shows differently from Slipway's records. */
export interface Difference extends NumberDrift {
  /** The holder that NetBox shows, for a number without a holder. */
  shownFor?: string;
}

/** The numbers of a pool in Slipway's own store. */
export interface StoredNumbers {
  /** The numbers with a holder, each with its holder. Reads all of them. */
  states(): Promise<Map<number, NumberState>>;
  /** Leaves out differences that a running or interrupted claim or release explains. */
  unexplained(differences: Difference[]): Promise<Difference[]>;
}

/**
 * The differences between NetBox and our own store. They are not repaired here, because a person made them
 * and may know why. Reads both completely, page by page, and again if they differ: a number that was claimed
 * or released between the two reads differs only the first time.
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

/** Ordered by number. */
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

/** Undefined if NetBox shows the number correctly. */
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
