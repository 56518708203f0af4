import { describe } from "vitest";
import { neutronApi } from "../../../../../core/ports/fabric/neutron/neutron.ts";
import { neutronNetworks } from "../../../../../core/ports/network/neutron/networks.ts";
import { cloud, TestFabric } from "../../../../support/fabric.ts";
import { type NetworksFixture, networksContract } from "../contract.ts";

async function neutronFixture(): Promise<NetworksFixture> {
  const test = new TestFabric();
  const api = neutronApi({
    authUrl: cloud,
    credential: async () => test.sim.keystone.credential,
    wall: test.clock,
    fetch: test.fetch,
  });
  return {
    networks: neutronNetworks(api, test.sim.externalNetwork),
    run: (call) => test.run(call),
    pass: (milliseconds) => test.clock.advance(milliseconds),
    prepare: async (subnet) => {
      await test.run(test.fabric.ensureLayer2({ ...subnet, uses: [] }, 100));
    },
    owned: () => test.ledger().flatMap(({ owner }) => (owner ? [owner.kind] : [])),
    close: async () => {},
  };
}

describe("tenants' networks in Neutron", () => {
  networksContract(neutronFixture);
});
