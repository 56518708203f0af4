import { sleep, systemClock } from "../../../core/clock.ts";
import type { OwnedNetwork } from "../../../core/ports/fabric/fabric.ts";
import type { FabricFixture } from "../../core/ports/fabric/contract.ts";
import { eventually } from "../../support/eventually.ts";
import { layer3, links, order } from "../../support/fabric.ts";
import type { Cloud, Seen } from "./cloud.ts";

/** The adapter on a real cloud, for the contract of the fabric port. */
export function fabricAt(cloud: Cloud): FabricFixture {
  const fabric = cloud.fabric();
  cloud.asked.length = 0;
  const owned = async (id = order.id) => {
    const items = (await cloud.ledger()).filter(({ owner }) => owner?.id === id);
    const kinds = Map.groupBy(items, ({ kind }) => kind);
    return Object.fromEntries(Array.from(kinds, ([kind, all]) => [kind, all.length]));
  };
  return {
    fabric,
    asked: cloud.asked,
    run: (call) => call,
    // A port that is bound anew is up, then down, then up again: so it has to be quiet for a while.
    settled: () =>
      eventually(async () => {
        for (let quiet = 0; quiet < 4; quiet++) {
          const objects = [...(await cloud.list("ports")), ...(await cloud.list("floatingips"))];
          const open = objects.filter(isOpen);
          if (open.length > 0) throw new Error(`not settled: ${JSON.stringify(open)}`);
          await sleep(systemClock, 500);
        }
      }),
    createAll: async (of: OwnedNetwork = order) => {
      await fabric.ensureLayer2(of, 120);
      await fabric.ensureLayer3(of, layer3);
      await fabric.ensureAttachments(of, links);
      await fabric.ensureFloatingIp(of, { use: "api", internal: "10.0.3.2" });
      await fabric.ensureFloatingIp(of, { use: "ingress", internal: "10.0.3.3" });
    },
    removeAll: async (of: OwnedNetwork = order) => {
      await fabric.removeFloatingIps(of);
      await fabric.removeAttachments(of);
      await fabric.removeLayer3(of);
      await fabric.removeLayer2(of);
    },
    ledger: () => cloud.ledger(),
    owned,
    ownedAfterCreate: { network: 1, subnet: 1, router: 1, port: 5, floating_ip: 2, address: 2 },
    markedAfterCreate: 10,
    addressBehind: async (address) => {
      const found = await cloud.list("floatingips");
      const one = found.find(({ floating_ip_address: ip }) => ip === address);
      return typeof one?.fixed_ip_address === "string" ? one.fixed_ip_address : undefined;
    },
    // What stands in for the switches keeps nothing: the port says whether it was plugged.
    vlanOf: async (name, port) => {
      const plugged = (await cloud.list("ports")).find(
        (one) => one.status === "ACTIVE" && isAt(one, name, port),
      );
      const network = (await cloud.list("networks")).find(({ id }) => id === plugged?.network_id);
      const vlan = network?.["provider:segmentation_id"];
      return typeof vlan === "number" ? vlan : undefined;
    },
    nameOf: ({ name }) => `slipway-${name}`,
    atFirst: {
      layer3: { state: "pending", message: "the gateway is DOWN" },
      floatingIp: "pending",
    },
  };
}

/** A port that will be up and is not, or an address that leads somewhere and is not up. */
const isOpen = (object: Seen): boolean =>
  object.status === "DOWN" &&
  (object["binding:vif_type"] === "other" ||
    typeof object.port_id === "string" ||
    object.device_owner === "network:router_interface");

const isAt = (port: Seen, name: string, at: string): boolean =>
  JSON.stringify(port["binding:profile"]).includes(
    JSON.stringify({ switch_info: name, port_id: at }).slice(1, -1),
  );
