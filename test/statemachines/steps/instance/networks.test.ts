import { expect, it } from "vitest";
import { minutes } from "../../../../core/clock.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { newOperation } from "../../../../core/kernel/saga/new-operation.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import type { Subnet } from "../../../../core/resources/subnet/model.ts";
import {
  prepareNetworks,
  releaseNetworks,
} from "../../../../statemachines/steps/instance/networks.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { instanceRecord, onHost } from "../../../support/instance-record.ts";
import { subnetRecord } from "../../../support/network-records.ts";
import { addHosts, addHub } from "../../../support/placement.ts";

/** The addresses of a tenant's server in a subnet of an overlay, whose ends learn of it by and by. */

/** A subnet of an overlay, and servers, each on a host of its own. */
async function opened(subnet: Partial<Subnet["spec"]> = {}) {
  const deps = testDeps();
  await addHub(deps, "hub");
  const web = subnetRecord("web", subnet);
  await deps.store.transact(putNew(deps.kinds, web));

  const server = async (id: string) => {
    await addHosts(deps, "hub", "metal", [`host-${id}`]);
    const record = instanceRecord({ id, ...onHost(`host-${id}`) });
    const asked = { saga: "instance-provision", change: "CREATE", creator: "ann" } as const;
    const operation = newOperation(deps, { ...asked, target: record });
    const running = { ...operation, status: { state: "RUNNING" as const } };
    const writes = [{ ...record, operation: operation.id }, running] as const;
    await deps.store.transact([...putNew(deps.kinds, writes[0]), ...putNew(deps.kinds, writes[1])]);
    const now = () => mustLoad(deps, "baremetal_instance", id);
    const step = async () =>
      (await attemptAt(deps, operation.id, "PrepareNetworks")) as StepContext<BaremetalInstance>;
    const claim = async () => {
      await prepareNetworks.act?.(await now(), await step());
      return Object.values((await now()).addresses?.web ?? {});
    };
    return { now, claim, release: async () => releaseNetworks.act?.(await now(), await step()) };
  };
  return { deps, server };
}

it("an address that was released in an overlay rests for 10 minutes before another server has it", async () => {
  const { deps, server } = await opened({ ipv4_cidr: "10.20.1.0/29" });
  const first = await server("s1");
  expect(await first.claim()).toEqual(["10.20.1.4"]);
  await first.release();
  expect((await first.now()).addresses).toBeUndefined();
  expect(await (await server("s2")).claim()).toEqual(["10.20.1.5"]);
  expect(await (await server("s3")).claim()).toEqual(["10.20.1.6"]);
  const last = await server("s4");
  await deps.clock.advance(minutes(10) - 1);
  await expect(last.claim()).rejects.toThrow(
    "subnet 'web' (10.20.1.0/29) has 0 of 3 addresses free, and 1 rest after their last use; 1 are needed",
  );
  await deps.clock.advance(1);
  expect(await last.claim()).toEqual(["10.20.1.4"]);
});

it("a server keeps its addresses when they are claimed again", async () => {
  const { server } = await opened({ ipv4_cidr: "10.20.1.0/24" });
  const { claim } = await server("s1");
  expect(await claim()).toEqual(await claim());
});

it("a subnet without IPv4 has no addresses for servers", async () => {
  const { server } = await opened({ ipv6_cidr: "fd00:20::/64" });
  await expect((await server("s1")).claim()).rejects.toMatchObject({
    kind: "Rejected",
    message: "subnet 'web' has no IPv4 addresses",
  });
});
