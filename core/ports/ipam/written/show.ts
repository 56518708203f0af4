import { AppError } from "../../../error.ts";
import type { Books, Shown } from "../netbox/books.ts";
import type { Entry } from "../netbox/entry.ts";
import type { NetboxObject } from "../netbox/shelf.ts";

/** How often NetBox is asked for what was just written into it. */
const tries = 5;

export interface Telling {
  /**
   * The names under which the number may be ours in NetBox: what bears another one, or none, is somebody
   * else's, and is left as it is.
   */
  names: ReadonlySet<string>;
  /** Asked before each write; throws where it may not be. */
  mayWrite(): Promise<void>;
}

/** Has NetBox show a number as `shown` says. Answers what somebody else has there, where it is in the way. */
export async function show(
  books: Books,
  number: number,
  shown: Shown,
  { names, mayWrite }: Telling,
): Promise<NetboxObject | undefined> {
  const removed = async (entry: Entry) => {
    await mayWrite();
    await books.remove(entry);
  };
  for (let n = 0; n < tries; n++) {
    const there = await books.at(number);
    const ours = there.flatMap((object) => entryOf(books, object, names) ?? []);
    const other = there.find((object) => !entryOf(books, object, names));
    const [first, ...twice] = ours;
    // NetBox may let two have the same prefix or address: attempts that met, or somebody else and us.
    for (const entry of twice) await removed(entry);
    if (shown.use === "resting") {
      // What a person has removed does not come back to rest.
      if (first) await mayWrite();
      if (first) await books.mark(first, shown);
      return undefined;
    }
    if (other) {
      if (first) await removed(first);
      return other;
    }
    if (first && isAs(first, shown)) return undefined;
    await mayWrite();
    if (!first) await books.make(number, shown);
    else if (await books.mark(first, shown)) return undefined;
  }
  throw new AppError(
    "Unavailable",
    `NetBox does not show the number ${number} that it was told of`,
  );
}

/** What rests is of nobody, and the next holder takes it over. */
function entryOf(books: Books, object: NetboxObject, names: ReadonlySet<string>) {
  const entry = books.entryOf(object);
  return entry && (entry.use === "resting" || names.has(entry.holder)) ? entry : undefined;
}

const isAs = (entry: Entry, shown: Exclude<Shown, { use: "resting" }>): boolean =>
  entry.use === shown.use && entry.holder === shown.holder;
