import type { Answer, Site, Wire } from "../site.ts";

/** A tenant that asks the public API, and names what it orders. */
export interface Tenant {
  name: "a" | "b";
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

export const tenantsOf = (site: Site): Record<"a" | "b", Tenant> => ({
  a: { name: "a", ask: site.api },
  b: { name: "b", ask: site.neighbour },
});

export function accepted({ status, body }: Answer): Wire {
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
}

/** The path of the object that a tenant calls so, if there is one. */
export async function pathOf(
  { ask }: Tenant,
  collection: string,
  name: string,
): Promise<string | undefined> {
  const { items } = accepted(await ask("GET", collection));
  const found = items.find(({ metadata }: Wire) => metadata.name === name);
  return found && `${collection}/${found.id}`;
}

/** The objects of a tenant that are as it has ordered them. */
export async function readyIn({ ask }: Tenant, collection: string): Promise<Wire[]> {
  const { items } = accepted(await ask("GET", `${collection}?limit=1000`));
  return items.filter(({ status }: Wire) => /_(READY|ALLOCATED)$/.test(status.state));
}

/** Orders something and waits until nothing works on it any more. */
export async function made(
  site: Site,
  tenant: Tenant,
  collection: string,
  name: string,
  spec: object,
): Promise<string> {
  const { id } = accepted(await tenant.ask("POST", collection, { metadata: { name }, spec }));
  await settled(site, tenant, `${collection}/${id}`);
  return id;
}

/**
 * Waits until nothing works on an object, which is as it was ordered then, or gone, unless its order may fail. `care` is
 * taken meanwhile.
 */
export async function settled(
  site: Site,
  { ask }: Tenant,
  path: string,
  { mayFail = false, care }: { mayFail?: boolean; care?(site: Site): Promise<void> } = {},
): Promise<void> {
  await site.laptop.until(async () => {
    await care?.(site);
    return (await ask("GET", path)).body.status?.operation === undefined;
  }, `${path} at rest`);
  if (mayFail) return;
  const { status, body } = await ask("GET", path);
  if (status !== 404 && /FAILED/.test(body.status.state))
    throw new Error(`${path}: ${JSON.stringify(body.status)}`);
}
