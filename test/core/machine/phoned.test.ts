import { expect, it } from "vitest";
import { timestamp } from "../../../core/clock.ts";
import { type Starting, withReport } from "../../../core/machine/boot.ts";

const at = (seconds: number): string => timestamp(Date.UTC(2026, 0, 1) + seconds * 1000);
const home = { of: "phone_home", instance_id: "i", hostname: "web" } as const;
const before: Starting = { phoned: { at: at(0), hostname: "web" } };
const boot = { operation: "o", from: "disk", number: 1, phase: "booting", at: at(1) } as const;

it.each<[string, Starting, object, number, boolean]>([
  ["says the same at once", before, {}, 1, false],
  ["says the same ten seconds later", before, {}, 10, true],
  ["has another name", before, { hostname: "db" }, 1, true],
  ["tells a key", before, { pub_key_rsa: "ssh-rsa AAAA" }, 1, true],
  ["is started anew", { ...before, boot: { ...boot, since: at(1) } }, {}, 2, true],
  ["phones for the first time", {}, {}, 1, true],
])("a server that %s is written down or not", (_, object, more, now, isWritten) => {
  const after = withReport(object, { ...home, ...more }, at(now));
  expect(after !== undefined).toBe(isWritten);
  if (after) expect(after.phoned?.at).toBe(at(now));
});
