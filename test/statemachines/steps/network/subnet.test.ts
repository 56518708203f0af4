import { expect, it } from "vitest";
import type { Site } from "../../../../core/at-site/site.ts";
import { numbersKey } from "../../../../core/kernel/object/number-keys.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { newOperation } from "../../../../core/kernel/saga/new-operation.ts";
import type { Removal } from "../../../../core/ports/fabric/fabric.ts";
import type { Networks } from "../../../../core/ports/network/network.ts";
import { subnetPoolName } from "../../../../core/resources/subnet/members.ts";
import type { Subnet } from "../../../../core/resources/subnet/model.ts";
import { disconnectSubnet } from "../../../../statemachines/steps/network/subnet.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { subnetRecord } from "../../../support/network-records.ts";

it("the addresses of a subnet are forgotten once its site has it no more", async () => {
  let answer: Removal = { state: "pending", message: "port p1 is still there" };
  const networks = { removeSubnet: async () => answer } as Partial<Networks> as Networks;
  const site = { id: "site-1" } as Site;
  const deps = testDeps({ sites: { systems: async () => ({ site, networks }) } });
  const parts = { subnet: { state: "done", message: "", at: "" } } as const;
  const record = subnetRecord(
    "web",
    { ipv4_cidr: "10.20.1.0/24" },
    { site: { id: "site-1", parts } },
  );
  const asked = { saga: "subnet-delete", change: "DELETE", creator: "ann" } as const;
  const operation = newOperation(deps, { ...asked, target: record });
  const pool = numbersKey(subnetPoolName("web"));
  await deps.store.transact([
    ...putNew(deps.kinds, { ...record, operation: operation.id }),
    ...putNew(deps.kinds, { ...operation, status: { state: "RUNNING" as const } }),
    { put: { ...pool, used: 0 } },
  ]);
  const disconnect = async () => {
    const context = await attemptAt(deps, operation.id, "Undo ConnectSubnet");
    await disconnectSubnet(
      await mustLoad(deps, "subnet", "web"),
      context as unknown as StepContext<Subnet>,
    );
    const part = (await mustLoad(deps, "subnet", "web")).site?.parts.subnet;
    return { part: part?.message, hasPool: (await deps.store.get(pool)) !== undefined };
  };
  expect(await disconnect()).toEqual({ part: "port p1 is still there", hasPool: true });
  answer = { state: "absent" };
  expect(await disconnect()).toEqual({ part: undefined, hasPool: false });
});
