import { describe, expect, it } from "vitest";
import { importHosts } from "../../core/reconcile/import-hosts.ts";
import { hostOf, metal } from "../support/managed-hosts.ts";
import { accepted } from "../support/matrix/cluster-worlds.ts";
import { rackIn } from "../support/netbox.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site } from "../support/site.ts";
import { atRest, expectSound, type WorkName, works } from "../support/special-servers.ts";

/** What is made of a server while its inventory says otherwise: nothing as long as somebody has it. */

const minute = 60_000;

/** The site's NetBox has server-1 as it is. */
async function withNetbox(site: Site) {
  const { netbox, netboxUrl } = site.world.site;
  const { records } = netbox;
  const rack = rackIn(netbox);
  const device = rack.device("server-1", "server");
  const oob_ip = records.add("ipam.ipaddress", {
    ...{ address: "192.168.200.1/24", status: "active", description: "", dns_name: "" },
    ...{ tags: [], custom_fields: {}, assigned_object_id: null },
  }).id;
  records.change("dcim.device", device, { oob_ip });
  const nics = [1, 2].map((of) => {
    const leaf = rack.device(`leaf-a${of}`, "switch");
    const mac_address = `52:54:00:FE:01:0${of}`;
    const nic = rack.port(device, `eno${of}`, { mac_address });
    rack.cable(rack.interfaceAt(nic), rack.interfaceAt(rack.port(leaf, "Ethernet2/1")));
    return nic;
  });
  const spec = {
    inventory: {
      ...{ provider: "netbox", url: netboxUrl, role: "server", hub: "hub-a" },
      host_types: { "PowerEdge R760": metal },
      bmc: "redfish-virtualmedia://{address}/redfish/v1/Systems/System.Embedded.1",
    },
    secrets: { inventory: netbox.tokens.v2 },
  };
  accepted(await site.admin("PATCH", "sites/site-1", { spec }));
  return { records, rack, device, nic: nics[0] ?? 0 };
}
type Netbox = Awaited<ReturnType<typeof withNetbox>>;

interface Disagreement {
  disagree(netbox: Netbox): void;
  agree?(netbox: Netbox): void;
  /** What a person is told once the work has ended. */
  drift?: string;
  /** Why the host is set aside, where it is. */
  reason?: string;
}

const setMac = ({ records, nic }: Netbox, mac_address: string) =>
  records.change("dcim.interface", nic, { mac_address });

/** Has NetBox read after so long. */
async function read(site: Site, wait: number): Promise<void> {
  await site.laptop.pass(wait);
  await site.laptop.clock.until(importHosts(site.laptop.deps, "site-1"));
}

const disagreements: Record<string, Disagreement> = {
  "another MAC address": {
    disagree: (netbox) => setMac(netbox, "52:54:00:FE:99:01"),
    agree: (netbox) => setMac(netbox, "52:54:00:FE:01:01"),
    reason: "expected NIC eno1 52:54:00:fe:99:01; the agent reports no such address",
  },
  "a device type that no host type is named for": {
    disagree({ records, device }) {
      const { id } = records.add("dcim.devicetype", { model: "Other", slug: "other" });
      records.change("dcim.device", device, { device_type: id });
    },
    drift: "it cannot be a host any more: no host type is named for the device type Other",
  },
  "no such device": {
    disagree: ({ rack, device }) => rack.remove(device),
    drift: "the inventory does not have it any more",
  },
};

const pooled = [
  "discovered before its first use",
  "cleaned after a tenant",
] as const satisfies WorkName[];

describe.each(pooled)("a NetBox that disagrees of a server that is %s", (name) => {
  it.each(Object.entries(disagreements))(
    "has %s",
    async (_, { disagree, agree, drift, reason }) => {
      const { before, start, done } = works[name];
      const { site, brought } = await siteAfter<string>(before);
      const netbox = await withNetbox(site);
      const id = await start(site, brought);
      await read(site, 5000);
      const { spec } = await hostOf(site, id);
      disagree(netbox);
      await read(site, 1000);
      // While somebody holds it or works on it, it stays as it is.
      const meanwhile = await hostOf(site, id);
      expect(meanwhile.spec).toEqual(spec);
      expect(meanwhile.status.inventory.drift).toHaveLength(name === pooled[1] && reason ? 2 : 1);
      expect((await atRest(site, id, done)).state).toBe("HOST_STATE_AVAILABLE");
      await read(site, 10 * minute);
      await site.laptop.pass(10 * minute);
      const after = await atRest(site, id, done);
      if (drift !== undefined) {
        expect(after.state).toBe("HOST_STATE_AVAILABLE");
        expect(after.inventory.drift).toEqual([drift]);
      }
      if (reason !== undefined) {
        expect(after).toMatchObject({ state: "HOST_STATE_QUARANTINED", message: reason });
        agree?.(netbox);
        await read(site, 10 * minute);
        accepted(await site.admin("POST", `hosts/${id}/retry`));
        expect((await atRest(site, id, done)).state).toBe("HOST_STATE_AVAILABLE");
      }
      await expectSound(site);
    },
  );
});

describe("a NetBox that disagrees of a server that is switched off", () => {
  it.each(Object.entries(disagreements))(
    "has %s",
    async (_, { disagree, agree, drift, reason }) => {
      const { before, start, done } = works["switched off"];
      const { site, brought } = await siteAfter<string>(before);
      const netbox = await withNetbox(site);
      await read(site, 5000);
      const id = await start(site, brought);
      const { spec } = await hostOf(site, id);
      disagree(netbox);
      await read(site, 1000);
      // While the saga works on it, it stays as it is.
      const meanwhile = await hostOf(site, id);
      expect(meanwhile.status.operation).toBeDefined();
      expect(meanwhile.spec).toEqual(spec);
      expect(meanwhile.status.inventory.drift).toHaveLength(1);
      expect((await atRest(site, id, done)).state).toBe("HOST_STATE_MAINTENANCE");
      await read(site, 10 * minute);
      const off = await hostOf(site, id);
      expect(off.status).toMatchObject({ state: "HOST_STATE_MAINTENANCE" });
      expect(off.status.inventory.drift).toEqual(drift === undefined ? undefined : [drift]);
      // Nobody has it, so it is as NetBox has it from now on: that shows when it is back.
      accepted(await site.admin("POST", `hosts/${id}/release`));
      const back = await atRest(site, id, "AVAILABLE");
      if (reason === undefined) expect(back.state).toBe("HOST_STATE_AVAILABLE");
      else {
        expect(back).toMatchObject({ state: "HOST_STATE_QUARANTINED", message: reason });
        agree?.(netbox);
        await read(site, 10 * minute);
        accepted(await site.admin("POST", `hosts/${id}/retry`));
        expect((await atRest(site, id, "AVAILABLE")).state).toBe("HOST_STATE_AVAILABLE");
      }
      await expectSound(site);
    },
  );
});
