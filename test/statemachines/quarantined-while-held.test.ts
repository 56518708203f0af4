import { expect, it } from "vitest";
import { hours } from "../../core/clock.ts";
import { oneServer, orderServer } from "../support/instances.ts";
import { hostOf, untilHost } from "../support/managed-hosts.ts";
import { atRest } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Wire } from "../support/site.ts";

/** A host that is quarantined while somebody holds it stays RESERVED: the night page has it all the same. */

it("is in the list with the server that stands on it, until a person has brought it back", {
  tags: "smoke",
}, async () => {
  const { site, brought } = await siteAfter(oneServer);
  const [host = ""] = brought.hosts;
  const id = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", id);
  const { name } = (await hostOf(site, host)).metadata;
  const attention = async (): Promise<Wire[]> =>
    (await site.admin("GET", "status")).body.attention.filter((each: Wire) =>
      /Quarantined/.test(each.reason),
    );
  expect(await attention()).toEqual([]);

  const target = "bmc:server-1";
  site.world.faults.add({ target, operation: "another server", fault: "hold", count: 0 });
  const stop = { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" };
  await site.api("PATCH", `baremetal_instances/${id}`, { spec: stop });
  await site.laptop.until(async () => (await attention()).length > 0, "it is in the list");
  expect((await hostOf(site, host)).status.state).toBe("HOST_STATE_RESERVED");
  await site.laptop.pass(hours(6));
  const [server, quarantined, ...others] = await attention();
  expect(others).toEqual([]);
  expect(server).toMatchObject({
    ...{ reason: "ServerOnQuarantinedHost", kind: "baremetal_instance", id, tenant: "tenant-a" },
    message: expect.stringMatching(`^its host ${name} is quarantined: .*expected the server with`),
    command: `slipway host get ${name}`,
  });
  expect(quarantined).toMatchObject({
    ...{ reason: "HostQuarantined", kind: "host", id: host, name, tenant: "shared" },
    command: `slipway host retry ${name}`,
  });
  // It is found by its state as before.
  const reserved = await site.admin("GET", 'hosts?filter=this.status.state=="HOST_STATE_RESERVED"');
  expect(reserved.body.items.map((each: Wire) => each.id)).toEqual([host]);

  site.world.faults.clear();
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await site.laptop.pass(hours(1));
  await site.admin("POST", `hosts/${host}/retry`);
  await untilHost(site, host, "AVAILABLE");
  expect(await attention()).toEqual([]);
});
