import { releaseQuota } from "../../kernel/claim/quota.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { exists } from "../../kernel/store/store.ts";
import type { BaremetalInstance } from "./model.ts";
import { afterChange } from "./networks.ts";
import { instanceQueues } from "./queues.ts";
import { withRepair } from "./repair.ts";
import { instanceSagas } from "./sagas.ts";

/** The changes of an instance at the start and the end of its operation. */
export const operated: Operating<"baremetal_instance"> = {
  started: ({ failure: _, ...instance }, operation) => ({ ...instance, operation }),
  ended(instance, { saga, at, failure, cancelled }) {
    if (saga === instanceSagas.delete) return failure ? atRest(instance, failure) : "archive";
    if (saga === instanceSagas.restart || saga === instanceSagas.reinstall)
      return restarted(instance, at, failure);
    if (saga === instanceSagas.repair) {
      const { repair } = instance;
      const tried = failure && repair ? { ...repair, hasFailed: true as const } : repair;
      return restarted(withRepair(instance, tried), at, failure);
    }
    if (saga === instanceSagas.create) return atRest(instance, failure);
    return atRest(afterChange(instance, failure), cancelled ? undefined : failure);
  },
  /** Quotas do not count an instance that has released everything. */
  settled(before, after) {
    const isNothing = !after.published && after.failure?.given_back === true;
    const target = isNothing ? { ...after, charge: {} } : after;
    return { target, writes: releaseQuota(before, target) };
  },
  archived: (instance) => [
    ...releaseQuota(instance, undefined),
    { delete: infraKey(instance.infra_id), if: exists },
  ],
  placeOf({ placement, site }, zone) {
    if (zone === "site" && site) return { kind: "site", id: site.id };
    return placement && { kind: "hub", id: placement.hub };
  },
  queues: instanceQueues,
};

/** After a restart; if it failed, the tenant keeps the server and may retry. */
function restarted(
  { restarting: _, ...instance }: BaremetalInstance,
  at: string,
  failure: Failure | undefined,
): BaremetalInstance {
  const { restart_trigger: trigger } = instance.spec;
  const restarted = {
    at,
    ...(trigger !== undefined && { trigger }),
    ...(failure && { failure }),
  };
  return { ...atRest(instance, failure), restarted };
}

function atRest(
  { operation: _, queued: __, failure: ___, ...rest }: BaremetalInstance,
  failure: Failure | undefined,
): BaremetalInstance {
  return failure ? { ...rest, failure } : rest;
}
