import { expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import {
  heartbeatKey,
  reachKey,
  sweepKey,
  sweepRequestPartition,
} from "../../../core/kernel/object/hub-keys.ts";
import { objectKey } from "../../../core/kernel/object/keys.ts";
import { hubsDue } from "../../../core/reconcile/due-hubs.ts";
import { noteUnreached } from "../../../core/reconcile/reach.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sweepAskedHubs, sweepHub } from "../../../core/reconcile/sweep-hub.ts";
import { requestSweep } from "../../../core/resources/hub/sweep-requests.ts";
import { sagas } from "../../../statemachines/index.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { addHub } from "../../support/placement.ts";
import { waitingDeps } from "../../support/waiting.ts";

/** What comes late, of a hub that is deleted, leaves nothing that would be looked at for ever. */

type Deps = ReturnType<typeof waitingDeps>;

async function hubWithTrouble(deps: Deps): Promise<void> {
  await addHub(deps, "hub");
  deps.hubClients.set("hub", {
    readAll: async () => {
      throw new AppError("Unavailable", "the hub does not answer");
    },
  } as never);
}

async function deleteHub(deps: Deps): Promise<void> {
  deps.hubClients.delete("hub");
  const keys = [objectKey("hub", "hub"), heartbeatKey("hub"), reachKey("hub")];
  const sweeps = (["objects", "parts", "orphans"] as const).map((sweep) =>
    sweepKey(sweep, "hub", "hub"),
  );
  await deps.store.transact([...keys, ...sweeps].map((key) => ({ delete: key })));
}

const requests = async ({ store }: Deps) =>
  (await store.query({ pk: sweepRequestPartition })).items.length;

it("a sweep that was requested is not made, and not requested again", async () => {
  const deps = waitingDeps();
  await hubWithTrouble(deps);
  await sweepHub(deps, sagas, "hub");
  expect(await requests(deps)).toBe(1);
  await deleteHub(deps);
  await sweepAskedHubs(deps, sagas);
  expect(await requests(deps)).toBe(0);
  expect(await deps.store.get(reachKey("hub"))).toBeUndefined();
});

it("a look that did not reach it is not written down", async () => {
  const deps = waitingDeps();
  await hubWithTrouble(deps);
  await requestSweep(deps.store, "hub");
  await deleteHub(deps);
  await noteUnreached(deps, "hub", new AppError("Unavailable", "the hub does not answer"));
  expect(await deps.store.get(reachKey("hub"))).toBeUndefined();
});

it("a look that meets its deletion is not written down", async () => {
  const deps = waitingDeps();
  await hubWithTrouble(deps);
  const store = interrupted(
    deps.store,
    () => deleteHub(deps),
    (writes) => writes.some((write) => "put" in write && write.put.pk === reachKey("hub").pk),
  );
  await noteUnreached({ ...deps, store }, "hub", new AppError("Unavailable", "no answer"));
  expect(await deps.store.get(reachKey("hub"))).toBeUndefined();
});

it("a heartbeat that meets its deletion does not make it due again", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  const store = interrupted(deps.store, () => deleteHub(deps));
  await takeReport({ ...deps, store }, sagas, { hub: "hub", heartbeat: true, news: [] });
  await deps.clock.advance(3_600_000);
  expect(await deps.store.get(heartbeatKey("hub"))).toBeUndefined();
  expect(await hubsDue(deps)).toEqual([]);
});
