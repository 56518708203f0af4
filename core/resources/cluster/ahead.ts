import { idSchema, referenceInputSchema } from "../../kernel/input/reference.ts";
import { isObject, type Json } from "../../kernel/input/shape.ts";
import {
  archiveKey,
  countKey,
  nameKey,
  objectKey,
  outsidePrefixesKey,
  projectNameKey,
} from "../../kernel/object/keys.ts";
import type { Kinds } from "../../kernel/object/kind.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Records } from "../../kernel/object/records.ts";
import { type Ahead, keysAskedHere, membersOf, placeOf } from "../../kernel/request/ahead.ts";
import { keysMeant } from "../../kernel/request/resolve.ts";
import type { ReadAhead } from "../../kernel/store/read-ahead.ts";
import type { Key } from "../../kernel/store/store.ts";
import { defaultVersionKeys } from "../cluster-version/default.ts";
import { accountKeys } from "../quota/account.ts";
import { firstSites } from "../site/inside-clusters.ts";
import type { Site } from "../site/model.ts";

/** The early reads of an order that a caller of this tenant makes. */
export function orderAhead(kinds: Kinds, caller: string, body: Json): Ahead {
  const tenant = placeOf(body).tenant || caller;
  return { tenant, keys: keysOfOrder(kinds, tenant, body) };
}

/** Begins to read the objects that an order of a tenant is checked against. */
export function beginOrder(
  { store, kinds }: { store: ReadAhead; kinds: Kinds },
  tenant: string,
  body: Json,
): void {
  void store.ahead(keysOfOrder(kinds, tenant, body));
  void beginTemplate(kinds, store, tenant, body);
  const accounts = store.ahead(accountsOf(tenant, body));
  void beginTenant(store, tenant, accounts);
}

/** The first sites; what their pools have begins to be read. */
export async function beginSites(
  deps: Pick<Records, "kinds"> & { store: ReadAhead },
): Promise<Site[]> {
  const sites = await firstSites(deps);
  void deps.store.ahead(sites.map(({ id }) => outsidePrefixesKey(id)));
  return sites;
}

/**
 * Begins to read the template of a named offer; if the offer names another template by then, the other
 * is read later.
 */
async function beginTemplate(
  kinds: Kinds,
  store: ReadAhead,
  tenant: string,
  body: Json,
): Promise<void> {
  const { data } = referenceInputSchema.safeParse(membersOf(body, "spec").catalog_item);
  if (data === undefined) return;
  const claims = await store.ahead(keysMeant(kinds, "cluster_catalog_item", tenant, data));
  const templates = claims.flatMap((claim) =>
    typeof claim?.template === "string" ? [objectKey("cluster_template", claim.template)] : [],
  );
  void store.ahead(templates);
}

/**
 * Begins to read the tenant's record, and if there is none, whether records of the previous tenant of
 * its name are left.
 */
async function beginTenant(
  store: ReadAhead,
  tenant: string,
  accounts: Promise<unknown>,
): Promise<void> {
  // An account changes when its tenant is deleted: if the tenant exists after the account was read, an
  // unchanged account is still valid.
  const [record] = await store.ahead([objectKey("tenant", tenant)], accounts);
  if (!record) void store.ahead([archiveKey("tenant", tenant), countKey("operation", tenant)]);
}

function accountsOf(tenant: string, body: Json): Key[] {
  const { project } = placeOf(body);
  return accountKeys({ tenant, ...(project && { project }) });
}

/** The kinds that an order names in its own project alone. */
const local: ReadonlySet<Kind> = new Set(["secret", "subnet", "security_group"]);

function keysOfOrder(kinds: Kinds, tenant: string, body: Json): Key[] {
  const { template, catalog_item, version, pull_secret_secret, network_attachment } = membersOf(
    body,
    "spec",
  );
  const { subnet, security_groups } = isObject(network_attachment) ? network_attachment : {};
  const groups = Array.isArray(security_groups) ? security_groups : [];
  const { project = "", name } = placeOf(body);
  const { data: id } = idSchema.safeParse(isObject(body) ? body.id : undefined);
  const meant = (kind: Kind, reference: Json | undefined): Key[] => {
    if (local.has(kind)) return keysAskedHere(kind, { tenant, project }, reference);
    const { data } = referenceInputSchema.safeParse(reference);
    return data === undefined ? [] : keysMeant(kinds, kind, tenant, data);
  };
  return [
    ...accountsOf(tenant, body),
    ...(name === undefined ? [] : [nameKey("cluster", tenant, project, name)]),
    ...(id === undefined ? [] : [objectKey("cluster", id), archiveKey("cluster", id)]),
    ...(project === "" ? [] : [projectNameKey(tenant, project)]),
    ...meant("cluster_template", template),
    ...meant("cluster_catalog_item", catalog_item),
    ...meant("secret", pull_secret_secret),
    ...meant("subnet", subnet),
    ...groups.flatMap((group) => meant("security_group", group)),
    ...(version === undefined ? defaultVersionKeys(tenant) : meant("cluster_version", version)),
  ];
}
