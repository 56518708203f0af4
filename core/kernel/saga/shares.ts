import { seconds } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { totalKeys } from "../object/keys.ts";
import type { Reference } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import { sumOf } from "../store/counters.ts";
import type { Attempt } from "./attempt.ts";
import type { WorkerDeps } from "./context.ts";
import { operatingOf, type Target } from "./operated.ts";
import type { Operation } from "./operation.ts";
import { type Zone, zoneOfAction } from "./saga.ts";
import { claimWorkerSlot, releaseWorkerSlots, type Slot, type SlotHolder } from "./slots.ts";

/**
 * The number of concurrent worker runs is limited, and a run at a system that hangs holds one until its calls time out.
 * So the runs at one hub or site, and those of one tenant, each have a share of a zone's workers. A run longer than two
 * seconds claims a slot of its place and one of its tenant in the store, which all workers share; without a free slot
 * the run ends, and is tried again later. So a system that answers costs nothing. When steps begin late because all
 * workers are busy, every run first claims a slot of its tenant.
 */

/** How long a run may last without slots, in milliseconds. */
const patience = seconds(2);
/** How long a process refuses runs at a place that had no free slot. */
const rest = seconds(30);
/** A step counts as late when it begins this long after the end of the step before; a cold start takes less. */
const late = seconds(1.5);
/** How long workers count as busy after a step that began late. */
const busy = seconds(30);
/**
 * The number of parts of the workers. Each place or tenant gets at least one part; more if there are few places or
 * tenants.
 */
const parts = { place: 4, tenant: 2 } as const;

/** The limits of each zone's workers, and this process's own observations of the workers. */
export class WorkerShares {
  readonly #workers: Partial<Record<Zone, number>>;
  readonly #fullUntil = new Map<string, number>();
  #busyUntil = 0;

  constructor(workers: Partial<Record<Zone, number>>) {
    this.#workers = workers;
  }

  /** The most concurrent runs in a zone; undefined for a zone without a limit. */
  workersOf(zone: Zone): number | undefined {
    return this.#workers[zone];
  }

  isFull(holder: string, now: number): boolean {
    return (this.#fullUntil.get(holder) ?? 0) > now;
  }

  noteFull(holder: string, now: number): void {
    this.#fullUntil.set(holder, now + rest);
  }

  isBusy(now: number): boolean {
    return this.#busyUntil > now;
  }

  noteBusy(now: number): void {
    this.#busyUntil = now + busy;
  }
}

/**
 * Runs the work of an attempt within the shares of its place and of its tenant. Throws Unavailable without a free slot;
 * calls `cut` for work that exceeds two seconds and gets none.
 */
export async function withinShare(
  deps: WorkerDeps,
  attempt: Attempt,
  target: Target,
  cut: (error: AppError) => void,
  work: () => Promise<void> | undefined,
): Promise<void> {
  const { shares, wall } = deps;
  const zone = zoneOfAction(attempt.action);
  const workers = shares?.workersOf(zone);
  if (!shares || workers === undefined) return work();
  const place = operatingOf(deps, target.kind).placeOf?.(target, zone);
  const ofPlace = place && sharerOf(zone, place, parts.place);
  const ofTenant = sharerOf(zone, { kind: "tenant", id: target.metadata.tenant }, parts.tenant);
  if (ofPlace && shares.isFull(ofPlace.name, wall.now())) throw placeFull(attempt, place);
  if (beganLate(attempt)) shares.noteBusy(wall.now());

  const held: Slot[] = [];
  /** Answers false where no slot is free. */
  const claim = async (sharer: Sharer): Promise<boolean> => {
    const slot = await claimWorkerSlot(deps, attempt.id, () => holderOf(deps, sharer, workers));
    if (slot === "full") return false;
    if (slot) held.push(slot);
    return true;
  };
  const release = () => releaseWorkerSlots(deps, attempt.id, held.splice(0));
  const hasTenants = shares.isBusy(wall.now());
  if (hasTenants && !(await claim(ofTenant))) throw tenantFull();
  /** Claims the slots of a long run; answers an error if it may not continue. */
  const refusal = async (): Promise<AppError | undefined> => {
    if (ofPlace && !(await claim(ofPlace))) {
      shares.noteFull(ofPlace.name, wall.now());
      return placeFull(attempt, place);
    }
    return hasTenants || (await claim(ofTenant)) ? undefined : tenantFull();
  };
  let claiming: Promise<void> = Promise.resolve();
  const timer = wall.after(patience, () => {
    claiming = refusal().then(async (refused) => {
      if (!refused) return;
      // Released now, because the hanging call may last long after the run has ended.
      await release();
      cut(refused);
    });
  });
  try {
    await work();
  } finally {
    timer.cancel();
    await claiming;
    await release();
  }
}

/** A holder of a share of a zone's workers. */
interface Sharer {
  kind: Kind;
  /** The number of parts into which the workers are divided; fewer if there are fewer places or tenants. */
  parts: number;
  name: string;
}

const sharerOf = (zone: Zone, { kind, id }: Reference, parts: number): Sharer => ({
  kind,
  parts,
  name: `${zone}#${kind}#${id}`,
});

async function holderOf(deps: Deps, sharer: Sharer, workers: number): Promise<SlotHolder> {
  const part = Math.min(sharer.parts, Math.max(1, await sumOf(deps.store, totalKeys(sharer.kind))));
  return { name: sharer.name, slots: Math.max(1, Math.floor(workers / part)) };
}

/** Whether the first attempt at a step began late after the step before had ended. */
function beganLate({ operation, name }: Attempt): boolean {
  const entry = operation.steps[name];
  const before = lastEnd(operation);
  if (entry?.attempts !== 1 || entry.start_time === undefined || before === undefined) return false;
  return Date.parse(entry.start_time) - before > late;
}

function lastEnd({ steps }: Operation): number | undefined {
  const ends = Object.values(steps).flatMap(({ end_time }) =>
    end_time === undefined ? [] : [Date.parse(end_time)],
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

const tenantFull = (): AppError =>
  new AppError("Unavailable", "the tenant's other steps have its share of the workers");

function placeFull({ action }: Attempt, place: Reference | undefined): AppError {
  const system = action.system?.name ?? "system";
  const error = new AppError("Unavailable", `the ${system} does not answer soon`, {
    detail: "other steps that wait for it have its share of the workers",
  });
  error.from = { system, ...(place && { instance: place.id }) };
  return error;
}
