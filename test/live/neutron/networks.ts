import { sleep, systemClock } from "../../../core/clock.ts";
import { neutronNetworks } from "../../../core/ports/network/neutron/networks.ts";
import type { NetworksFixture } from "../../core/ports/network/contract.ts";
import type { Cloud } from "./cloud.ts";

/** The adapter on a real cloud, for the contract of the port of networks. */
export function networksAt(cloud: Cloud): NetworksFixture {
  return {
    networks: neutronNetworks(cloud.api(), cloud.externalNetwork),
    run: (call) => call,
    pass: (milliseconds) => sleep(systemClock, milliseconds / 10),
    prepare: async (subnet) => {
      await cloud.fabric().ensureLayer2({ ...subnet, uses: [] }, 100);
    },
    owned: async () => (await cloud.ledger()).flatMap(({ owner }) => (owner ? [owner.kind] : [])),
    close: async () => {},
  };
}
