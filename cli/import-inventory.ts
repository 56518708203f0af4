import * as z from "zod";
import { type HostEntry, parseInventory } from "../core/resources/host/inventory.ts";
import { type Api, call } from "./private-api.ts";

export interface Imported {
  name: string;
  outcome: "created" | "updated" | "unchanged" | "refused";
  message?: string;
}

const known = z.object({
  items: z.array(z.object({ id: z.string(), metadata: z.object({ version: z.number() }) })),
});
const changed = z.object({ metadata: z.object({ version: z.number() }) });
const refusal = z.object({ detail: z.string() });

/**
 * Imports the hosts of a file into the inventory, one by one: creates new hosts and changes
 * existing ones. Hosts that the file omits stay unchanged. Idempotent. Throws Invalid with every
 * wrong line of the file before it sends anything.
 */
export async function importInventory(text: string, api: Api): Promise<Imported[]> {
  const results: Imported[] = [];
  for (const host of parseInventory(text)) results.push(await bring(host, api));
  return results;
}

async function bring({ name, ...spec }: HostEntry, api: Api): Promise<Imported> {
  const filter = encodeURIComponent(`this.metadata.name == "${name}"`);
  const found = known.parse(await (await call(api, "GET", `hosts?filter=${filter}`)).json());
  const [before] = found.items;
  const response = before
    ? await call(api, "PATCH", `hosts/${before.id}`, { spec })
    : await call(api, "POST", "hosts", { metadata: { name }, spec });
  const body: unknown = await response.json();
  if (!response.ok) {
    return {
      name,
      outcome: "refused",
      message: refusal.safeParse(body).data?.detail ?? String(response.status),
    };
  }
  if (!before) return { name, outcome: "created" };
  const same = changed.parse(body).metadata.version === before.metadata.version;
  return { name, outcome: same ? "unchanged" : "updated" };
}
