import { isDeepStrictEqual } from "node:util";
import { minutes, timestamp } from "../../../core/clock.ts";
import { namesOf } from "../../../core/kernel/object/kind.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { Books, Check } from "./check.ts";
import { shown } from "./table.ts";

/** How long something may be due before it counts as forgotten; it is looked for every few seconds. */
const patience = minutes(2);

/** Every object is in the indexes where its state puts it, and in no other. */
export const indexes: Check = {
  of: [],
  wrong: ({ table, kinds }) =>
    namesOf(kinds).flatMap((kind) =>
      table
        .items(kind)
        .filter(
          (item) => !isDeepStrictEqual(entriesIn(item), table.entriesOf(objectIn(kinds, item))),
        )
        .map((item) => `${shown(item)} is in the indexes as ${JSON.stringify(entriesIn(item))}`),
    ),
};

/** Nothing is due for long: an entry that stays is one of something that nobody looks at, or of nothing. */
export const due: Check = {
  of: [],
  wrong: (books) =>
    books.table
      .words()
      .flatMap((word) => books.table.items(word))
      .filter((item) => isForgotten(books, item))
      .map((item) => `${shown(item)} has been due since ${String(item.g2sk)}`),
};

/**
 * Not what waits for a person, what stays due for each round of sweeps, nor labels and what users did, which have no
 * time to come.
 */
const isForgotten = ({ now }: Books, { g2pk, g2sk }: Item): boolean =>
  g2pk !== undefined &&
  !/^(?:stuck$|queued$|unreached$|unwell-hubs$|failed#|sweep#|label#|acted#)/.test(String(g2pk)) &&
  String(g2sk) < timestamp(now - patience);

const entriesIn = (item: Item): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => /^g\d[ps]k$/.test(name)));
