import * as z from "zod";
import { timestamp } from "../../clock.ts";
import { AppError, type Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { neverAnswered } from "../../kernel/input/text.ts";
import {
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  hubClusterKey,
  reachKey,
  slotsKey,
} from "../../kernel/object/hub-keys.ts";
import { hubPartition } from "../../kernel/object/keys.ts";
import { load } from "../../kernel/object/records.ts";
import { conditionView, masked } from "../../kernel/object/wire.ts";
import type { Live } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { absent, any, eq, lacks, type Write } from "../../kernel/store/store.ts";
import { lackingIn } from "../../placement/hubs/hub.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import { neverSwept, type SweepName, sweptFrom } from "../../ports/sweep-times.ts";
import { ofEnding } from "../site/certificates.ts";
import { credentialsValid, type Hub, type HubSpec, hubSpecSchema, ofCredentials } from "./model.ts";
import { lastSeenOf, usageWithTrends } from "./usage.ts";
import { hubSchema } from "./wire.ts";

/** The API of hubs. Administrators register a hub with its kubeconfig, which is kept in the secret store. */

const schema = inputSchema(
  z.strictObject({
    ...hubSpecSchema.omit({ server: true, credentials: true, credentials_end: true }).shape,
    kubeconfig: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe("How to log in to it: YAML or JSON, plain or in base64. Never answered.")
      .meta(neverAnswered),
    server: z.string().optional().describe("Written by Slipway, from the kubeconfig."),
    credentials_end: z.string().optional().describe("Written by Slipway, from the kubeconfig."),
  }),
);

const liveMembers = [
  ...["last_heard_time", "agent_version", "last_reached_time", "last_error"],
  ...["control_planes", "hosts", "conditions"],
];

const rules: Definition<"hub", z.output<typeof schema>> = {
  kind: "hub",
  schema,
  tenant: "shared",
  async build({ deps, id, input, before, violations }) {
    const { kubeconfig, server: _, credentials_end: __, ...given } = input.spec;
    await refuseSite(deps, given.site, before, violations);
    refuseCleared(given, before, violations);
    const writes = [
      ...(await claims(deps, id, given.cluster_uid, before?.spec.cluster_uid)),
      ...sweeping(deps, id, given.site, before),
    ];
    // An order may be placed there between the read and the write.
    if (before && before.spec.site !== given.site)
      writes.push({ check: slotsKey(id), if: noneUsed });
    const status = { state: "HUB_STATE_PENDING" } as const;
    if (kubeconfig === undefined || kubeconfig === masked) {
      if (!before) violations.push({ field: "spec.kubeconfig", message: "is required" });
      const { server = "", credentials = "", credentials_end } = before?.spec ?? {};
      const kept = { server, credentials, ...(credentials_end && { credentials_end }) };
      return { spec: { ...given, ...kept }, status, writes };
    }
    const text = decoded(kubeconfig);
    // Each kubeconfig has a reference of its own, so that hub and credentials change in one write.
    const reference = `${secretReference.hubCredentials(id)}/${deps.newId()}`;
    const spec: HubSpec = {
      ...given,
      ...(await connectionOf(text, violations)),
      credentials: reference,
    };
    return { spec, status, writes, secret: { reference, value: text } };
  },
  remove,
  live: { members: liveMembers, read: liveOf },
  secrets: (hub) => [hub.spec.credentials],
};

async function liveOf(deps: Deps, _: Caller, found: Promise<Hub[]>): Promise<Live[]> {
  const hubs = await found;
  const ids = hubs.map(({ id }) => id);
  const [usages, seen] = await Promise.all([
    usageWithTrends(deps, hubs),
    lastSeenOf(deps.store, ids),
  ]);
  const now = deps.clock.now();
  return hubs.map((hub, n) => ({ ...seen[n], ...usages[n], ...conditionsNow(hub, now) }));
}

/**
 * The conditions of a hub whose credentials end soon or have ended; nothing for any other hub, because its record has
 * all of its conditions.
 */
function conditionsNow({ spec, status: { conditions = [] } }: Hub, now: number): Live {
  const { conditions: ending } = ofEnding(
    credentialsValid,
    spec.credentials_end,
    now,
    ofCredentials,
  );
  return ending ? { conditions: [...conditions, ...ending].map(conditionView) } : {};
}

const sweeps: readonly SweepName[] = ["objects", "parts", "orphans"];

/**
 * Schedules the sweeps of a new hub, and the deadline for its agent's first report. A hub without a site has no parts
 * to sweep.
 */
function sweeping({ clock }: Deps, id: string, site: string | undefined, before?: Hub): Write[] {
  const now = clock.now();
  const place = { kind: "hub", id } as const;
  const begun: Write[] = before
    ? []
    : [
        { put: { ...heartbeatKey(id), since: timestamp(now) } },
        ...(["objects", "orphans"] as const).map((sweep) => sweptFrom(sweep, place, now)),
      ];
  if (site === before?.spec.site) return begun;
  return [
    ...begun,
    site === undefined ? neverSwept("parts", place) : sweptFrom("parts", place, now),
  ];
}

/**
 * Claims the Kubernetes cluster of a hub, because two hubs of one cluster would count its agents twice. Throws
 * AlreadyExists.
 */
async function claims(
  { store }: Deps,
  id: string,
  uid: string | undefined,
  before: string | undefined,
): Promise<Write[]> {
  if (uid === before) return [];
  const mine = eq("hub", id);
  const writes: Write[] =
    before === undefined ? [] : [{ delete: hubClusterKey(before), if: any(absent, mine) }];
  if (uid === undefined) return writes;
  const key = hubClusterKey(uid);
  const other = (await store.get(key))?.hub;
  if (typeof other === "string" && other !== id)
    throw new AppError("AlreadyExists", `this cluster is already registered as hub '${other}'`);
  return [...writes, { put: { ...key, hub: id }, if: any(absent, mine) }];
}

/**
 * Refuses to clear members that orders need. A hub may lack them at first, but clusters placed there later rely on
 * them.
 */
function refuseCleared(
  given: Pick<HubSpec, "base_domain" | "capacity" | "region">,
  before: Hub | undefined,
  violations: Violation[],
): void {
  for (const member of before ? lackingIn(given) : []) {
    if (before?.spec[member] === undefined) continue;
    violations.push({ field: `spec.${member}`, message: "cannot be cleared" });
  }
}

/**
 * Refuses a site that does not exist. Refuses another site while clusters are on the hub, because their networks and
 * names stay at the old one.
 */
async function refuseSite(
  deps: Deps,
  site: string | undefined,
  before: Hub | undefined,
  violations: Violation[],
): Promise<void> {
  const field = "spec.site";
  if (site !== undefined && !(await load(deps, "site", site)))
    violations.push({ field, message: "no such site" });
  if (before === undefined || before.spec.site === site) return;
  if (await carriesClusters(deps, before))
    violations.push({ field, message: "cannot change while clusters are on the hub" });
}

const noneUsed = any(absent, lacks("used"), eq("used", 0));

async function carriesClusters({ store }: Deps, { id }: Hub): Promise<boolean> {
  return Number((await store.get(slotsKey(id)))?.used ?? 0) > 0;
}

/**
 * The kubeconfig as text. A request has it in base64, like bytes in protobuf's JSON, or as plain text, which is never
 * valid base64.
 */
function decoded(kubeconfig: string): string {
  const packed = kubeconfig.replaceAll(/\s/g, "");
  const isBase64 = packed.length % 4 === 0 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(packed);
  return isBase64 ? Buffer.from(packed, "base64").toString() : kubeconfig;
}

/** The address of the hub's API server, and the end of the kubeconfig's credentials. */
async function connectionOf(
  text: string,
  violations: Violation[],
): Promise<Pick<HubSpec, "server" | "credentials_end">> {
  // Loaded on demand: rarely needed, and its parser is a seventh of the API's bundle.
  const { credentialsEnd, parseKubeconfig } = await import("../../ports/kubernetes/kubeconfig.ts");
  try {
    const connection = parseKubeconfig(text);
    const ends = credentialsEnd(connection);
    return { server: connection.server, ...(ends !== undefined && { credentials_end: ends }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "Invalid") throw error;
    const found =
      error.violations.length > 0 ? error.violations : [{ field: "", message: error.message }];
    for (const { field, message } of found) {
      violations.push({
        field: field === "" ? "spec.kubeconfig" : `spec.kubeconfig.${field}`,
        message,
      });
    }
    return { server: "" };
  }
}

/** Refuses to delete a hub with clusters. Its usage counters refuse while it has hosts. */
async function remove(deps: Deps, hub: Hub): Promise<Write[]> {
  const { store } = deps;
  const pk = hubPartition(hub.id, "cluster");
  const { items } = await store.query({ pk, index: "g3", limit: 1 });
  // The index may lag behind; the slot counter does not.
  if (items.length > 0 || (await carriesClusters(deps, hub)))
    throw new AppError("FailedPrecondition", `cannot delete hub '${hub.id}': clusters are on it`);
  return [
    { delete: slotsKey(hub.id), if: noneUsed },
    { delete: hostsKey(hub.id) },
    { delete: freeHostsKey(hub.id) },
    { delete: heartbeatKey(hub.id) },
    { delete: reachKey(hub.id) },
    ...sweeps.map((sweep) => neverSwept(sweep, hub)),
    ...(hub.spec.cluster_uid === undefined
      ? []
      : [{ delete: hubClusterKey(hub.spec.cluster_uid) }]),
  ];
}

export const api = { schema: hubSchema, rules } satisfies ApiOf<"hub">;
