import { logged } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { isOf, type Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { Host } from "../placement/pool/host.ts";
import { silentDpus } from "../placement/pool/silent-dpu.ts";
import { noteHost, serverOn } from "../resources/baremetal-instance/host-notice.ts";
import { noteSilentDpus } from "../resources/dpu/follow-silence.ts";

/**
 * Shows silent DPUs, and the servers behind them, in their status. The relay does this when a host changes; this sweep
 * covers DPUs that were silent before records had the status. A failure of one host does not block the others.
 */
export async function noteSilences(deps: Deps, objects: readonly ObjectOf[Kind][]): Promise<void> {
  for (const host of objects.filter(isSilent)) {
    try {
      await noteSilentDpus(deps, host);
      const server = serverOn(host);
      if (server) await noteHost(deps, server.id);
    } catch (thrown) {
      deps.log.warn({ host: host.id, ...logged(thrown) }, "silent DPUs were not written down");
    }
  }
}

const isSilent = (object: ObjectOf[Kind]): object is Host =>
  isOf("host", object) && silentDpus(object).length > 0;
