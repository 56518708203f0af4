import * as z from "zod";
import { usedIn } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { accountKey } from "../../kernel/object/keys.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { CatalogNames } from "../../kernel/request/catalog-names.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { any, eq, lacks, type Write } from "../../kernel/store/store.ts";
import { amountsOf, limitsOf, limitsSchema, type Quota } from "./model.ts";
import { quotaSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    limits: limitsSchema.describe(
      "The limits of the tenant or project; members left out have no limit.",
    ),
  }),
);

/** A tenant has one quota, and so has a project. A limit below the present usage removes nothing. */
const rules: Definition<"quota", z.output<typeof schema>> = {
  kind: "quota",
  schema,
  tenant: "caller",
  async build({ deps, id, tenant, input, before, violations }) {
    const { limits } = input.spec;
    const project = input.metadata.project || undefined;
    if (tenant === sharedTenant)
      violations.push({
        field: "metadata.tenant",
        message: "is required: the tenant that the quota is for",
      });
    const names = new CatalogNames(deps, tenant, violations);
    for (const type of Object.keys(limits.hosts ?? {}))
      await names.of("host_type", `spec.limits.hosts.${type}`, type);
    const key = accountKey(tenant, project);
    const holder = before ? id : (await deps.store.get(key))?.quota;
    if (holder !== undefined && holder !== id) {
      const [field, whose] = project ? ["project", project] : ["tenant", tenant];
      const message = `'${whose}' already has a quota: '${String(holder)}'`;
      violations.push({ field: `metadata.${field}`, message });
    }
    const write: Write = {
      update: key,
      set: { quota: id, limits: amountsOf(limits) },
      add: { version: 1 },
      if: any(lacks("quota"), eq("quota", id)),
    };
    return { spec: { limits }, status: {}, writes: [write] };
  },
  remove,
  live: { members: ["usage"], read: usage },
};

async function usage({ store }: Deps, _: Caller, found: Promise<Quota[]>) {
  const keys = (await found).map(({ metadata: { tenant, project } }) =>
    accountKey(tenant, project),
  );
  const accounts = await store.getMany(keys);
  return accounts.map((account) => ({ usage: limitsOf(usedIn(account)) }));
}

/** Removes the limits; usage is still counted. */
async function remove(_: Deps, { metadata: { tenant, project } }: Quota): Promise<Write[]> {
  const update = accountKey(tenant, project);
  return [{ update, remove: ["quota", "limits"], add: { version: 1 } }];
}

export const api = { schema: quotaSchema, rules } satisfies ApiOf<"quota">;
