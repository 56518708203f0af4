import * as z from "zod";

/** What the agent is told by its environment. An empty variable is an absent one. */

const wholeNumber = (least: number, most: number, otherwise: number) =>
  z.coerce
    .number<string>({ error: "must be a whole number" })
    .int("must be a whole number")
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
    .default(otherwise);

const schema = z.object({
  /** The id under which the hub is registered. */
  SLIPWAY_HUB: z
    .string("is required: the id of this hub")
    .regex(/^[\w.:-]{1,253}$/, "must be the id of a hub"),
  SLIPWAY_API: z
    .string("is required: the URL of Slipway's API")
    .refine(isHome, "must be a URL such as https://api.example.com (http only for this machine)")
    .transform((url) => url.replace(/\/+$/, "")),
  SLIPWAY_TOKEN_FILE: z.string("is required: a file with the token of this hub"),
  SLIPWAY_QUEUE: z.string().default("/var/lib/slipway"),
  SLIPWAY_QUEUE_MEGABYTES: wholeNumber(1, 10_000, 64),
  /** Home takes a hub for unreachable after ten minutes. */
  SLIPWAY_HEARTBEAT_SECONDS: wholeNumber(1, 300, 60),
  /** 0 means any. */
  SLIPWAY_HEALTH_PORT: wholeNumber(0, 65_535, 8080),
  /** Every address unless told. */
  SLIPWAY_HEALTH_HOST: z.string().optional(),
  SLIPWAY_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], "must be debug, info, warn or error")
    .default("info"),
});

export interface Settings {
  hub: string;
  api: string;
  tokenFile: string;
  kube: { kubeconfig: string } | { host: string; port: string };
  queue: string;
  /** In bytes. */
  queueLimit: number;
  /** In milliseconds. */
  heartbeatEvery: number;
  health: { port: number; host?: string };
  level: z.infer<typeof schema>["SLIPWAY_LOG_LEVEL"];
}

/** Throws an Error whose message has a line for each variable that is missing or wrong. */
export function settingsIn(environment: Record<string, string | undefined>): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  const faults =
    parsed.error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`) ?? [];
  const kube = kubeIn(environment);
  if (!kube) faults.push("KUBECONFIG is required outside of a cluster: the hub's kubeconfig file");
  if (!parsed.success || !kube) throw new Error(faults.join("\n"));
  const { data } = parsed;
  const host = data.SLIPWAY_HEALTH_HOST;
  return {
    hub: data.SLIPWAY_HUB,
    api: data.SLIPWAY_API,
    tokenFile: data.SLIPWAY_TOKEN_FILE,
    kube,
    queue: data.SLIPWAY_QUEUE,
    queueLimit: data.SLIPWAY_QUEUE_MEGABYTES * 1024 * 1024,
    heartbeatEvery: data.SLIPWAY_HEARTBEAT_SECONDS * 1000,
    health: { port: data.SLIPWAY_HEALTH_PORT, ...(host !== undefined && { host }) },
    level: data.SLIPWAY_LOG_LEVEL,
  };
}

/** A kubeconfig, or what Kubernetes says in every pod. */
function kubeIn(environment: Record<string, string | undefined>): Settings["kube"] | undefined {
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = environment;
  if (KUBECONFIG) return { kubeconfig: KUBECONFIG };
  if (!KUBERNETES_SERVICE_HOST) return undefined;
  return { host: KUBERNETES_SERVICE_HOST, port: KUBERNETES_SERVICE_PORT || "443" };
}

/** A token goes there, so nobody may listen in. */
function isHome(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}
