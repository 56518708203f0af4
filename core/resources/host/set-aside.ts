import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { recount } from "../../placement/counted.ts";
import { isManaged, ownerOf, quarantineOf } from "../../placement/host.ts";
import { ownerIn } from "../../placement/pool.ts";
import { givingUp } from "../../ports/bare-metal/giving-up.ts";
import { acceptIdentityWrites } from "./accept-identity.ts";
import { outOfPool, placesOf, startWrites } from "./care.ts";
import { inService, type MaintenanceNote, maintainWrites, releaseWrites } from "./maintenance.ts";
import type { Host } from "./model.ts";
import { reprovisionWrites } from "./reprovision.ts";
import { type HostWork, isErased, serverOf, withServer } from "./server.ts";
import { updateFirmwareWrites } from "./update-firmware.ts";

/** What a person decides about a host. */

/** A decision: the host as it is from now on, and the work that starts, if any. Throws FailedPrecondition. */
type Decision = (host: Host) => { after: Host; start?: HostWork };

const discoveredAnew: Decision = (host) => ({
  after: isErased(host) ? withServer(host, { condition: "CLEAN" }) : host,
  start: "discover",
});

export const decisions = {
  retry(host) {
    const { quarantine, condition, work } = serverOf(host);
    if (!quarantineOf(host)) throw refused(host, "retried", "it is not set aside");
    if (!quarantine) return discoveredAnew(host);
    if (condition === "USED") return { after: host, start: "clean" };
    const isAgain = work === "switch_off" || work === "update_firmware";
    return { after: host, start: isAgain ? work : "discover" };
  },
  release(host) {
    const { quarantine, isRetired } = serverOf(host);
    if (!quarantine && quarantineOf(host))
      throw refused(host, "released", "it comes back when its DPU is heard");
    if (!quarantine && !isRetired) throw refused(host, "released", "it is not set aside");
    // Whoever releases it asks no more for an update that has failed.
    const { firmware_update: _, ...after } = inService(host);
    // What is set aside was left as it was: it may be on, with an image in its drive. A used one is cleaned at once.
    const isAsLeft = quarantine && !isRetired && serverOf(after).condition !== "USED";
    return { after, ...(isAsLeft && { start: "switch_off" }) };
  },
  // What is set aside was left as it was, so it may be on. One that cannot be switched off is retired once more.
  retire(host) {
    const { quarantine, isRetired } = serverOf(host);
    const after = withServer(host, {
      quarantine: undefined,
      isRetired: true,
      isUncounted: true,
    });
    if (quarantine && !isRetired) return { after, start: "switch_off" };
    const condition = isErased(host) ? "CLEAN" : serverOf(host).condition;
    return { after: isRetired ? withServer(after, { condition }) : after };
  },
  // What its agent reports is compared anew, and its tests are read anew.
  validate(host) {
    if (quarantineOf(host)) throw refused(host, "validated", "it is set aside: retry it");
    if (serverOf(host).isRetired) throw refused(host, "validated", "it is retired");
    return discoveredAnew(host);
  },
} as const satisfies Record<string, Decision>;
export type DecisionName =
  | keyof typeof decisions
  | "maintain"
  | "reprovision"
  | "update_firmware"
  | "accept_identity";

const pastOf: Record<keyof typeof decisions, string> = {
  retry: "retried",
  release: "released",
  retire: "retired",
  validate: "validated",
};

/**
 * Carries out a person's decision; `note` goes with maintenance. Any host can be taken into maintenance, and back. Throws NotFound,
 * PreconditionFailed, and for other decisions FailedPrecondition where somebody holds the host, a saga works
 * on it, somebody else manages its power, or it is not set aside.
 */
export function decide(
  deps: Deps,
  caller: Caller,
  id: string,
  name: DecisionName,
  match: Match = {},
  note: MaintenanceNote = {},
): Promise<Accepted<"host">> {
  return optimistically<Accepted<"host">>(deps.store, async () => {
    const host = await mustOwn(deps, caller, "host", id);
    refuseStale(host, match);
    const places = await placesOf(deps, host);
    if (name === "maintain") return maintainWrites(deps, caller, host, places, note);
    if (name === "reprovision") return reprovisionWrites(deps, caller, host, places);
    if (name === "accept_identity") return acceptIdentityWrites(deps, caller, host, places);
    if (name === "update_firmware") return updateFirmwareWrites(deps, caller, host, places);
    if (name === "release" && host.maintenance) return releaseWrites(deps, host, places);
    const holder = ownerOf(host) ?? ownerIn(places.entry);
    if (!isManaged(host)) throw refused(host, pastOf[name], "Slipway does not manage its power");
    if (holder) throw refused(host, pastOf[name], `it is held by ${holder.kind} '${holder.id}'`);
    if (host.operation)
      throw refused(host, pastOf[name], `operation '${host.operation}' works on it`);
    const decision: ReturnType<Decision> = decisions[name](host);
    const { after, start } = decision;
    const { hub, bmc } = host.spec;
    const leaving =
      name === "retire"
        ? await givingUp(deps.store, { host: id, hub, address: bmc.address }, deps.clock.now())
        : [];
    const counts = recount(host, after);
    if (start) {
      const { writes, result } = startWrites(deps, after, places, start, caller.user);
      return { writes: oncePerCounter([...writes, ...leaving, ...counts]), result };
    }
    const object = rewritten(deps.kinds, host, after, deps.clock.now());
    return {
      writes: oncePerCounter([...outOfPool(deps, object, places), ...leaving, ...counts]),
      result: { object },
    };
  });
}

const refused = ({ id }: Host, what: string, why: string): AppError =>
  new AppError("FailedPrecondition", `host '${id}' cannot be ${what}: ${why}`);
