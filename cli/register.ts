import * as z from "zod";
import type { Check } from "../core/check.ts";
import { AppError } from "../core/error.ts";
import type { Around } from "./around.ts";
import { type Api, call } from "./private-api.ts";

export interface Registered {
  outcome: "created" | "updated";
  id: string;
  /** Why no order is placed on the hub, in Slipway's words. */
  incomplete?: string;
}

const known = z.object({ items: z.array(z.object({ id: z.string() })) });
const stored = z.object({
  id: z.string(),
  status: z.object({ state: z.string(), message: z.string().optional() }).partial().optional(),
});
const refusal = z.object({ detail: z.string() });

/** Prints the checks. Throws Rejected when something is missing. */
export function show(checks: Check[], { err }: Around): void {
  for (const { what, outcome } of checks) err.write(`${outcome.padEnd(8)} ${what}\n`);
  const missing = checks.filter(({ outcome }) => outcome === "missing").length;
  if (missing > 0) throw new AppError("Rejected", `${missing} missing`);
}

/**
 * Creates or changes the object of that name in a collection; an omitted member keeps its value. Idempotent. Throws
 * Rejected when Slipway refuses.
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
  const { id: own, status } = stored.parse(await answerOf(response));
  const outcome = before ? "updated" : "created";
  if (status?.state !== "HUB_STATE_INCOMPLETE") return { id: own, outcome };
  return { id: own, outcome, incomplete: status.message ?? "it is incomplete" };
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  const words = refusal.safeParse(body).data?.detail ?? String(response.status);
  throw new AppError("Rejected", `Slipway refuses: ${words}`);
}
