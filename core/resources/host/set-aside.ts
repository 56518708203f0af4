import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import type { Write } from "../../kernel/store/store.ts";
import { recount } from "../../placement/pool/counted.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { hostOwnerOf, isManaged, quarantineOf } from "../../placement/pool/host.ts";
import { outOfPool, type Places, placesOf, startWrites } from "./care.ts";
import { inService } from "./maintenance.ts";
import type { Host } from "./model.ts";
import { type HostWork, isErased, serverOf, withServer } from "./server.ts";

/** The decisions of operators about a free host. */

/** The host after the decision, the operation to start, and additional writes. */
interface Decision {
  after: Host;
  start?: HostWork;
  besides?: Write[];
}

/** Repeats the failed work on a quarantined host. Throws FailedPrecondition for any other host. */
export function retried(host: Host): Decision {
  const { quarantine, condition, work } = serverOf(host);
  if (!quarantineOf(host)) throw refused(host, "retried", "it is not quarantined");
  if (!quarantine) return discoveredAnew(host);
  if (condition === "USED") return { after: host, start: "clean" };
  const isAgain = work === "switch_off" || work === "update_firmware";
  return { after: host, start: isAgain ? work : "discover" };
}

/** Ends quarantine and retirement. Throws FailedPrecondition for a host in neither. */
export function released(host: Host): Decision {
  const { quarantine, isRetired } = serverOf(host);
  if (!quarantine && quarantineOf(host))
    throw refused(host, "released", "it returns by itself once its DPU reports");
  if (!quarantine && !isRetired) throw refused(host, "released", "it is not quarantined");
  // Also withdraws the request for a firmware update, because the update may have failed.
  const { firmware_update: _, ...after } = inService(host);
  // A quarantined server may still be on, with an image in its virtual drive. A used host is cleaned at once
  // instead.
  const isAsLeft = quarantine && !isRetired && serverOf(after).condition !== "USED";
  return { after, ...(isAsLeft && { start: "switch_off" }) };
}

/**
 * Retires a host. A quarantined one may still be on, so it is switched off first. If that fails, a second
 * request retires it as it is.
 */
export function retired(host: Host): Decision {
  const { quarantine, isRetired } = serverOf(host);
  const after = withServer(host, { quarantine: undefined, isRetired: true, isUncounted: true });
  if (quarantine && !isRetired) return { after, start: "switch_off" };
  const condition = isErased(host) ? "CLEAN" : serverOf(host).condition;
  return { after: isRetired ? withServer(after, { condition }) : after };
}

/** Compares the last report of the host's agent and the test results again. Throws FailedPrecondition. */
export function validated(host: Host): Decision {
  if (quarantineOf(host)) throw refused(host, "validated", "it is quarantined: retry it");
  if (serverOf(host).isRetired) throw refused(host, "validated", "it is retired");
  return discoveredAnew(host);
}

const discoveredAnew = (host: Host): Decision => ({
  after: isErased(host) ? withServer(host, { condition: "CLEAN" }) : host,
  start: "discover",
});

/**
 * Reads the pool entries of a host for a decision about it. Throws FailedPrecondition if somebody holds it, a saga
 * works on it, or Slipway does not manage its power; `past` names the refused action in the message.
 */
export async function placesAtRest(deps: Deps, host: Host, past: string): Promise<Places> {
  const places = await placesOf(deps, host);
  const holder = hostOwnerOf(host) ?? ownerIn(places.entry);
  if (!isManaged(host)) throw refused(host, past, "Slipway does not manage its power");
  if (holder) throw refused(host, past, `it is held by ${holder.kind} '${holder.id}'`);
  if (host.operation) throw refused(host, past, `operation '${host.operation}' works on it`);
  return places;
}

/** The writes of a decision about a host without an operation. */
export function decided(
  deps: Deps,
  caller: Caller,
  host: Host,
  places: Places,
  { after, start, besides = [] }: Decision,
): Acceptance<"host"> {
  const more = [...besides, ...recount(host, after)];
  if (start) {
    const { writes, result } = startWrites(deps, host, places, {
      work: start,
      by: caller.user,
      decided: after,
    });
    return { writes: oncePerCounter([...writes, ...more]), result };
  }
  const { object, writes } = written(deps, host, after);
  return {
    writes: oncePerCounter([...writes, ...outOfPool(object, places), ...more]),
    result: { object },
  };
}

const refused = ({ id }: Host, past: string, why: string): AppError =>
  new AppError("FailedPrecondition", `host '${id}' cannot be ${past}: ${why}`);
