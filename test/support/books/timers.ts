import { minutes, timestamp } from "../../../core/clock.ts";
import type { Check } from "./check.ts";

/** Timers: each goes once its time has come, and each look at the health of a host has one. */
export const timers: Check = {
  of: ["timer"],
  wrong({ table, now }) {
    const all = table.items("timer");
    const over = all.filter(({ sk }) => sk < timestamp(now - minutes(2)));
    const lost = table.objects("host").filter(({ id, health }) => {
      const at = health?.looked_at ?? "";
      return at > timestamp(now) && !all.some((each) => each.id === id && each.sk.startsWith(at));
    });
    return [
      ...over.map(({ sk }) => `the timer ${sk} is left`),
      ...lost.map(({ id }) => `nobody will look at the health of host ${id}`),
    ];
  },
};
