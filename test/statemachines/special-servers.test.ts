import { describe, expect, it } from "vitest";
import { machineOf, noAgent, untilHost } from "../support/managed-hosts.ts";
import { accepted } from "../support/matrix/cluster-worlds.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite } from "../support/site.ts";
import {
  atRest,
  expectSound,
  faults,
  type Special,
  type WorkName,
  works,
} from "../support/special-servers.ts";

/**
 * Servers that go wrong as servers do, in each of the sagas of hosts: it ends by itself, or the host is set
 * aside with the reason, until the fault is gone and a person says `retry` or `retire`.
 */

/** How it ends: by itself, or set aside with these words. */
type End = "by itself" | RegExp;

const away = /^not done within \d+ h; last: the server's controller does not answer$/;
const refuses = /^the server's controller refuses: Unable to complete the operation /;
const fails =
  /^expected drive Drive in bay 0 \(serial number \S+\) to be erased \(cryptographic\); the controller's task is Failed \(100 %\): The drive reports that the sanitize operation failed\.$/;
const lies =
  /^expected disk nvme0n1 erased; the agent reports something that boots; 1 more differ$/;
const staysOn = /^waited \d+ min for the power to be off; the controller says that it is on$/;
const staysOff =
  /^expected the server to be on within 30 minutes; its controller accepts that and says that it is off$/;
const forgets =
  /^expected drive Drive in bay 0 \(serial number \S+\) to be erased; its controller accepted that 5 times and knows nothing of it$/;
const stuckPower =
  /^expected the server to be (on|off) within 10 minutes; it was not so in 3 starts$/;

const table: Record<Special, Record<WorkName, End | undefined>> = {
  "a controller that is unreachable": row(away, undefined, undefined),
  "a controller that is unreachable for a while": row("by itself", "by itself", "by itself"),
  "a controller that says 200 and does nothing": row(staysOff, staysOn, staysOn),
  "a controller that says 200 and does nothing, twice": row("by itself", "by itself", "by itself"),
  "a controller that says 202 and erases nothing": row(forgets, forgets, undefined),
  "a controller that says 202 and erases nothing, twice": row("by itself", "by itself", undefined),
  "power that does not come": row(stuckPower, stuckPower, "by itself"),
  "its disk booted": row(noAgent, noAgent, undefined),
  "its disk booted, once": row("by itself", "by itself", undefined),
  "the image of another hub booted": row(noAgent, noAgent, undefined),
  "the image of another hub booted, once": row("by itself", "by itself", undefined),
  "no address where it boots": row(noAgent, noAgent, undefined),
  "the MAC addresses of another host": row(noAgent, noAgent, undefined),
  "the MAC addresses of another host, once": row("by itself", "by itself", undefined),
  "disks that refuse to be wiped": row(refuses, refuses, undefined),
  "disks that fail at it": row(fails, fails, undefined),
  "disks that say that they are wiped": row(lies, lies, undefined),
};

/** Undefined where the work does not come to it, or where it is as with the work before. */
function row(discovered: End, cleaned: End | undefined, off: End | undefined) {
  return {
    "discovered before its first use": discovered,
    "cleaned after a tenant": cleaned,
    "switched off": off,
  };
}

describe.each(Object.entries(table) as [Special, (typeof table)[Special]][])(
  "%s",
  (special, ends) => {
    const cases = (Object.entries(ends) as [WorkName, End | undefined][]).flatMap(
      ([work, end]): [WorkName, End][] => (end === undefined ? [] : [[work, end]]),
    );

    it.each(cases)("of a server that is %s", async (name, end) => {
      const work = works[name];
      const { site, brought } = await siteAfter(work.before);
      site.world.faults.add(faults[special]);
      const id = await work.start(site, brought);
      const status = await atRest(site, id, work.done);
      await expectSound(site);
      if (end === "by itself") {
        expect(status.state).toBe(`HOST_STATE_${work.done}`);
        return;
      }
      expect(status.state).toBe("HOST_STATE_QUARANTINED");
      expect(status.message).toMatch(end);
      expect(status.server.quarantine.reason).toBe(status.message);

      const retired = await openSite({ from: site.saved() });
      site.world.faults.clear();
      accepted(await site.admin("POST", `hosts/${id}/retry`));
      expect((await atRest(site, id, work.done)).state).toBe(`HOST_STATE_${work.done}`);
      await expectSound(site);

      retired.world.faults.clear();
      accepted(await retired.admin("POST", `hosts/${id}/retire`));
      await untilHost(retired, id, "RETIRED");
      await retired.laptop.pass(5000);
      await expectSound(retired);
      expect(machineOf(retired, 1).power).toBe("Off");
    });
  },
);

it("a server that cannot be switched off is retired when a person says so twice", async () => {
  const { before, start, done } = works["switched off"];
  const { site, brought } = await siteAfter(before);
  site.world.faults.add(faults["a controller that says 200 and does nothing"]);
  const id = await start(site, brought);
  expect((await atRest(site, id, done)).state).toBe("HOST_STATE_QUARANTINED");
  accepted(await site.admin("POST", `hosts/${id}/retire`));
  expect((await atRest(site, id, done)).message).toMatch(staysOn);
  accepted(await site.admin("POST", `hosts/${id}/retire`));
  await untilHost(site, id, "RETIRED");
  await site.laptop.pass(60 * 60_000);
  expect((await site.admin("GET", `hosts/${id}`)).body.status.state).toBe("HOST_STATE_RETIRED");
});
