import * as z from "zod";
import type { Check } from "../core/check.ts";
import { AppError } from "../core/error.ts";
import { type Api, call } from "./private-api.ts";

export interface Registered {
  outcome: "created" | "updated";
  id: string;
}

const known = z.object({ items: z.array(z.object({ id: z.string() })) });
const stored = z.object({ id: z.string() });
const refusal = z.object({ detail: z.string() });

/** Shows checks to a person. Throws Rejected when something is missing. */
export function show(checks: Check[]): void {
  for (const { what, outcome } of checks) console.error(`${outcome.padEnd(8)} ${what}`);
  const missing = checks.filter(({ outcome }) => outcome === "missing").length;
  if (missing > 0) throw new AppError("Rejected", `${missing} missing`);
}

/**
 * Makes the object of that name in a collection be as said; what is left out stays as it was, and
 * again is harmless. Throws Rejected when Slipway refuses.
 */
export async function registerIn(
  collection: "hubs" | "sites",
  { name, id, spec }: { name: string; id?: string | undefined; spec: object },
  api: Api,
): Promise<Registered> {
  const filter = encodeURIComponent(`this.metadata.name == ${JSON.stringify(name)}`);
  const found = await answerOf(await call(api, "GET", `${collection}?filter=${filter}`));
  const [before] = known.parse(found).items;
  const response = before
    ? await call(api, "PATCH", `${collection}/${before.id}`, { spec })
    : await call(api, "POST", collection, { ...(id && { id }), metadata: { name }, spec });
  const { id: own } = stored.parse(await answerOf(response));
  return { id: own, outcome: before ? "updated" : "created" };
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  const words = refusal.safeParse(body).data?.detail ?? String(response.status);
  throw new AppError("Rejected", `Slipway refuses: ${words}`);
}
