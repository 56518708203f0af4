import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Write } from "../../kernel/store/store.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { isManaged, quarantineOf } from "../../placement/pool/host.ts";
import { isAddressOf } from "../../ports/bare-metal/address.ts";
import type { HostType } from "../host-type/model.ts";
import { outOfPool, type Places, startWrites, stillHeld } from "./care.ts";
import { otherThan, versionsOf } from "./firmware.ts";
import type { Host } from "./model.ts";
import { serverOf } from "./server.ts";

interface Asked {
  writes: Write[];
  result: { object: Host; operation?: OperationId };
}

/**
 * Requests that the firmware of a host is brought to the versions of its type. A free host leaves the pool and
 * is updated; a held one, after its release or when its tenant consents. A host that already reports these
 * versions is not changed. Throws FailedPrecondition for a type without firmware versions, for a host whose
 * controller Slipway does not log into, for a quarantined or retired one, and while a saga works on it.
 */
export async function updateFirmwareWrites(
  deps: Deps,
  { user: by }: Caller,
  host: Host,
  places: Places,
): Promise<Asked> {
  const { id, spec } = host;
  const type = await mustLoad(deps, "host_type", spec.host_type);
  const why = whyNot(host, type);
  if (why)
    throw new AppError(
      "FailedPrecondition",
      `the firmware of host '${id}' cannot be updated: ${why}`,
    );
  if (host.firmware && otherThan(versionsOf(host), type.spec.firmware).length === 0)
    return { writes: [], result: { object: host } };
  const asked: Host = { ...host, firmware_update: { since: timestamp(deps.clock.now()), by } };
  const holder = ownerIn(places.entry);
  // A used host is cleaned first, because its drives have a tenant's data.
  if (!holder && serverOf(host).condition !== "USED")
    return startWrites(deps, host, places, { work: "update_firmware", by, decided: asked });
  const { object, writes } = written(deps, host, asked);
  const more = holder ? [stillHeld(host, holder.id)] : outOfPool(object, places);
  return { writes: [...writes, ...more], result: { object } };
}

/** Why the firmware of a host cannot be updated now, in words; undefined if it can. */
function whyNot(host: Host, { id, spec: { firmware } }: HostType): string | undefined {
  const { operation, spec } = host;
  const { isRetired } = serverOf(host);
  if (!firmware) return `its type '${id}' has no spec.firmware`;
  if (!isManaged(host)) return "Slipway does not manage its power";
  const { address, credentials } = spec.bmc;
  const service = isAddressOf("ironic", address)
    ? "Ironic"
    : isAddressOf("metal3", address) && "Metal3";
  if (service && credentials === undefined)
    return `${service} has its controller, and Slipway has ${service} update none`;
  if (quarantineOf(host)) return "it is quarantined: retry or release it";
  if (isRetired) return "it is retired";
  return operation && `operation '${operation}' works on it`;
}
