import * as z from "zod";

/** Settings from the environment. An empty variable counts as absent. */

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
  SLIPWAY_URL: z
    .string()
    .refine(isHome, "must be a URL such as https://api.example.com (http only for this machine)")
    .optional(),
  SLIPWAY_TOKEN_FILE: z.string().optional(),
  /** Replaces SLIPWAY_URL and SLIPWAY_TOKEN_FILE. */
  SLIPWAY_EVENT_BUS: z
    .string()
    .regex(
      /^arn:[\w-]+:events:[\w-]+:\d{12}:event-bus\/[\w./-]+$/,
      "must be the ARN of the bus of hubs",
    )
    .optional(),
  SLIPWAY_QUEUE: z.string().default("/var/lib/slipway"),
  SLIPWAY_QUEUE_MEGABYTES: wholeNumber(1, 10_000, 64),
  /** Slipway considers a hub silent after ten minutes, so two consecutive lost heartbeats do no harm. */
  SLIPWAY_HEARTBEAT_SECONDS: wholeNumber(1, 300, 180),
  /** 0 means any free port. */
  SLIPWAY_HEALTH_PORT: wholeNumber(0, 65_535, 8080),
  /** All addresses by default. */
  SLIPWAY_HEALTH_HOST: z.string().optional(),
  SLIPWAY_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], "must be debug, info, warn or error")
    .default("info"),
});

export interface Settings {
  hub: string;
  home: { api: string; tokenFile: string } | { bus: string };
  kube: { kubeconfig: string } | { host: string; port: string };
  queue: string;
  /** The limit of the queue, in bytes. */
  queueLimit: number;
  /** The pause between heartbeats, in milliseconds. */
  heartbeatEvery: number;
  health: { port: number; host?: string };
  level: z.infer<typeof schema>["SLIPWAY_LOG_LEVEL"];
}

/** Throws an Error whose message has one line for each variable that is missing or invalid. */
export function settingsIn(environment: Record<string, string | undefined>): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  const faults =
    parsed.error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`) ?? [];
  const home = homeIn(environment);
  if ("missing" in home) faults.push(home.missing);
  const kube = kubeIn(environment);
  if (!kube) faults.push("KUBECONFIG is required outside of a cluster: the hub's kubeconfig file");
  if (!parsed.success || !kube || "missing" in home) throw new Error(faults.join("\n"));
  const { data } = parsed;
  const host = data.SLIPWAY_HEALTH_HOST;
  return {
    hub: data.SLIPWAY_HUB,
    home,
    kube,
    queue: data.SLIPWAY_QUEUE,
    queueLimit: data.SLIPWAY_QUEUE_MEGABYTES * 1024 * 1024,
    heartbeatEvery: data.SLIPWAY_HEARTBEAT_SECONDS * 1000,
    health: { port: data.SLIPWAY_HEALTH_PORT, ...(host !== undefined && { host }) },
    level: data.SLIPWAY_LOG_LEVEL,
  };
}

/** Where to report: the API with a token, or the bus. */
function homeIn({
  SLIPWAY_URL: api,
  SLIPWAY_TOKEN_FILE: tokenFile,
  SLIPWAY_EVENT_BUS: bus,
}: Record<string, string | undefined>): Settings["home"] | { missing: string } {
  if (bus) return api ? { missing: "SLIPWAY_EVENT_BUS excludes SLIPWAY_URL: give one" } : { bus };
  if (!api) return { missing: "SLIPWAY_URL is required: the URL of Slipway's API" };
  if (tokenFile) return { api: api.replace(/\/+$/, ""), tokenFile };
  return { missing: "SLIPWAY_TOKEN_FILE is required: a file with the token of this hub" };
}

/** The connection to the hub: from a kubeconfig, or from the service account files in the pod. */
function kubeIn(environment: Record<string, string | undefined>): Settings["kube"] | undefined {
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = environment;
  if (KUBECONFIG) return { kubeconfig: KUBECONFIG };
  if (!KUBERNETES_SERVICE_HOST) return undefined;
  return { host: KUBERNETES_SERVICE_HOST, port: KUBERNETES_SERVICE_PORT || "443" };
}

/** The URL must be https, or local to this machine, because requests carry a token. */
function isHome(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}
