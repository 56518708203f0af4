import { expect, it } from "vitest";
import { type Repair, repairOf } from "../../../../core/resources/baremetal-instance/repair.ts";
import type { Host } from "../../../../core/resources/host/model.ts";

/** What is asked of a tenant when the provider wants more, less or the same of the host. */

const wish = (since: string) => ({ since, by: "root" });
const consent = { given: "window", by: "ann", at: "2" } as const;

const dpus = { reinstall: wish("1") };
const dpusAgain = { reinstall: wish("3") };
const firmware = { firmware_update: wish("3") };

it.each<[string, Pick<Repair, "dpus" | "firmware">, object, object | undefined]>([
  [
    "the same again: the consent lasts",
    { dpus: true },
    dpusAgain,
    { since: "3", dpus: true, consent },
  ],
  [
    "more: it is asked for anew",
    { dpus: true },
    { ...dpus, ...firmware },
    { since: "3", dpus: true, firmware: true },
  ],
  ["something else: it is asked for", { dpus: true }, firmware, { since: "3", firmware: true }],
  [
    "less: it lasts",
    { dpus: true, firmware: true },
    dpusAgain,
    { since: "3", dpus: true, consent },
  ],
  ["nothing: nothing is asked", { dpus: true }, {}, undefined],
])("%s", (_, asked, wanted, expected) => {
  // Nothing else of a host is asked for.
  const host = wanted as Host;
  expect(repairOf({ since: "1", ...asked, consent }, host)).toEqual(expected);
});
