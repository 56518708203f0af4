import { ownerOf } from "../../core/at-site/owner.ts";
import { AppError } from "../../core/error.ts";
import { mustSee } from "../../core/kernel/request/caller.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import type { ClusterCredentials } from "../../core/ports/hub/credentials/port.ts";
import type { Owner } from "../../core/ports/owner.ts";
import { fromHub } from "../../core/resources/cluster/from-hub.ts";
import { openUpgrades } from "../../core/resources/cluster/upgrade-path.ts";
import type { Call } from "./call.ts";
import { credentialRoutes } from "./credentials.ts";
import { pageSchema } from "./list/list.ts";
import { view } from "./registry.ts";
import { prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

/** Routes of clusters besides collection and actions: credentials, and available upgrades. */
export const clusterRoutes: Route[] = [
  ...credentialRoutes,
  route({
    area: "public",
    subject: "cluster",
    verb: "credentials",
    method: "GET",
    path: `${prefixes.public}/clusters/{id}/kubeconfig`,
    summary: "Get a kubeconfig",
    description:
      "It belongs to the cluster's first administrator; it is read from the hub and stored nowhere else.",
    isCredential: true,
    mediaType: "application/yaml",
    handle: (call) =>
      secretAnswer(
        call,
        "application/yaml",
        (credentials, owner) => credentials.readKubeconfig(owner),
        (id) => `kubeconfig for cluster with identifier '${id}' isn't yet available`,
      ),
  }),
  route({
    area: "public",
    subject: "cluster",
    verb: "credentials",
    method: "GET",
    path: `${prefixes.public}/clusters/{id}/password`,
    summary: "Get a password",
    description:
      "It belongs to the cluster's first administrator; it is read from the hub and stored nowhere else.",
    isCredential: true,
    mediaType: "text/plain",
    handle: (call) =>
      secretAnswer(
        call,
        "text/plain",
        (credentials, owner) => credentials.readPassword(owner),
        (id) => `password for cluster with identifier '${id}' isn't available yet`,
      ),
  }),
  upgradesRoute("public"),
  upgradesRoute("private"),
];

function upgradesRoute(area: Area): Route {
  return route({
    area,
    subject: "cluster",
    verb: "upgrades",
    method: "GET",
    path: `${prefixes[area]}/clusters/{id}/upgrades`,
    summary: "List upgrades",
    description: "The versions to which the cluster can be upgraded, the lowest first.",
    response: () => pageSchema(schemaIn(area, "cluster_version")),
    handle: upgradesAnswer,
  });
}

async function upgradesAnswer(call: Call): Promise<Response> {
  const { deps, caller, profile, area } = call;
  const cluster = await mustSee(deps, caller, "cluster", call.param("id"));
  const versions = await openUpgrades(deps, cluster);
  const items = versions.map((version) => view(version, { profile, private: area === "private" }));
  return call.c.json({ size: items.length, total: items.length, items });
}

/** Answers a secret that is read from the hub at each request, and stored nowhere. */
async function secretAnswer(
  call: Call,
  mediaType: string,
  read: (credentials: ClusterCredentials, owner: Owner) => Promise<string | undefined>,
  notYet: (id: string) => string,
): Promise<Response> {
  const cluster = await mustSee(call.deps, call.caller, "cluster", call.param("id"));
  const { placement } = cluster;
  const secret =
    placement &&
    (await fromHub(call.deps, placement.hub, (credentials) => read(credentials, ownerOf(cluster))));
  if (secret === undefined) throw new AppError("NotFound", notYet(cluster.id));
  return call.c.body(secret, 200, { "Content-Type": mediaType, "Cache-Control": "no-store" });
}
