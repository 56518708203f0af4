import * as z from "zod";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import { checkHub, type Findings } from "../core/hub/check.ts";
import type { Fetch } from "../core/hub/connection.ts";
import { parseKubeconfig } from "../core/hub/kubeconfig.ts";
import { type Api, call } from "./private-api.ts";

/** What an administrator says of a hub; what is left out stays as it was. */
export interface Registration {
  name: string;
  /** YAML or JSON. */
  kubeconfig: string;
  region: string;
  /** Hosted control planes that it can carry. */
  capacity?: number;
  base_domain?: string;
  /** By which its cluster is known. */
  cluster_uid?: string;
}

export interface Registered {
  outcome: "created" | "updated";
  id: string;
}

const known = z.object({ items: z.array(z.object({ id: z.string() })) });
const stored = z.object({ id: z.string() });
const refusal = z.object({ detail: z.string() });

/**
 * Whether the hub behind a kubeconfig can be used. Throws Invalid for a kubeconfig that cannot, and
 * Unavailable for a hub that does not answer.
 */
export function check(kubeconfig: string, wall: Clock, fetch?: Fetch): Promise<Findings> {
  return checkHub({ connection: parseKubeconfig(kubeconfig), wall, ...(fetch && { fetch }) });
}

/** Makes the hub of that name be as said; again is harmless. Throws Rejected when Slipway refuses. */
export async function register(registration: Registration, api: Api): Promise<Registered> {
  const { name, ...spec } = registration;
  const filter = encodeURIComponent(`this.metadata.name == ${JSON.stringify(name)}`);
  const { items } = known.parse(await answerOf(await call(api, "GET", `hubs?filter=${filter}`)));
  const [before] = items;
  const response = before
    ? await call(api, "PATCH", `hubs/${before.id}`, { spec })
    : await call(api, "POST", "hubs", { metadata: { name }, spec });
  const { id } = stored.parse(await answerOf(response));
  return { id, outcome: before ? "updated" : "created" };
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  const words = refusal.safeParse(body).data?.detail ?? String(response.status);
  throw new AppError("Rejected", `Slipway refuses: ${words}`);
}
