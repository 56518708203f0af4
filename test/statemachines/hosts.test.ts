import { expect, it } from "vitest";
import { vendorNames } from "../../sim/bmc/profiles.ts";
import {
  addServer,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
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

it("erases a server after its cluster, and offers it again", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServer(site, 1);
  await untilHost(site, id, "AVAILABLE");
  const before = (await hostOf(site, id)).status.server.drives[0].erased_at;
  const cluster = await site.order("c1", { template: { id: metal } });
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_RESERVED");
  await site.api("DELETE", `clusters/${cluster}`);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await untilHost(site, id, "CLEANING");
  await untilHost(site, id, "AVAILABLE");
  const after = (await hostOf(site, id)).status.server.drives[0].erased_at;
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
});
