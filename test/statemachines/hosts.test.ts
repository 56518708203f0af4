import { expect, it } from "vitest";
import { vendorNames } from "../../sim/bmc/profiles.ts";
import { addServer, hostOf, machineOf, untilHost, withMetal } from "../support/managed-hosts.ts";
import { openSite } from "../support/site.ts";

/** Hosts that are off: discovered, used, erased, back. */

it.each(vendorNames)(
  "erases and discovers a server of %s that is off, and offers it",
  async (vendor) => {
    const site = await openSite();
    await withMetal(site);
    const id = await addServer(site, 1, vendor);
    await untilHost(site, id, "AVAILABLE");
    const { server, agent } = (await hostOf(site, id)).status;
    expect(server.condition).toBe("SERVER_CONDITION_READY");
    expect(agent.state).toBe("known-unbound");
    expect(server.drives.length).toBeGreaterThan(0);
    expect(server.drives.every(({ state }: { state: string }) => state === "done")).toBe(true);
    expect(machineOf(site, 1).images).toEqual({});
  },
);
