import { expect, it } from "vitest";
import { changeOf, type HotPool } from "../../../../core/resources/host/hot-pool.ts";

/** Four servers that are off, none free and none on their way, and no order that waits. */
const pool: HotPool = { min: 2, max: 3, free: 0, coming: 0, late: 0, idle: 4, demand: 0 };

it.each<[string, Partial<HotPool>, number]>([
  ["discovers up to its least", {}, 2],
  ["counts those on their way", { coming: 1 }, 1],
  ["discovers others in the place of those that are late", { late: 2 }, 2],
  ["discovers no more than as many again, when all are late", { late: 3 }, 1],
  ["discovers one at a time, when so many are late", { late: 8 }, 1],
  ["waits for that one", { late: 8, coming: 1 }, 0],
  ["discovers no more than there are", { idle: 1 }, 1],
  ["rests between its bounds", { free: 3 }, 0],
  ["switches off what is too many", { free: 5 }, -2],
  ["discovers what orders wait for, beside its least", { demand: 1, free: 0 }, 3],
  ["discovers no more than its most beside what orders wait for", { demand: 2 }, 3],
  ["discovers more than its most when orders wait for more", { demand: 4 }, 4],
  ["keeps free hosts that are too many while orders wait", { free: 5, demand: 6, idle: 0 }, 0],
  ["discovers nothing while nobody waits, where none is kept", { min: 0, max: 0 }, 0],
  ["discovers on demand where none is kept", { min: 0, max: 0, demand: 2 }, 2],
])("%s", (_, differs, change) => {
  expect(changeOf({ ...pool, ...differs })).toBe(change);
});
