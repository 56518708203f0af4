import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { load, putNew } from "../../kernel/object/records.ts";
import { timerAt } from "../../kernel/relay/timers.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { Host } from "../host/model.ts";
import { type Consent, type ConsentInput, consentHolds, isOver, windowOf } from "./consent.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceSagas } from "./sagas.ts";

/**
 * A repair of the host under a server, which the provider requests. The server is off meanwhile, so the repair begins
 * only with the consent of the server's tenant.
 */
export interface Repair {
  /** When the provider requested it. */
  since: string;
  dpus?: true;
  firmware?: true;
  consent?: Consent;
  /** An attempt has failed since the last request or consent, so no other starts by itself. */
  hasFailed?: true;
}

type RepairDeps = Pick<Deps, "store" | "kinds" | "clock" | "newId">;

/**
 * The repair to request of the tenant, computed from the host's record. A consent covers only the
 * repair as requested then, so it ends when the request grows.
 */
export function repairOf(before: Repair | undefined, host: Host | undefined): Repair | undefined {
  const { reinstall, firmware_update } = host ?? {};
  const since = [reinstall, firmware_update]
    .flatMap((wish) => wish?.since ?? [])
    .toSorted()
    .at(-1);
  if (since === undefined) return undefined;
  if (before?.since === since) return before;
  const isMore = (reinstall && !before?.dpus) || (firmware_update && !before?.firmware);
  return {
    since,
    ...(reinstall && { dpus: true }),
    ...(firmware_update && { firmware: true }),
    ...(!isMore && before?.consent && { consent: before.consent }),
  };
}

/** The instance with this repair request; undefined for none. */
export function withRepair(
  { repair: _, ...instance }: BaremetalInstance,
  repair: Repair | undefined,
): BaremetalInstance {
  return { ...instance, ...(repair && { repair }) };
}

/** Whether to begin a repair now. `now` in milliseconds. */
function isToBegin({ metadata, published, operation, repair }: BaremetalInstance, now: number) {
  const isAtRest = published && !metadata.deletion_timestamp && operation === undefined;
  return isAtRest && !repair?.hasFailed && consentHolds(repair?.consent, now);
}

/** Whether the next restart of a server is a repair: its tenant consented, or an earlier repair failed. */
export const isToRestart = ({ repair }: BaremetalInstance): boolean =>
  repair?.hasFailed === true || repair?.consent?.given === "on_restart";

/** The writes of a changed instance, with the start of its repair if it is due. */
function repairWrites(
  deps: RepairDeps,
  before: BaremetalInstance,
  after: BaremetalInstance,
): { writes: Write[]; result: { object: BaremetalInstance; operation?: OperationId } } {
  if (!isToBegin(after, deps.clock.now())) {
    const { object, writes } = written(deps, before, after);
    return { writes, result: { object } };
  }
  const creator = after.repair?.consent?.by ?? "";
  const asked = { saga: instanceSagas.repair, change: "UPDATE", creator, target: after } as const;
  const operation = newOperation(deps, asked);
  const { failure: _, ...rest } = after;
  const begun = { ...rest, operation: operation.id, restarting: true as const };
  const { object, writes } = written<BaremetalInstance>(deps, before, begun);
  return {
    writes: [...writes, ...putNew(deps.kinds, operation)],
    result: { object, operation: operation.id },
  };
}

/**
 * Accepts a tenant's answer to the repair that the provider requests. Throws FailedPrecondition without such a
 * request.
 */
export async function consentWrites(
  deps: Deps,
  caller: Caller,
  before: BaremetalInstance,
  input: ConsentInput,
): Promise<Acceptance<"baremetal_instance">> {
  const repair = repairOf(before.repair, await hostOf(deps, before));
  if (!repair || before.metadata.deletion_timestamp)
    throw new AppError(
      "FailedPrecondition",
      `nothing is asked for '${before.metadata.name}' that needs consent`,
    );
  const { consent: _, hasFailed: __, ...wanted } = repair;
  const now = deps.clock.now();
  const window = windowOf(input, now);
  const { consent: given } = input;
  const said = { by: caller.user, at: timestamp(now), ...window };
  const asked = given === "none" ? wanted : { ...wanted, consent: { given, ...said } };
  const after = withRepair(before, asked);
  const { writes, result } = repairWrites(deps, before, after);
  const timers = Object.values(window).map((at) => timerAt(Date.parse(at), before));
  return { writes: [...writes, ...timers], result };
}

/** Begins the repair of a server when it is due, and ends a consent when its window is over. */
export async function goOnWithRepair(deps: RepairDeps, id: string): Promise<void> {
  await optimistically(deps.store, async () => {
    const before = await load(deps, "baremetal_instance", id);
    const now = deps.clock.now();
    const nothing = { writes: [], result: undefined };
    if (!before?.repair) return nothing;
    const { consent, ...unasked } = before.repair;
    if (isOver(consent, now))
      return { ...repairWrites(deps, before, withRepair(before, unasked)), result: undefined };
    if (!isToBegin(before, now)) return nothing;
    return { ...repairWrites(deps, before, before), result: undefined };
  });
}

/** Whether `goOnWithRepair` would change an instance. */
export const hasRepairToDo = (instance: BaremetalInstance, now: number): boolean =>
  isToBegin(instance, now) || isOver(instance.repair?.consent, now);

async function hostOf(deps: Deps, { placement }: BaremetalInstance): Promise<Host | undefined> {
  const [held] = Object.values(placement?.hosts ?? {}).flat();
  return held && (await load(deps, "host", held));
}
