import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { liveIn, load } from "../../kernel/object/records.ts";
import type { Item, StreamRecord } from "../../kernel/store/store.ts";
import { silentDpu } from "../../placement/pool/silent-dpu.ts";
import type { Host } from "../host/model.ts";
import type { BaremetalInstance } from "./model.ts";
import { repairOf, withRepair } from "./repair.ts";

/**
 * The part of a host's health that a tenant sees: a message that the provider wrote for tenants, and no data of
 * the host.
 */
export interface HostNotice {
  reason: "Maintenance" | "Repair";
  message: string;
}

/** The notice for the present conditions of a host; undefined if there is none. */
function noticeOf({ maintenance, status }: Host): HostNotice | undefined {
  if (maintenance) {
    const { tenant_message: message = "the provider is to maintain the server" } = maintenance;
    return { reason: "Maintenance", message };
  }
  const message = status.health?.alerts.find((alert) => alert.tenant_message)?.tenant_message;
  return message === undefined ? undefined : { reason: "Repair", message };
}

/** Since when a DPU of the host does not report, so that the state of the server's networks is unknown. */
function silenceOf(host: Host): BaremetalInstance["silence"] {
  const alert = silentDpu(host);
  return alert && { since: alert.since };
}

/** The server on a host; undefined if there is none. */
export const serverOn = ({ status: { owner } }: Host): Host["status"]["owner"] =>
  owner?.kind === "baremetal_instance" ? owner : undefined;

/** A listener of the relay: updates the servers that are or were on a host when its conditions change. */
export async function followHosts(
  deps: Deps,
  record: Pick<StreamRecord, "before" | "after">,
): Promise<void> {
  const of = (item: Item | undefined) => liveIn(deps.kinds, ["host"], item);
  const [before, after] = [of(record.before), of(record.after)];
  if (!after) return;
  const isSame =
    isDeepStrictEqual(before && noticeOf(before), noticeOf(after)) &&
    isDeepStrictEqual(before && silenceOf(before), silenceOf(after)) &&
    before?.reinstall?.since === after.reinstall?.since &&
    before?.firmware_update?.since === after.firmware_update?.since &&
    before?.status.owner?.id === after.status.owner?.id;
  if (isSame) return;
  const servers = [before, after].flatMap((host) => {
    const server = host && serverOn(host);
    return server ? [server.id] : [];
  });
  for (const id of new Set(servers)) await noteHost(deps, id);
}

/** Updates the host notice of a server. */
export async function noteHost(deps: Deps, id: string): Promise<void> {
  if (!(await load(deps, "baremetal_instance", id))) return;
  await changeObject(deps, "baremetal_instance", id, async (instance) => {
    const [held] = Object.values(instance.placement?.hosts ?? {}).flat();
    const host = held && (await load(deps, "host", held));
    const notice = host && noticeOf(host);
    const repair = repairOf(instance.repair, host);
    const silence = host && silenceOf(host);
    const { host_notice: _, silence: __, ...rest } = withRepair(instance, repair);
    return { ...rest, ...(notice && { host_notice: notice }), ...(silence && { silence }) };
  });
}
