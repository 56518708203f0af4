import type { NumberDrift } from "../ipam.ts";
import type { Books } from "./books.ts";
import type { NumberState } from "./number-state.ts";
import type { NetboxObject } from "./shelf.ts";

/** A number that NetBox shows otherwise than Slipway has it. */
export interface Difference extends NumberDrift {
  /** The holder that NetBox shows, of a number that nobody has. */
  shownFor?: string;
}

/** What Slipway's own store knows of a pool's numbers. */
export interface Known {
  /** The numbers that somebody has, and who. Reads all of them. */
  states(): Promise<Map<number, NumberState>>;
  /** Leaves out what a claim or release explains that is under way, or was cut off and will go on. */
  settled(differences: Difference[]): Promise<Difference[]>;
}

/**
 * What NetBox shows otherwise than our own store has it. Nothing of it is mended here: a person did it, and
 * may know why. Reads both whole, by pages, and once more where they differ: what was claimed or released
 * between two readings is otherwise the second time.
 */
export async function driftOf(known: Known, books: Books): Promise<NumberDrift[]> {
  const first = await known.settled(await differences(known, books));
  if (first.length === 0) return [];
  const messages = new Map(first.map(({ number, message }) => [number, message]));
  const again = await differences(known, books);
  return again.flatMap(({ number, message }) =>
    messages.get(number) === message ? { number, message } : [],
  );
}

/** In the order of the numbers. */
async function differences(known: Known, books: Books): Promise<Difference[]> {
  const states = await known.states();
  const objects = new Map<number, NetboxObject[]>();
  for await (const page of books.everything())
    for (const object of page) {
      const number = books.numberOf(object);
      if (number !== undefined) objects.set(number, [...(objects.get(number) ?? []), object]);
    }
  const numbers = [...new Set([...states.keys(), ...objects.keys()])].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const said = saidOf(books, states.get(number) ?? { use: "none" }, objects.get(number) ?? []);
    return said ? { number, ...said } : [];
  });
}

/** Undefined where NetBox shows what is so. */
function saidOf(
  books: Books,
  state: NumberState,
  there: NetboxObject[],
): Omit<Difference, "number"> | undefined {
  const entries = there.flatMap((object) => books.entryOf(object) ?? []);
  if (state.use === "none") {
    const shown = entries.find(({ use }) => use !== "resting");
    if (!shown) return undefined;
    const message = `NetBox shows it for ${shown.holder || "nobody"}, and nobody has it`;
    return { message, shownFor: shown.holder };
  }
  if (state.use === "elsewhere") {
    const message = "NetBox has it for something else, so nobody gets it";
    return there.length > 0 ? { message } : undefined;
  }
  const { use, holder } = state;
  const has = use === "held" ? `${holder} has it` : `it is kept for what is left of ${holder}`;
  const but = (what: string) => ({ message: `${has}, and NetBox ${what}` });
  if (there.length > entries.length) return but("has it for something else");
  const [entry, twice] = entries;
  if (!entry) return but("does not have it");
  if (twice) return but("has it twice");
  if (entry.use === "resting") return but("shows it at rest");
  if (entry.use === use && entry.holder === holder) return undefined;
  const shown = entry.use === "held" ? "active" : "reserved";
  return but(`shows it as ${shown} for ${entry.holder || "nobody"}`);
}
