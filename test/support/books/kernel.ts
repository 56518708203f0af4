import type { Check } from "./check.ts";
import { claims } from "./claims.ts";
import { counts, type References, uses } from "./counters.ts";
import { events } from "./events.ts";
import { due, indexes } from "./indexes.ts";
import { operations, tickets, tokens } from "./operations.ts";
import { expiries, requests } from "./requests.ts";

/** The parts of the books that know no kind. */
export const kernelChecks = (references?: References): readonly Check[] => [
  claims,
  counts,
  uses(references),
  indexes,
  due,
  operations,
  tickets,
  tokens,
  events,
  expiries,
  requests,
];
