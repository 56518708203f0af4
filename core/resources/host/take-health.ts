import { AppError, type Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { refuseViolations } from "../../kernel/input/parse.ts";
import { alertedKey } from "../../kernel/object/hub-keys.ts";
import { load, putChanged } from "../../kernel/object/records.ts";
import { timerAt } from "../../kernel/relay/timers.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import type { Accepted } from "../../kernel/request/checks.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import type { Write } from "../../kernel/store/store.ts";
import { ownerIn } from "../../placement/pool.ts";
import { dpuSource } from "../../placement/silent-dpu.ts";
import type { HealthReportInput } from "../machine/health-report.ts";
import { outOfPool, placesOf } from "./care.ts";
import {
  type OverrideInput,
  overridden,
  refuseOverride,
  refuseSource,
  reported,
  withLate,
  withLook,
} from "./health.ts";
import type { Host } from "./model.ts";

/** Writes what is reported of a host's health. Who may claim the host changes in the same transaction. */

type HealthDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** Takes what a source reports over the private API. Throws NotFound, and Invalid for one source too many. */
export const reportHealth = (
  deps: Deps,
  caller: Caller,
  id: string,
  source: string,
  report: HealthReportInput,
): Promise<Accepted<"host">> =>
  byCaller(deps, caller, id, (host) => {
    refuse(
      source.startsWith(dpuSource(""))
        ? { field: "source", message: "is of a DPU of the host, which reports by itself" }
        : refuseSource(host, source),
    );
    return reported(host, source, report, deps.clock.now());
  });

/** Has a source's alerts read otherwise, or as they are again. Throws NotFound, and Invalid for one source too many. */
export const overrideHealth = (
  deps: Deps,
  caller: Caller,
  id: string,
  override: OverrideInput,
): Promise<Accepted<"host">> =>
  byCaller(deps, caller, id, (host) => {
    refuse(refuseOverride(host, override));
    return overridden(host, override, caller.user, deps.clock.now());
  });

/** Writes down what Slipway itself has learned of a host; nothing for a host that is gone. */
export async function noteHealth(
  deps: HealthDeps,
  id: string,
  source: string,
  report: HealthReportInput,
): Promise<void> {
  await changeHealth(
    deps,
    () => load(deps, "host", id),
    (host) => reported(host, source, report, deps.clock.now()),
  );
}

/** Marks the sources of a host that have promised to report, and did not; and sees when to look next. */
export async function noteLateSources(deps: HealthDeps, id: string): Promise<void> {
  await changeHealth(
    deps,
    () => load(deps, "host", id),
    (host) => withLate(host, deps.clock.now()) ?? host,
  );
}

async function byCaller(
  deps: Deps,
  caller: Caller,
  id: string,
  edit: (host: Host) => Host | undefined,
): Promise<Accepted<"host">> {
  const object = await changeHealth(deps, () => mustOwn(deps, caller, "host", id), edit);
  if (!object) throw new AppError("Internal", "a host that was found is missing");
  return { object };
}

const changeHealth = (
  deps: HealthDeps,
  read: () => Promise<Host | undefined>,
  edit: (host: Host) => Host | undefined,
): Promise<Host | undefined> =>
  optimistically<Host | undefined>(deps.store, async () => {
    const host = await read();
    const now = deps.clock.now();
    const edited = host && edit(host);
    if (!edited) return { writes: [], result: host };
    const { host: after, at } = withLook(edited, now);
    if (after === host) return { writes: [], result: host };
    const object = rewritten(deps.kinds, host, after, now);
    const look = at === undefined ? [] : [timerAt(at, host)];
    return { writes: [...(await healthWrites(deps, host, object)), ...look], result: object };
  });

/** The writes of a host with another health: with an alert that prevents it, nobody can claim the host any more. */
export async function healthWrites(deps: HealthDeps, before: Host, after: Host): Promise<Write[]> {
  return [...(await hostWrites(deps, before, after)), ...alertedWrites(before, after)];
}

async function hostWrites(deps: HealthDeps, before: Host, after: Host): Promise<Write[]> {
  const told = [putChanged(deps.kinds, after)];
  // A host that gets well comes into the pool by the relay, as one does that its hub reports.
  if (isPrevented(before) || !isPrevented(after)) return told;
  const places = await placesOf(deps, after);
  return ownerIn(places.entry) ? told : outOfPool(deps, after, places);
}

/** The entry of a host among those with an alert, by which lists find them. */
function alertedWrites(before: Host, after: Host): Write[] {
  const { id } = after;
  if (isAlerted(before) === isAlerted(after)) return [];
  return [isAlerted(after) ? { put: { ...alertedKey(id), id } } : { delete: alertedKey(id) }];
}

const isAlerted = ({ status }: Host): boolean => status.health?.state === "HEALTH_STATE_ALERT";

const isPrevented = ({ status }: Host): boolean => status.health?.prevents_allocation === true;

function refuse(violation: Violation | undefined): void {
  if (violation) refuseViolations([violation]);
}
