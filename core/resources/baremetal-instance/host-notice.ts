import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { load } from "../../kernel/object/records.ts";
import type { Host } from "../host/model.ts";

/** What a tenant is told of the host of its server: the provider's words for tenants, and nothing of the host. */
export interface HostNotice {
  reason: "Maintenance" | "Repair";
  message: string;
}

/** What is to be told of a host now; undefined for one that is as it should be. */
export function noticeOf({ maintenance, status }: Host): HostNotice | undefined {
  if (maintenance) {
    const { tenant_message: message = "the provider is to maintain the server" } = maintenance;
    return { reason: "Maintenance", message };
  }
  const message = status.health?.alerts.find((alert) => alert.tenant_message)?.tenant_message;
  return message === undefined ? undefined : { reason: "Repair", message };
}

/** Has the servers that stand on a host, or stood, say what is to be told of it. Harmless when repeated. */
export async function tellOfHost(deps: Deps, before: Host | undefined, after: Host): Promise<void> {
  const owners = [before?.status.owner, after.status.owner].filter(
    (owner) => owner?.kind === "baremetal_instance",
  );
  const isSame =
    isDeepStrictEqual(before && noticeOf(before), noticeOf(after)) &&
    before?.status.owner?.id === after.status.owner?.id;
  if (isSame) return;
  for (const id of new Set(owners.map((owner) => owner?.id ?? ""))) await tell(deps, id);
}

async function tell(deps: Deps, id: string): Promise<void> {
  if (!(await load(deps, "baremetal_instance", id))) return;
  await changeObject(deps, "baremetal_instance", id, async (instance) => {
    const [held] = Object.values(instance.placement?.hosts ?? {}).flat();
    const host = held && (await load(deps, "host", held));
    const notice = host && noticeOf(host);
    if (isDeepStrictEqual(notice, instance.host_notice)) return undefined;
    const { host_notice: _, ...rest } = instance;
    return { ...rest, ...(notice && { host_notice: notice }) };
  });
}
