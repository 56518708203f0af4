import { minutes } from "../../core/clock.ts";
import { beyond, type Counts, type Details, detailsBeyond, nothing } from "../cost/meter.ts";
import { type End, MeteredSite } from "../cost/metered-site.ts";
import { requests } from "./requests.ts";

/** The counts of one change or request, and their details. */
export interface Taken {
  counts: Counts;
  details: Details;
}

/** A change of a cluster, in the API's terms. */
interface Change {
  saga: string;
  /** The name of the cluster; its first change orders it. */
  cluster: string;
  end?: End;
  /** `POST clusters` by default. */
  method?: "PATCH" | "POST" | "DELETE";
  path?: string;
  spec?: object;
  /** Maintenance of a host of the cluster, requested for the host. */
  maintains?: true;
  /** An injected fault. */
  fault?: Parameters<MeteredSite["site"]["world"]["faults"]["add"]>[0];
  /** The time of its cancellation, in milliseconds. */
  cancelled?: number;
}

/** A template with two host types, so that node sets can be added and removed. */
const mixed = {
  id: "mixed",
  metadata: { name: "mixed" },
  node_sets: { workers: { host_type: "fc430", size: 2 } },
  allowed_host_types: ["h100"],
};

const create = (cluster: string, spec: object): Change => ({
  ...{ saga: "cluster-create", cluster },
  spec: { placement: { region: "eu-west" }, ...spec },
});

const resize = (workers: number, more: object = {}): Change => ({
  ...{ saga: "cluster-scale", cluster: "c1", method: "PATCH" },
  spec: { node_sets: { workers: { size: workers }, ...more } },
});

const remove = (cluster: string): Change => ({
  ...{ saga: "cluster-delete", cluster, method: "DELETE" },
});

const gpu = { gpu: { host_type: { id: "h100" }, size: 1 } };
const mixedTemplate = { template: { id: "mixed" } };

/** The names of the changes in a cluster's life. */
export const changesOfLife = {
  create: "create, 2 nodes",
  scale: "scale up by a node",
  delete: "delete, 3 nodes",
} as const;

/** The cluster whose life is counted, with requests between its two parts. `bench -- cost` computes its cost. */
const life = "c0";
const begun: Record<string, Change> = {
  [changesOfLife.create]: create(life, { template: { id: "ocp_4_17_small" } }),
  [changesOfLife.scale]: { ...resize(3), cluster: life },
};
const ended: Record<string, Change> = { [changesOfLife.delete]: remove(life) };

/** The other changes, later at the same site. */
const others: Record<string, Change> = {
  "create, with a template of two host types": create("c1", mixedTemplate),
  "add a node set of a node": resize(3, gpu),
  "remove a node set of a node": resize(3),
  "scale down by a node": resize(2),
  upgrade: {
    ...{ saga: "cluster-upgrade", cluster: "c1", method: "PATCH" },
    spec: { version: "4-18-1" },
  },
  "delete, 2 nodes": remove("c1"),
  "create, template ocp_4_17_single_node": create("c2", {
    ...{ template: { id: "ocp_4_17_single_node" }, template_parameters: { site: "edge" } },
  }),
  "create, template ocp_4_17_ai": create("c3", { template: { id: "ocp_4_17_ai" } }),
  "delete, template ocp_4_17_ai": remove("c3"),
  "create, 5 nodes": create("c4", { ...mixedTemplate, node_sets: { workers: { size: 5 } } }),
  "delete, 5 nodes": remove("c4"),
  "create, cancelled after six minutes": {
    ...create("c5", mixedTemplate),
    ...{ end: "CANCELLED", cancelled: minutes(6) },
  },
  "create, failed because a host does not install": {
    ...create("c6", mixedTemplate),
    ...{ end: "FAILED", fault: { target: "hub", operation: "install", fault: "error" } },
  },
  "retry of a create": {
    ...{ saga: "cluster-create", cluster: "c6", method: "POST", path: "/retry" },
  },
  // The last change, since its host does not return.
  "replace a host": { saga: "cluster-scale", cluster: "c6", maintains: true },
};

/** What to count: a cluster's life and the requests, or everything. */
export type Extent = "life" | "all";

/**
 * Counts changes and requests at sites that are always the same. The baseline of sweeps and heartbeats is counted on a
 * twin at the same times, and subtracted.
 */
export async function countOps(extent: Extent): Promise<Record<string, Taken>> {
  const [busy, idle] = [await MeteredSite.open(), await MeteredSite.open()];
  const counted: Record<string, Taken> = {};
  const ids = new Map<string, string>();
  const count = async (changes: Record<string, Change>) => {
    for (const [name, change] of Object.entries(changes)) {
      const { counts, details, passed } = await carriedOut(busy, change, ids);
      const anyway = await idle.rest(passed);
      counted[name] = {
        counts: beyond(counts, anyway.counts),
        details: detailsBeyond(details, anyway.details),
      };
    }
  };
  try {
    for (const { site } of [busy, idle]) await site.admin("POST", "cluster_templates", mixed);
    await count(begun);
    for (const [name, ask] of Object.entries(requests)) {
      const { counts, details } = await busy.request((site) => ask(site, ids.get(life) ?? ""));
      counted[name] = { counts: beyond(counts, nothing), details };
    }
    await count(ended);
    if (extent === "all") await count(others);
    return counted;
  } finally {
    await busy.close();
    await idle.close();
  }
}

async function carriedOut(site: MeteredSite, change: Change, ids: Map<string, string>) {
  const { saga, cluster: name, end, method = "POST", path = "", spec, fault, cancelled } = change;
  if (fault) site.site.world.faults.add(fault);
  const as = change.maintains ? site.site.admin : site.site.api;
  const asked = async (method: string, path: string, body?: object) => {
    const answer = await as(method, path, body);
    if (answer.status !== 200)
      throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const known = ids.get(name);
  const host = change.maintains && (await firstHost(site, known));
  return site.change(
    saga,
    async ({ laptop }) => {
      if (host && known !== undefined) {
        await asked("POST", `hosts/${host}/maintain`);
        return known;
      }
      const body = { ...(known === undefined && { metadata: { name } }), spec };
      const at = known === undefined ? "clusters" : `clusters/${known}${path}`;
      const { id } = await asked(method, at, spec && body);
      ids.set(name, known ?? id);
      if (cancelled !== undefined) {
        await laptop.pass(cancelled);
        const operation = await site.lastOperation(known ?? id);
        await asked("POST", `operations/${operation?.id}/cancel`);
      }
      return known ?? id;
    },
    end,
  );
}

/** The first host of a cluster, read before counting. */
async function firstHost({ site }: MeteredSite, cluster = ""): Promise<string> {
  const { body } = await site.admin("GET", `clusters/${cluster}`);
  const [host] = Object.values<string[]>(body.status.hosts).flat();
  if (host === undefined) throw new Error(`cluster ${cluster} has no host`);
  return host;
}
