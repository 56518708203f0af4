import type { Violation } from "../../error.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { refuseViolations } from "../../kernel/input/parse.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type Again, ordersBy } from "../../kernel/saga/orders.ts";
import { manyAtOnce } from "../../ports/ipam/own/numbers.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import {
  type InstanceInput,
  instanceInputSchema,
} from "../baremetal-instance-template/order-input.ts";
import { actions } from "./actions.ts";
import { refuseAttachedServer } from "./attached.ts";
import { changed } from "./change.ts";
import { instanceAmounts, instanceFieldOf } from "./charge.ts";
import { orderAutomaticIp } from "./external-ip.ts";
import { hostTypeFor, searchHostTypes } from "./host-type.ts";
import type { BaremetalInstance } from "./model.ts";
import { built } from "./order.ts";
import { whereOf } from "./registered-hosts.ts";
import { isToRestart } from "./repair.ts";
import { instanceSagas } from "./sagas.ts";
import { userDataFault } from "./user-data.ts";
import { baremetalInstanceSchema } from "./wire.ts";

export const rules: Definition<"baremetal_instance", InstanceInput, SecretDeps> = {
  kind: "baremetal_instance",
  schema: instanceInputSchema,
  tenant: "caller",
  orders: ordersBy({
    kind: "baremetal_instance",
    create: instanceSagas.create,
    delete: instanceSagas.delete,
    update: changeOf,
    again,
  }),
  patience: manyAtOnce,
  remove: refuseAttachedServer,
  build: (request) => (request.before ? changed(request, request.before) : built(request)),
  secrets: ({ spec: { user_data } }) => (user_data === undefined ? [] : [user_data]),
};

/** The saga of a change; undefined if the change is only a write. */
function changeOf(before: BaremetalInstance, after: BaremetalInstance): string | undefined {
  if (after.formerly && !before.formerly) return instanceSagas.networking;
  const isSame =
    before.spec.run_strategy === after.spec.run_strategy &&
    before.spec.restart_trigger === after.spec.restart_trigger;
  if (!after.published || isSame) return undefined;
  return isToRestart(after) ? instanceSagas.repair : instanceSagas.restart;
}

/**
 * Retries a failed create: orders the same again at the same site. If the instance no longer holds a host, the
 * host type is chosen anew, by what is free now.
 */
async function again(
  deps: Deps,
  instance: BaremetalInstance,
): Promise<Again<"baremetal_instance"> | undefined> {
  const { failure, published, placement, spec, metadata, instance_type } = instance;
  if (published || !failure) return undefined;
  const type = await mustLoad(deps, "bare_metal_instance_type", instance_type.id);
  const found = placement
    ? { lack: "" }
    : await hostTypeFor(deps, type, {
        where: whereOf(metadata.tenant, spec, instance.site?.id),
        inOverlay: instance.site === undefined,
        ...searchHostTypes(deps, metadata.tenant),
      });
  const host_type = "hostType" in found ? found.hostType : instance.host_type;
  // The others of its batch are placed or have failed, so it retries alone.
  const { batch: _, ...alone } = instance;
  const automatic = spec.auto_external_ip_attachment && !instance.automatic_ip;
  const outside = automatic ? await ipAgain(deps, instance) : undefined;
  const object = {
    ...{ ...alone, ...outside?.record, host_type },
    charge: instanceAmounts(host_type, spec),
  };
  return {
    saga: instanceSagas.create,
    change: "CREATE",
    object,
    writes: [
      ...(await claimQuota(deps, instance, object, instanceFieldOf)),
      ...(outside?.writes ?? []),
    ],
  };
}

/** A new external IP for a server whose failed create has released the former one. */
async function ipAgain(deps: Deps, instance: BaremetalInstance) {
  const violations: Violation[] = [];
  const outside = await orderAutomaticIp(deps, instance, instance.stands[0]?.site, violations);
  refuseViolations(violations);
  return outside;
}

/** The faults in the user data. Rules of changes do not check it, because it cannot be changed. */
async function userDataFaults(
  { secrets }: SecretDeps,
  { spec: { user_data, ssh_public_key, image } }: BaremetalInstance,
): Promise<Violation[]> {
  const text = user_data === undefined ? undefined : await secrets.get(user_data);
  const isAlone = !ssh_public_key && image?.source_type !== "ipxe";
  const message = text === undefined ? undefined : await userDataFault(text, isAlone);
  return message === undefined ? [] : [{ field: "spec.user_data", message }];
}

export const api = {
  schema: baremetalInstanceSchema,
  rules,
  actions,
  faults: userDataFaults,
  uses: [{ path: "status.subnets", kind: "subnet" }],
} satisfies ApiOf<"baremetal_instance">;
