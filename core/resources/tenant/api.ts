import type * as z from "zod";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { accountKey, countKey } from "../../kernel/object/keys.ts";
import { type Kinds, namesOf } from "../../kernel/object/kind.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import { type Kind, pluralOf } from "../../kernel/object/object.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { refuseNotForgotten } from "../../kernel/request/tenant.ts";
import { any, compare, lacks, type Write } from "../../kernel/store/store.ts";
import { type Tenant, tenantSpecSchema } from "./model.ts";
import { tenantSchema } from "./wire.ts";

const schema = inputSchema(tenantSpecSchema.optional());

const rules: Definition<"tenant", z.output<typeof schema>> = {
  kind: "tenant",
  schema,
  idIsName: "refused",
  tenant: "itself",
  async build({ deps, id, input, before, violations }) {
    const { name, tenant = name, project } = input.metadata;
    if (name === sharedTenant)
      violations.push({ field: "metadata.name", message: "is reserved for the provider" });
    if (tenant !== name)
      violations.push({
        field: "metadata.tenant",
        message: "must be left out: a tenant belongs to itself",
      });
    if (project)
      violations.push({
        field: "metadata.project",
        message: "must be left out: a tenant is in no project",
      });
    if (!before) await refuseNotForgotten(deps.store, id);
    return { spec: input.spec ?? {}, status: { state: "TENANT_STATE_SYNCED" } };
  },
  remove,
};

/**
 * The kinds whose objects a tenant can have. Operations are not among them: they are removed after the tenant
 * (`core/resources/tenant/forget.ts`).
 */
const ownedIn = (kinds: Kinds): Kind[] =>
  namesOf(kinds).filter((kind) => kind !== "tenant" && kind !== "operation");

/** Refuses to delete a tenant with objects. */
async function remove({ store, kinds }: Deps, { id }: Tenant): Promise<Write[]> {
  const owned = ownedIn(kinds);
  const keys = owned.map((kind) => countKey(kind, id));
  const counts = (await store.getMany(keys)).map((item) => Number(item?.count ?? 0));
  const left = owned.flatMap((kind, n) => (counts[n] ? [`${counts[n]} ${pluralOf(kind)}`] : []));
  if (left.length > 0) {
    const message = `cannot delete tenant '${id}': it has ${left.join(", ").replaceAll("_", " ")}`;
    throw new AppError("FailedPrecondition", message);
  }
  const none = any(lacks("count"), compare("count", "le", 0));
  const checks = keys.map((check) => ({ check, if: none }));
  // An order that read the account before this write has to check again whether its tenant exists.
  return [...checks, { update: accountKey(id), add: { version: 1 } }];
}

export const api = { schema: tenantSchema, rules } satisfies ApiOf<"tenant">;
