import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { type Written, written } from "../../kernel/events/rewrite.ts";
import { refuseViolations } from "../../kernel/input/parse.ts";
import { alertedKey } from "../../kernel/object/hub-keys.ts";
import { load } from "../../kernel/object/records.ts";
import { timerAt } from "../../kernel/relay/timers.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { HealthReportInput } from "../../machine/health-report.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { dpuSource } from "../../placement/pool/silent-dpu.ts";
import { outOfPool, placesOf } from "./care.ts";
import { type OverrideInput, overridden, reported, withLate, withLook } from "./health.ts";
import { refuseOverride, refuseSource } from "./health-sources.ts";
import type { Host } from "./model.ts";

/**
 * Writes reports about a host's health. If a report decides whether the host can be claimed, the same
 * transaction changes its pool entry.
 */

type HealthDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** Accepts a source's report over the private API. Throws Invalid for more sources than the limit. */
export function reportWrites(
  deps: HealthDeps,
  host: Host,
  source: string,
  report: HealthReportInput,
): Promise<Acceptance<"host">> {
  refuse(
    source.startsWith(dpuSource(""))
      ? { field: "source", message: "is of a DPU of the host, which reports by itself" }
      : refuseSource(host, source),
  );
  return acceptance(deps, host, reported(host, source, report, deps.clock.now()));
}

/** Overrides a source's alerts, or removes the override. Throws Invalid for more sources than the limit. */
export function overrideWrites(
  deps: HealthDeps,
  host: Host,
  override: OverrideInput,
  by: string,
): Promise<Acceptance<"host">> {
  refuse(refuseOverride(host, override));
  return acceptance(deps, host, overridden(host, override, by, deps.clock.now()));
}

async function acceptance(
  deps: HealthDeps,
  host: Host,
  edited: Host | undefined,
): Promise<Acceptance<"host">> {
  const { writes, object } = await changeWrites(deps, host, edited);
  return { writes, result: { object } };
}

/** Records Slipway's own findings about a host; does nothing if the host is deleted. */
export async function noteHealth(
  deps: HealthDeps,
  id: string,
  source: string,
  report: HealthReportInput,
): Promise<void> {
  await changeHealth(deps, id, (host) => reported(host, source, report, deps.clock.now()));
}

/** Marks the sources of a host whose promised reports are overdue, and schedules the next check. */
export async function noteLateSources(deps: HealthDeps, id: string): Promise<void> {
  await changeHealth(deps, id, (host) => withLate(host, deps.clock.now()) ?? host);
}

const changeHealth = (
  deps: HealthDeps,
  id: string,
  edit: (host: Host) => Host | undefined,
): Promise<void> =>
  optimistically(deps.store, async () => {
    const host = await load(deps, "host", id);
    if (!host) return { writes: [], result: undefined };
    const { writes } = await changeWrites(deps, host, edit(host));
    return { writes, result: undefined };
  });

/** The writes of a host after a change of its health; `edited` is undefined if there is none. */
async function changeWrites(
  deps: HealthDeps,
  host: Host,
  edited: Host | undefined,
): Promise<Written<Host>> {
  const now = deps.clock.now();
  const { host: after, at } = edited ? withLook(edited, now) : { host, at: undefined };
  if (after === host) return { writes: [], object: host };
  const { object, writes } = await healthWrites(deps, host, after);
  const look = at === undefined ? [] : [timerAt(at, host)];
  return { writes: [...writes, ...look], object };
}

/**
 * The writes of a host with a changed health. With an alert that prevents allocation, nobody can claim the host any
 * more.
 */
export async function healthWrites(
  deps: HealthDeps,
  before: Host,
  after: Host,
): Promise<Written<Host>> {
  const { object, writes } = written(deps, before, after);
  const more = [...(await preventedWrites(deps, before, object)), ...alertedWrites(before, object)];
  return { object, writes: [...writes, ...more] };
}

async function preventedWrites(deps: HealthDeps, before: Host, after: Host): Promise<Write[]> {
  // A recovered host returns to the pool through the relay, as after a report of its hub.
  if (isPrevented(before) || !isPrevented(after)) return [];
  const places = await placesOf(deps, after);
  return ownerIn(places.entry) ? [] : outOfPool(after, places);
}

/** The writes to the index of hosts with alerts, by which lists find them. */
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
