import { afterAll, afterEach, describe, expect, it } from "vitest";
import { fabricApi } from "../../../sim/fabric/api.ts";
import { fabricContract } from "../../core/ports/fabric/contract.ts";
import { networksContract } from "../../core/ports/network/contract.ts";
import { TestFabric } from "../../support/fabric.ts";
import { compareRaw, inProcess } from "../compare.ts";
import { Cloud } from "./cloud.ts";
import { fabricAt } from "./fabric.ts";
import { realKeystone, simulatedKeystone } from "./keystone.ts";
import { networksAt } from "./networks.ts";
import { keystoneRows } from "./raw/keystone.ts";
import { neutronRows } from "./raw/neutron.ts";

/** A real Keystone and Neutron, such as test/live/neutron.sh starts. */
describe("a real Neutron", () => {
  const cloud = Cloud.ofEnvironment();
  if (!cloud) {
    it.skip("skipped: NEUTRON_AUTH_URL and NEUTRON_CLOUD are not set (test/live/neutron.sh)");
    return;
  }
  describe("answers as the simulated one", () => {
    afterAll(() => cloud.clear());
    compareRaw(neutronRows, () => {
      const { sim } = new TestFabric();
      const { token } = sim.keystone.issue(sim.keystone.credential);
      const simulated = inProcess(async (request) => fabricApi(sim)(request), {
        "x-auth-token": token,
      });
      return {
        real: [cloud.side(), { outside: cloud.externalNetwork }],
        simulated: [simulated, { outside: sim.externalNetwork }],
      };
    });
  });

  describe("has a Keystone that answers as the simulated one", () => {
    compareRaw(keystoneRows, () => ({
      real: realKeystone(cloud),
      simulated: simulatedKeystone(),
    }));
  });

  describe("is driven by the adapters", () => {
    afterEach(() => cloud.clear());

    describe("keeps the contract of fabrics", () => {
      fabricContract(() => fabricAt(cloud));
    });

    describe("keeps the contract of networks", () => {
      networksContract(async () => networksAt(cloud));
    });

    it.each([
      ["both", []],
      ["admin", [expect.stringContaining("role service")]],
      ["service", [expect.stringContaining("role admin")]],
      ["member", [expect.stringContaining("role admin"), expect.stringContaining("role service")]],
    ] as const)("has roles, of which %s lacks %j", async (who, lacking) => {
      expect(await cloud.fabric(who).lacks()).toEqual(lacking);
    });

    it("refuses a credential that it does not know, as one with a wrong secret", async () => {
      const { external_network: _, ...known } = cloud.cloud;
      for (const credential of [
        { id: "0123456789abcdef0123456789abcdef", secret: "x" },
        { ...known.credentials.both, secret: "x" },
      ])
        await expect(cloud.fabric(credential).lacks()).rejects.toMatchObject({
          kind: "Unavailable",
          message: "the fabric does not accept our credentials",
        });
    });
  });
});
