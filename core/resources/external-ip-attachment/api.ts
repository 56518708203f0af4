import * as z from "zod";
import { orderedOutside } from "../../at-site/order.ts";
import { ordersOutside } from "../../at-site/orders-outside.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { means, notFoundHere, referenceTo, resolveLocal } from "../../kernel/request/resolve.ts";
import { attachingFree, freeExternalIp, unfit } from "../external-ip/attached.ts";
import type { ExternalIp } from "../external-ip/model.ts";
import { claims, endpointTaken, puttingAt } from "./endpoint.ts";
import { type ExternalIpAttachment, endpointNames } from "./model.ts";
import { attachmentSagas } from "./sagas.ts";
import { type AttachmentTarget, namedTarget, refuseUnreadyTarget } from "./target.ts";
import { externalIpAttachmentSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    external_ip: referenceInputSchema.describe("The address to attach."),
    cluster: referenceInputSchema.optional().describe("The cluster to attach it to."),
    compute_instance: referenceInputSchema.optional().describe("Not possible yet."),
    baremetal_instance: referenceInputSchema.optional().describe("The server to attach it to."),
    target_endpoint: z
      .enum(endpointNames)
      .optional()
      .describe("The endpoint; required for a cluster, refused for a server."),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"external_ip_attachment", Input>;

/** Attachments count in no quota, because their external IPs do. */
const charge = {};

const rules: Definition<"external_ip_attachment", Input> = {
  kind: "external_ip_attachment",
  schema,
  tenant: "caller",
  orders: ordersOutside(attachmentSagas, { charge, claims }),
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
};

/** Refuses changes: an attachment keeps the spec of its order. */
async function unchanged(
  { input: { spec }, violations }: Asked,
  before: ExternalIpAttachment,
): Promise<Built<"external_ip_attachment">> {
  const refuse = (field: string) =>
    violations.push({ field: `spec.${field}`, message: `field 'spec.${field}' is immutable` });
  for (const field of ["external_ip", "cluster", "baremetal_instance"] as const) {
    const is = before.spec[field];
    if (is ? !means(spec[field], is) : spec[field] !== undefined) refuse(field);
  }
  if (spec.target_endpoint !== before.spec.target_endpoint) refuse("target_endpoint");
  if (spec.compute_instance !== undefined) refuse("compute_instance");
  return { spec: before.spec, status: before.status };
}

async function built(request: Asked): Promise<Built<"external_ip_attachment">> {
  const { deps, id, input, violations } = request;
  const { external_ip, target_endpoint } = input.spec;
  refuseOthers(request);
  const [ip, target] = await Promise.all([
    freeExternalIp(request, external_ip),
    readyTarget(request),
  ]);
  const spec = {
    external_ip: ip ? referenceTo(ip) : { id: "", name: "" },
    ...(target && { [target.kind]: referenceTo(target) }),
    ...(target_endpoint && { target_endpoint }),
  };
  const status = {
    state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING",
    external_ip_address: ip?.address ?? "",
  } as const;
  if (ip && target) refusePlace(request, ip, target);
  if (!ip || !target || violations.length > 0) return { spec, status };
  const taken = endpointTaken({ spec }, target);
  if (taken) throw taken;
  const { record, writes } = await orderedOutside(request, {
    kind: "external_ip_attachment",
    charge,
    at: target,
  });
  const at = { attachment: id, name: record.infra_id, address: ip.address };
  return {
    spec,
    status,
    record: { ...record, address: ip.address },
    writes: [
      ...writes,
      ...(await attachingFree(deps, ip, { kind: "external_ip_attachment", id })),
      ...puttingAt(deps, { spec }, target, at).writes,
    ],
  };
}

/** Refuses an external IP whose address cannot lead to the place of the target. */
function refusePlace({ violations }: Asked, ip: ExternalIp, target: AttachmentTarget): void {
  const name = namedTarget(target);
  if (target.kind === "cluster" && !target.site) {
    const message = `${name} is at no site, so no address leads there`;
    violations.push({ field: "spec.cluster", message });
    return;
  }
  const message = unfit(ip, { site: target.site, name });
  if (message !== undefined) violations.push({ field: "spec.external_ip", message });
}

/** Refuses a cluster and a server together. A cluster needs an endpoint, because it has several. */
function refuseOthers({ input: { spec }, violations, references }: Asked): void {
  if (spec.compute_instance !== undefined)
    violations.push({
      field: "spec.compute_instance",
      message: "is not possible yet: external IPs are attached to clusters and servers",
    });
  if (spec.baremetal_instance !== undefined) {
    if (spec.cluster !== undefined)
      violations.push({
        field: "spec.baremetal_instance",
        message: "cluster and baremetal_instance are mutually exclusive",
      });
    else if (spec.target_endpoint !== undefined)
      violations.push({ field: "spec.target_endpoint", message: "is for clusters alone" });
  } else if (spec.cluster !== undefined && spec.target_endpoint === undefined)
    references.refuseOnce(
      "spec.target_endpoint",
      `is required with a cluster: ${endpointNames.join(" or ")}`,
    );
}

/**
 * The target that an order names, in its own tenant and project; undefined, with a violation, if there is none. Throws
 * FailedPrecondition, as OSAC does, for a target that is not created yet or is being deleted.
 */
async function readyTarget({
  deps,
  tenant,
  input,
  violations,
  references,
}: Asked): Promise<AttachmentTarget | undefined> {
  const { cluster: named, baremetal_instance } = input.spec;
  const place = { tenant, project: input.metadata.project };
  let found: AttachmentTarget | undefined;
  if (baremetal_instance !== undefined) {
    found = await resolveLocal(deps, "baremetal_instance", place, baremetal_instance);
    if (!found)
      references.refuse(
        "spec.baremetal_instance",
        notFoundHere("BareMetalInstance", baremetal_instance),
      );
  } else if (named === undefined) references.refuseOnce("spec.cluster", "is required");
  else {
    found = await resolveLocal(deps, "cluster", place, named);
    if (!found) references.refuse("spec.cluster", notFoundHere("Cluster", named));
  }
  if (found && violations.length === 0) refuseUnreadyTarget(found);
  return found;
}

export const api = {
  schema: externalIpAttachmentSchema,
  rules,
} satisfies ApiOf<"external_ip_attachment">;
