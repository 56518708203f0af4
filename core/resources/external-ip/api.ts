import * as z from "zod";
import { claimQuota, releaseQuota } from "../../kernel/claim/quota.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Built, Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { means, referenceTo } from "../../kernel/request/resolve.ts";
import { manyAtOnce } from "../../ports/ipam/own/numbers.ts";
import { claimExternalAddresses, releaseAddress } from "./address.ts";
import type { ExternalIp } from "./model.ts";
import { refuseLeading } from "./still-leads.ts";
import { externalIpSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    pool: referenceInputSchema.describe("The pool to allocate from."),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"external_ip", Input>;

const rules: Definition<"external_ip", Input> = {
  kind: "external_ip",
  schema,
  tenant: "caller",
  patience: manyAtOnce,
  build: (request) => (request.before ? unchanged(request, request.before) : built(request)),
  async remove(deps, ip) {
    await refuseLeading(deps, ip);
    return [...(await releaseAddress(deps, ip)), ...releaseQuota(ip, undefined)];
  },
};

/** Refuses changes: an external IP keeps its address, and so its pool. */
async function unchanged(
  { input: { spec }, violations }: Asked,
  before: ExternalIp,
): Promise<Built<"external_ip">> {
  if (!means(spec.pool, before.spec.pool))
    violations.push({ field: "spec.pool", message: "field 'spec.pool' is immutable" });
  return { spec: before.spec, status: before.status };
}

async function built(request: Asked): Promise<Built<"external_ip">> {
  const { deps, id, tenant, input, violations, references } = request;
  const pool = await references.resolve("spec.pool", "external_ip_pool", input.spec.pool);
  const spec = { pool: pool ? referenceTo(pool) : { id: "", name: "" } };
  const without = { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "", attached: false } as const;
  if (!pool || violations.length > 0) return { spec, status: without };
  const { project } = input.metadata;
  const metadata = { tenant, ...(project ? { project } : {}) };
  const charge = { external_ips: 1 };
  const [{ addresses, writes }, quota] = await Promise.all([
    claimExternalAddresses(deps, pool, [id]),
    claimQuota(deps, undefined, { metadata, charge }, () => "spec"),
  ]);
  const [address = ""] = addresses;
  return {
    spec,
    status: { ...without, address },
    record: { address, charge, ...(pool.spec.site && { site: pool.spec.site.id }) },
    writes: [...quota, ...writes],
  };
}

export const api = { schema: externalIpSchema, rules } satisfies ApiOf<"external_ip">;
