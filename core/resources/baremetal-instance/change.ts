import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../error.ts";
import { masked } from "../../kernel/object/wire.ts";
import type { Built, Request } from "../../kernel/request/definition.ts";
import { means } from "../../kernel/request/resolve.ts";
import type { InstanceInput } from "../baremetal-instance-template/order-input.ts";
import { unwrapped } from "../cluster-template/any.ts";
import { refuseLedTo } from "./attached.ts";
import { changedNetworks } from "./attachments.ts";
import type { BaremetalInstance, InstanceSpec } from "./model.ts";
import { changingTo } from "./networks.ts";

/** Changes of instances: their power, restarts and networks. Nothing else of an order can be changed. */

type Asked = Request<"baremetal_instance", InstanceInput>;

export async function changed(
  { deps, input, violations }: Asked,
  before: BaremetalInstance,
): Promise<Built<"baremetal_instance">> {
  const { spec: asked } = input;
  const { spec: is, status } = before;
  refuseOthers(asked, is, violations);
  const networks = await changedNetworks(deps, before, asked.network_attachments ?? [], violations);
  const { restart_trigger: _, ...rest } = is;
  const spec: InstanceSpec = {
    ...rest,
    run_strategy: asked.run_strategy ?? is.run_strategy,
    ...(asked.restart_trigger === undefined ? {} : { restart_trigger: asked.restart_trigger }),
  };
  if (!networks) return { spec, status, record: ofPower(before, spec) };
  if (!isDeepStrictEqual(spec, is))
    violations.push({
      field: "spec.network_attachments",
      message: "change networks in a separate request",
    });
  if (violations.length === 0) {
    refuseBusy(before);
    await refuseLedTo(deps, before, networks.stands);
  }
  const { spec: changed, stands, formerly, regrouping } = changingTo(before, networks);
  return {
    spec: changed,
    status,
    record: { stands, ...(formerly && { formerly }), ...(regrouping && { regrouping }) },
  };
}

/**
 * Marks a published server for a restart, stop or start. One whose create still runs needs no mark: the create follows
 * the new spec.
 */
function ofPower({ published, spec: is }: BaremetalInstance, spec: InstanceSpec) {
  const isSame =
    spec.run_strategy === is.run_strategy && spec.restart_trigger === is.restart_trigger;
  return published && !isSame ? { restarting: true as const } : {};
}

/** Throws FailedPrecondition for an instance that is not created yet, or that has a running operation. */
function refuseBusy(instance: BaremetalInstance): void {
  const why = whyNot(instance);
  if (why === undefined) return;
  throw new AppError("FailedPrecondition", `cannot change the networks of a server ${why}`);
}

function whyNot({ published, operation, status, repair }: BaremetalInstance): string | undefined {
  if (operation !== undefined) return `while operation '${operation}' runs`;
  if (!published) return `when its state is ${status.state}`;
  // After a failed repair its DPUs may carry no traffic, and would never confirm the change.
  return repair?.hasFailed
    ? "when the repair of its host has failed: a restart tries that again"
    : undefined;
}

function refuseOthers(
  asked: InstanceInput["spec"],
  is: InstanceSpec,
  violations: Asked["violations"],
): void {
  const keep = (member: string, isSame: boolean) => {
    if (!isSame)
      violations.push({
        field: `spec.${member}`,
        message: `field 'spec.${member}' is immutable`,
      });
  };
  const { template_parameters: given = {} } = asked;
  const plain = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, unwrapped(value)?.value]),
  );
  keep("catalog_item", means(asked.catalog_item, is.catalog_item));
  keep("template_parameters", isDeepStrictEqual(plain, is.template_parameters));
  keep("image", isDeepStrictEqual(asked.image, is.image));
  keep("ssh_public_key", (asked.ssh_public_key || undefined) === is.ssh_public_key);
  keep("user_data", (asked.user_data || undefined) === (is.user_data && masked));
  keep("placement", isDeepStrictEqual(asked.placement, is.placement));
  keep(
    "auto_external_ip_attachment",
    (asked.auto_external_ip_attachment ?? false) === (is.auto_external_ip_attachment ?? false),
  );
}
