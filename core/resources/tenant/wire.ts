import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { type Tenant, tenantSpecSchema } from "./model.ts";

export const tenantSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object(tenantSpecSchema.shape),
  status: z.object({
    state: z
      .enum(["TENANT_STATE_PENDING", "TENANT_STATE_SYNCED"])
      .describe("Whether it can be used."),
  }),
});

/** The tenant for OSAC, which knows no service accounts. */
function osacTenant({ spec, ...rest }: z.output<typeof tenantSchema>) {
  const { service_accounts: _, ...known } = spec;
  return { ...rest, spec: known };
}

function tenantView(tenant: Tenant): z.output<typeof tenantSchema> {
  const { id, spec, status } = tenant;
  return { id, metadata: metadataView(tenant), spec, status };
}

export const wire: WireForm<"tenant"> = {
  view: tenantView,
  osac: osacOf(osacTenant),
  inOsacEvents: true,
};
