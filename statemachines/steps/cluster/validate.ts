import { minutes, timestamp } from "../../../core/clock.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import {
  failed,
  type GuestClient,
  type GuestObservation,
  guestDone,
  guestPending,
} from "../../../core/ports/guest/guest.ts";
import { refreshObject } from "../../../core/reconcile/refresh.ts";
import { type Cluster, wantedNodeSets } from "../../../core/resources/cluster/model.ts";
import { awaitedOperators } from "../../../core/resources/cluster/operators.ts";
import { refreshOperators } from "../../../core/resources/cluster/refresh-operators.ts";
import {
  type Validation,
  validationOf,
} from "../../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../../core/resources/cluster-template/content/revisions.ts";
import { systems } from "../systems.ts";
import { forget, inGuest, isObserved, noteGuestObserved } from "./guest.ts";

/** The action that validates a cluster; `deadline` in milliseconds. */
export const validating = (deadline: number): StepAction<Cluster> => ({
  system: systems.hostedCluster,
  act: forget("validation"),
  look: validateCluster,
  until: isObserved("validation"),
  deadline,
  usually: minutes(3),
});

/** Checks nodes, cluster operators, version, and the template's test workload, one after the other. */
async function validateCluster({ id }: Cluster, context: StepContext<Cluster>): Promise<void> {
  const { deps } = context;
  const before = await refreshObject(deps, "cluster", id);
  if (before.observed.validation?.state === "done") return;
  const cluster = await refreshOperators(deps, id);
  const content = await loadRevision(deps.store, cluster);
  const test = validationOf(content, cluster.spec.template_parameters);
  const wanted = Object.values(wantedNodeSets(cluster));
  const nodes = wanted.reduce((sum, { size }) => sum + size, 0);
  const seen = await inGuest(
    cluster,
    context,
    async (guest) =>
      (await unhealthy(guest, cluster, nodes)) ?? (await tested(guest, cluster, test, context)),
  );
  await noteGuestObserved("validation", { seen, before }, context);
}

/** The missing conditions for a healthy cluster, in words. */
async function unhealthy(
  guest: GuestClient,
  cluster: Cluster,
  nodes: number,
): Promise<GuestObservation | undefined> {
  const ready = await guest.observeNodes(nodes);
  if (ready.state !== "done") return ready;
  const { operators, control_plane } = cluster.observed;
  if (!operators || operators.total === 0) return guestPending("cluster operators to report");
  const unavailable = awaitedOperators(operators.unavailable, cluster);
  if (unavailable.length > 0)
    return guestPending(`${unavailable.length} cluster operators (${unavailable.join("; ")})`);
  const version = await guest.observeVersion(cluster.release.version);
  if (version.state !== "done") return version;
  return control_plane?.version_completed
    ? undefined
    : guestPending("the hub to see the version rolled out");
}

/**
 * Runs the template's own test, once per operation. The success is recorded before the workload is removed;
 * otherwise the test would run again.
 */
async function tested(
  guest: GuestClient,
  { observed }: Cluster,
  validation: Validation | undefined,
  { deps, change, operation }: StepContext<Cluster>,
): Promise<GuestObservation> {
  if (!validation) return guestDone;
  const { test: known } = observed;
  const isKnown = known?.operation === operation.id;
  const test = isKnown
    ? known
    : { operation: operation.id, began: timestamp(deps.clock.now()), passed: false };
  const keep = (passed: boolean) =>
    change((cluster) => ({
      ...cluster,
      observed: { ...cluster.observed, test: { ...test, passed } },
    }));
  if (!test.passed) {
    if (known && !isKnown) {
      // The workload of an earlier test would give this test its result.
      const removed = await guest.removeTestWorkload();
      if (removed.state !== "done") return removed;
    }
    if (!isKnown) await keep(false);
    const seen = await guest.ensureTestWorkload(validation.workload);
    if (seen.state !== "done") return inTime(deps, seen, test.began, validation);
    await keep(true);
  }
  return guest.removeTestWorkload();
}

function inTime(
  { clock }: Deps,
  seen: GuestObservation,
  began: string,
  { timeoutMinutes }: Validation,
): GuestObservation {
  const isLate = clock.now() - Date.parse(began) > minutes(timeoutMinutes);
  if (seen.state !== "pending" || !isLate) return seen;
  return failed(`not done after ${timeoutMinutes} minutes: ${seen.waitingFor}`);
}
