import { newInfraId } from "../../id.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import { begun } from "../../kernel/request/begun.ts";
import type { Built, Request } from "../../kernel/request/definition.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { absent } from "../../kernel/store/store.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";
import { instanceOfferable } from "../baremetal-instance-catalog-item/offerable.ts";
import type { BaremetalInstanceTemplate } from "../baremetal-instance-template/model.ts";
import type {
  InstanceInput,
  InstanceSpecInput,
} from "../baremetal-instance-template/order-input.ts";
import { byOffer } from "../cluster-catalog-item/offer/order.ts";
import { parameterValues } from "../cluster-template/parameter-values.ts";
import { searchIn } from "../subnet/attaching.ts";
import { attachmentsOf } from "./attachments.ts";
import { instanceAmounts, instanceFieldOf } from "./charge.ts";
import { orderAutomaticIp, poolsAt } from "./external-ip.ts";
import { type HostTypeSearch, hostTypeFor, searchHostTypes } from "./host-type.ts";
import type { InstanceSpec } from "./model.ts";
import { beyondHosts, whereOf } from "./registered-hosts.ts";
import { newInstanceStatus } from "./status.ts";
import { userDataFault } from "./user-data.ts";

/** Orders for servers. */

type Asked = Request<"baremetal_instance", InstanceInput>;

/** The objects that an order names: its offer, the offer's template, and the instance type. */
interface Ordered {
  item: { id: string; name: string };
  template: BaremetalInstanceTemplate;
  type: BareMetalInstanceType;
  spec: InstanceSpecInput;
}

/** A new instance. Throws QuotaExceeded, and FailedPrecondition for networks that cannot be used now. */
export async function built(request: Asked): Promise<Built<"baremetal_instance">> {
  const { deps, tenant, input, violations } = request;
  const search = searchHostTypes(deps, tenant);
  const uncounted = await builtUncounted(request, search);
  const { charge } = uncounted.record ?? {};
  if (!charge) return uncounted;
  violations.push(...(await beyondHosts(deps, tenant, [uncounted], search.fleet)));
  if (violations.length > 0) return uncounted;
  const { project } = input.metadata;
  const metadata = { tenant, ...(project ? { project } : {}) };
  const claims = await claimQuota(deps, undefined, { metadata, charge }, instanceFieldOf);
  return { ...uncounted, writes: [...(uncounted.writes ?? []), ...claims] };
}

/** A new instance, not yet counted in quotas. Throws FailedPrecondition. */
export async function builtUncounted(
  request: Asked,
  search: HostTypeSearch,
): Promise<Built<"baremetal_instance">> {
  const { deps, id, tenant, input, violations, references } = request;
  const { project } = input.metadata;
  // Other objects that the order may need are read in parallel with its offer.
  const networks = searchIn(deps, { tenant, project });
  const named = (input.spec.network_attachments ?? []).map((each) => begun(networks(each)));
  const site = begun(Promise.all(named).then(([first]) => first?.subnet?.site?.id));
  const pools = input.spec.auto_external_ip_attachment && begun(poolsAt(deps, tenant, site));
  const ordered = await orderedBy(request);
  const asked = ordered?.spec ?? input.spec;
  await refuseValues(asked, ordered?.template, violations);
  const { network_attachments, stands } = await attachmentsOf(
    networks,
    asked.network_attachments ?? [],
    ordered?.type,
    violations,
  );
  const none = { id: "", name: "" };
  const image = asked.image ?? ordered?.template.spec.image;
  const spec: InstanceSpec = {
    catalog_item: ordered?.item ?? none,
    template_parameters: ordered
      ? parameterValues(
          references,
          { id: ordered.template.id, parameters: ordered.template.spec.parameters },
          asked.template_parameters ?? {},
        )
      : {},
    image: image ?? { source_type: "url", source_ref: "" },
    ...(asked.ssh_public_key ? { ssh_public_key: asked.ssh_public_key } : {}),
    run_strategy: asked.run_strategy ?? "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
    ...(asked.restart_trigger === undefined ? {} : { restart_trigger: asked.restart_trigger }),
    network_attachments,
    ...(asked.auto_external_ip_attachment ? { auto_external_ip_attachment: true } : {}),
    ...(asked.placement ? { placement: asked.placement } : {}),
  };
  const status = newInstanceStatus;
  if (!ordered || violations.length > 0) return { spec, status };
  const { template, type } = ordered;
  const [stand] = stands;
  const found = await hostTypeFor(deps, type, {
    where: whereOf(tenant, spec, stand?.site),
    ...{ inOverlay: stand?.site === undefined, ...search },
  });
  if ("lack" in found) {
    const message = `orders servers of type '${type.metadata.name}', and the provider ${found.lack}`;
    violations.push({ field: "spec.catalog_item", message });
    return { spec, status };
  }
  const { hostType: host_type } = found;
  const automatic = spec.auto_external_ip_attachment
    ? await orderAutomaticIp(
        deps,
        { id, metadata: { ...input.metadata, tenant, creator: request.caller.user } },
        stand?.site,
        violations,
        pools || undefined,
      )
    : undefined;
  const infra_id = newInfraId(deps.random);
  const user_data = asked.user_data
    ? { reference: `${secretReference.userData(id)}/${deps.newId()}`, value: asked.user_data }
    : undefined;
  return {
    spec: { ...spec, ...(user_data && { user_data: user_data.reference }) },
    status,
    record: {
      infra_id,
      template: referenceTo(template),
      instance_type: referenceTo(type),
      host_type,
      charge: instanceAmounts(host_type, spec),
      ...automatic?.record,
      stands,
      published: false,
      // A system from a tenant's own script may never phone home.
      ...(spec.image.source_type === "ipxe" &&
        !spec.image.phone_home && { isSilent: true as const }),
      ...(stand?.site !== undefined && { site: { id: stand.site, parts: {} } }),
    },
    writes: [
      { put: { ...infraKey(infra_id), baremetal_instance: id }, if: absent },
      ...(automatic?.writes ?? []),
    ],
    ...(user_data && { secret: user_data }),
  };
}

/** The offer, template and type of a request; undefined, with a violation, if one does not exist. */
async function orderedBy({
  deps,
  tenant,
  input,
  violations,
  references,
}: Asked): Promise<Ordered | undefined> {
  const { catalog_item: named, ...rest } = input.spec;
  if (named === undefined) return references.refuseOnce("spec.catalog_item", "is required");
  const found = await byOffer(
    deps,
    {
      kind: "baremetal_instance_catalog_item",
      templates: "baremetal_instance_template",
      ...{ tenant, item: named, spec: rest, offerable: instanceOfferable },
    },
    violations,
  );
  if (!found) return undefined;
  const { item } = found;
  const field = "spec.catalog_item";
  const { id } = item.spec.template;
  const template = await references.resolve(
    field,
    "baremetal_instance_template",
    { id },
    found.template,
  );
  const type =
    template &&
    (await references.resolve(field, "bare_metal_instance_type", { id: template.spec.host_type }));
  return type && { item: referenceTo(item), template, type, spec: found.spec };
}

const keyField = "spec.ssh_public_key";

/**
 * Refuses an order without key and user data, because nobody could log in, and one without an image, because
 * nothing would boot.
 */
async function refuseValues(
  { ssh_public_key, user_data, image }: InstanceSpecInput,
  template: BaremetalInstanceTemplate | undefined,
  violations: Asked["violations"],
): Promise<void> {
  const refuse = (member: string, message: string) =>
    violations.push({ field: `spec.${member}`, message });
  // A refused key already has a violation, so it is not reported as missing.
  const hasKey = Boolean(ssh_public_key) || violations.some(({ field }) => field === keyField);
  if (!hasKey && !user_data)
    refuse("ssh_public_key", "is required without user_data: no user could log in");
  // A tenant's own script may boot any system.
  const isOwnSystem = (image ?? template?.spec.image)?.source_type === "ipxe";
  const fault = user_data && (await userDataFault(user_data, !hasKey && !isOwnSystem));
  if (fault) refuse("user_data", fault);
  if (image?.phone_home !== undefined && image.source_type !== "ipxe")
    refuse("image.phone_home", "is for `ipxe` alone: every other image is to report its start");
  if (template && !image && !template.spec.image)
    refuse("image", "is required: the template has none");
}
