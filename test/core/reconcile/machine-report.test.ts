import { beforeEach, expect, it } from "vitest";
import { asHubId, asOperationId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import type { TokenUse } from "../../../core/machine/machine.ts";
import type { MachineReport } from "../../../core/machine/requests.ts";
import { takeMachineReport } from "../../../core/reconcile/machine-report.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { operated } from "../../../core/resources/host/operated.ts";
import { hostSagas } from "../../../core/resources/host/sagas.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { interrupted, putting } from "../../support/interrupted-store.ts";
import { hostRecord } from "../../support/placement.ts";

/** Reports of machines whose object changes between the check of the token and the write. */

const at = "2026-01-01T00:00:00.000Z";
const bare = hostRecord("h-00001", "hub", "small");
const host: Host = {
  ...bare,
  spec: { ...bare.spec, hub: asHubId("hub"), bmc: { address: "redfish://bmc", credentials: "x" } },
  server: {
    condition: "CLEAN",
    work: "discover",
    boot: { number: 1, phase: "booting", at, since: at },
  },
  operation: asOperationId("o1"),
};
const machine = { kind: "host", id: host.id } as const;
const alert = { id: "disk", message: "it is loud", classifications: ["prevents_allocation"] };
const report: MachineReport = { of: "health", successes: [], alerts: [alert] };
const use: TokenUse = { machine, serves: machine, operation: "o1", site: "s" };
const told = [machine, use, report] as const;

let deps: TestDeps;
beforeEach(async () => {
  deps = testDeps();
  await deps.store.transact(putNew(kinds, host));
});
/** As the end of its operation does. */
const endOperation = () =>
  changeObject(deps, "host", host.id, (before) => {
    const end = { saga: hostSagas.discover, at, cancelled: false };
    const after = operated.ended(before, end);
    return after === "archive" ? undefined : after;
  });

it("a report is in the record of the machine's object", async () => {
  await takeMachineReport(deps, ...told);
  expect((await mustLoad(deps, "host", host.id)).health?.reports.machine?.alerts).toMatchObject([
    alert,
  ]);
});

it("a report whose operation has ended since its token was checked changes nothing", async () => {
  await endOperation();
  const before = await mustLoad(deps, "host", host.id);
  await takeMachineReport(deps, ...told);
  expect(await mustLoad(deps, "host", host.id)).toEqual(before);
});

it("a report whose operation ends before it is written changes nothing", async () => {
  const store = interrupted(deps.store, endOperation, putting(`host#${host.id}`));
  await takeMachineReport({ ...deps, store }, ...told);
  const after = await mustLoad(deps, "host", host.id);
  expect(after.operation).toBeUndefined();
  expect(after.health).toBeUndefined();
});
