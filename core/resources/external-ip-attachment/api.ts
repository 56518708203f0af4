import * as z from "zod";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { keysAskedHere } from "../../kernel/request/ahead.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { means, notFoundHere, referenceTo, resolveLocal } from "../../kernel/request/resolve.ts";
import type { Cluster } from "../cluster/model.ts";
import { attaching, freeExternalIp } from "../external-ip/attached.ts";
import { orderedOutside } from "../site/order.ts";
import { ordersOutside } from "../site/orders-outside.ts";
import { claims, endpointTaken, puttingAt, refuseUnready } from "./endpoint.ts";
import { type ExternalIpAttachment, endpointNames, endpoints } from "./model.ts";
import { attachmentSagas } from "./sagas.ts";
import { externalIpAttachmentSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    external_ip: referenceInputSchema.describe("The address to attach."),
    cluster: referenceInputSchema.optional().describe("The cluster to attach it to."),
    compute_instance: referenceInputSchema.optional().describe("Not possible yet."),
    baremetal_instance: referenceInputSchema.optional().describe("Not possible yet."),
    target_endpoint: z
      .enum(endpointNames)
      .optional()
      .describe("The endpoint of the cluster; required."),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"external_ip_attachment", Input>;

/** Attachments count in no quota: the external IPs do. */
const charge = {};

const rules: Definition<"external_ip_attachment", Input> = {
  kind: "external_ip_attachment",
  schema,
  tenant: "caller",
  orders: ordersOutside(attachmentSagas, { charge, claims }),
  ahead: (place, spec) =>
    (["external_ip", "cluster"] as const).flatMap((kind) => keysAskedHere(kind, place, spec[kind])),
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
};

/** An attachment keeps what it was ordered with. */
async function unchanged(
  { input: { spec }, violations }: Asked,
  before: ExternalIpAttachment,
): Promise<Built<"external_ip_attachment">> {
  const refuse = (field: string) =>
    violations.push({ field: `spec.${field}`, message: `field 'spec.${field}' is immutable` });
  for (const field of ["external_ip", "cluster"] as const)
    if (!means(spec[field], before.spec[field])) refuse(field);
  if (spec.target_endpoint !== before.spec.target_endpoint) refuse("target_endpoint");
  for (const field of ["compute_instance", "baremetal_instance"] as const)
    if (spec[field] !== undefined) refuse(field);
  return { spec: before.spec, status: before.status };
}

async function built(request: Asked): Promise<Built<"external_ip_attachment">> {
  const { deps, id, input, violations } = request;
  const { external_ip, target_endpoint } = input.spec;
  refuseOthers(request);
  const [ip, cluster] = await Promise.all([
    freeExternalIp(request, external_ip),
    readyCluster(request),
  ]);
  const none = { id: "", name: "" };
  const spec = {
    external_ip: ip ? referenceTo(ip) : none,
    cluster: cluster ? referenceTo(cluster) : none,
    target_endpoint: target_endpoint ?? endpointNames[0],
  };
  const status = {
    state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING",
    external_ip_address: ip?.address ?? "",
  } as const;
  if (ip && cluster && (ip.site === undefined || ip.site !== cluster.site?.id))
    violations.push({
      field: "spec.external_ip",
      message: `${ip.address} does not lead to where cluster '${cluster.metadata.name}' is: order one of a pool there`,
    });
  if (!ip || !cluster || violations.length > 0) return { spec, status };
  const use = endpoints[spec.target_endpoint];
  const taken = endpointTaken(cluster, use);
  if (taken) throw taken;
  const { record, writes } = await orderedOutside(request, {
    kind: "external_ip_attachment",
    charge,
    at: cluster,
  });
  const at = { attachment: id, name: record.infra_id, address: ip.address };
  return {
    spec,
    status,
    record: { ...record, address: ip.address },
    writes: [
      ...writes,
      attaching(deps, ip, { kind: "external_ip_attachment", id }),
      puttingAt(deps, cluster, use, at),
    ],
  };
}

/** Only clusters have endpoints today. */
function refuseOthers({ input: { spec }, violations, references }: Asked): void {
  for (const field of ["compute_instance", "baremetal_instance"] as const)
    if (spec[field] !== undefined)
      violations.push({
        field: `spec.${field}`,
        message: "is not possible yet: external IPs are attached to clusters alone",
      });
  if (spec.cluster !== undefined && spec.target_endpoint === undefined)
    references.refuseOnce(
      "spec.target_endpoint",
      `is required with a cluster: ${endpointNames.join(" or ")}`,
    );
}

/**
 * The cluster of the same tenant and project that an order names; undefined, with a violation, where there is none.
 * Throws FailedPrecondition, as OSAC does, for one that is not there yet, or not any more.
 */
async function readyCluster({
  deps,
  tenant,
  input,
  violations,
  references,
}: Asked): Promise<Cluster | undefined> {
  const { cluster: named } = input.spec;
  const field = "spec.cluster";
  if (named === undefined) return references.refuseOnce(field, "is required");
  const place = { tenant, project: input.metadata.project };
  const cluster = await resolveLocal(deps, "cluster", place, named);
  if (!cluster) return references.refuse(field, notFoundHere("Cluster", named));
  if (violations.length === 0) refuseUnready(cluster);
  return cluster;
}

export const api = {
  schema: externalIpAttachmentSchema,
  rules,
} satisfies ApiOf<"external_ip_attachment">;
