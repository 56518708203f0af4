import { hours } from "../../../core/clock.ts";
import { isObject } from "../../../core/kernel/input/shape.ts";
import { archiveKey } from "../../../core/kernel/object/keys.ts";
import { isKindIn } from "../../../core/kernel/object/kind.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { Books, Check } from "./check.ts";
import { shown } from "./table.ts";

/** How long a repeated request is recognized. */
const memory = hours(24);
/** The store drops every hour what is past its time. */
const dropped = hours(2);

/** What is kept for a time only. */
const passing = ["archive", "deliveries", "former", "idempotency", "log", "token"];

/** Everything that is kept for a time has one, and goes when the time is over. */
export const expiries: Check = {
  of: ["archive"],
  wrong: ({ table, now }) =>
    table.words().flatMap((word) =>
      table.items(word).flatMap((item) => {
        const expires = item.expires === undefined ? undefined : Number(item.expires) * 1000;
        if (expires === undefined)
          return passing.includes(word) ? [`${shown(item)} is kept for ever`] : [];
        return expires < now - dropped ? [`${shown(item)} is past its time`] : [];
      }),
    ),
};

/** A request that is remembered was accepted, and is remembered for a day. */
export const requests: Check = {
  of: ["idempotency"],
  wrong: (books) => books.table.items("idempotency").flatMap((item) => wrongInRequest(books, item)),
};

function wrongInRequest({ table, kinds, now }: Books, item: Item): string[] {
  const object: unknown = item.accepted;
  const { kind, id } = isObject(object) ? object : {};
  const isAccepted =
    typeof kind === "string" &&
    isKindIn(kinds, kind) &&
    (table.has(kind, String(id)) || table.item(archiveKey(kind, String(id))) !== undefined);
  return [
    ...(isAccepted ? [] : [`${shown(item)} remembers ${kind} ${id}, which was never stored`]),
    ...(Number(item.expires) * 1000 > now + memory
      ? [`${shown(item)} is remembered too long`]
      : []),
  ];
}
