import { expect, it } from "vitest";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { addServer, hostOf, machineOf, untilHost, withMetal } from "../support/managed-hosts.ts";
import { openSite } from "../support/site.ts";

/** A server is one host: another host, or another name of its controller, does not get at it. */

it("forgets a placeholder that was taken for a serial number before", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServer(site, 1);
  await untilHost(site, id, "AVAILABLE");
  site.world.bmcs.machines.put({ ...machineOf(site, 1), serial: "Default", uuid: "" });
  await changeObject(site.laptop.deps, "host", id, (host) => ({
    ...host,
    identity: { known: { serial: "DEFAULT", since: "2026-01-01T00:00:00Z" } },
  }));
  expect((await site.admin("POST", `hosts/${id}/validate`)).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect((await hostOf(site, id)).status.identity).toMatchObject({ is_identified: false });
});
