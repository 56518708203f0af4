import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { conditionsOf, type Finding } from "../operators/conditions.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { ownedBy, read } from "../operators/objects.ts";
import { type Package, packageOf, packages, sources } from "./catalog.ts";
import { ensure, type InstallPlan, type SubscriptionObject } from "./objects.ts";

const coreos = "operators.coreos.com/v1alpha1";

/** OLM's catalog operator: creates the InstallPlan and the other objects of a Subscription's version. */
export function subscriptions(cluster: KubeCluster, marks: Marks): Controller {
  const beside = ({ metadata: { namespace = "" } }: KubeObject) =>
    cluster.list("Subscription", { namespace }).map(({ metadata }) => metadata);
  return {
    kind: "Subscription",
    also: { InstallPlan: beside, ClusterServiceVersion: beside },
    reconcile(object) {
      const subscription = read<SubscriptionObject>(object);
      const { uid } = subscription.metadata;
      const due = marks.begin(uid, "asked") + durations.guest.resolve;
      if (cluster.clock.now() < due) return due;
      const found = resolve(subscription);
      if (typeof found === "string") setProblem(cluster, subscription, found);
      else follow(cluster, subscription, found);
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

/** The package of a Subscription, or the message of OLM's resolver when there is none. */
function resolve({ metadata, spec }: SubscriptionObject): Package | string {
  const by = `referenced by subscription ${metadata.name}, subscription ${metadata.name} exists`;
  const refused = (why: string) => `constraints not satisfiable: no operators found ${why} ${by}`;
  const { source, sourceNamespace, name, channel } = spec;
  if (!sources.includes(source) || sourceNamespace !== "openshift-marketplace") {
    return refused(`from catalog ${source} in namespace ${sourceNamespace}`);
  }
  const found = packages.find((one) => one.name === name && one.source === source);
  if (!found) return refused(`in package ${name} in the catalog`);
  if (found.channels.includes(channel)) return found;
  return refused(`in channel ${channel} of package ${name} in the catalog`);
}

function setProblem(cluster: KubeCluster, object: SubscriptionObject, message: string): void {
  const type = "ResolutionFailed";
  const finding = { type, status: true, reason: "ConstraintsNotSatisfiable", message };
  setStatus(cluster, object, [healthy, finding], {});
}

const healthy: Finding = {
  type: "CatalogSourcesUnhealthy",
  status: false,
  reason: "AllCatalogSourcesHealthy",
  message: "all available catalogsources are healthy",
};

/** Requests the version's installation, and reports its progress in the Subscription. */
function follow(cluster: KubeCluster, object: SubscriptionObject, found: Package): void {
  const { namespace, uid } = object.metadata;
  const plan = read<InstallPlan>(
    ensure(cluster, {
      apiVersion: coreos,
      kind: "InstallPlan",
      metadata: {
        ...(namespace && { namespace }),
        name: `install-${uid.slice(0, 5)}`,
        ownerReferences: [ownedBy(object)],
      },
      spec: { approved: true, clusterServiceVersionNames: [found.version] },
    }),
  );
  const isInstalled = cluster.get("ClusterServiceVersion", namespace, found.version) !== undefined;
  const pending: Finding = {
    type: "InstallPlanPending",
    status: true,
    reason: "Installing",
    message: plan.status?.message ?? "",
  };
  setStatus(cluster, object, isInstalled ? [healthy] : [healthy, pending], {
    state: isInstalled ? "AtLatestKnown" : "UpgradePending",
    currentCSV: found.version,
    ...(isInstalled && { installedCSV: found.version }),
    installPlanRef: {
      apiVersion: coreos,
      kind: "InstallPlan",
      name: plan.metadata.name,
      namespace,
    },
  });
}

function setStatus(
  cluster: KubeCluster,
  { metadata, status }: SubscriptionObject,
  findings: Finding[],
  rest: Record<string, unknown>,
): void {
  const conditions = conditionsOf(status?.conditions, findings, { now: cluster.clock.now() });
  const { namespace, name } = metadata;
  cluster.patchStatus("Subscription", namespace, name, () => ({ ...rest, conditions }));
}

/** Executes InstallPlans: CustomResourceDefinitions first, then the ClusterServiceVersion. */
export function installPlans(cluster: KubeCluster, marks: Marks): Controller {
  return {
    kind: "InstallPlan",
    also: {
      OperatorGroup: ({ metadata: { namespace = "" } }) =>
        cluster.list("InstallPlan", { namespace }).map(({ metadata }) => metadata),
    },
    reconcile(object) {
      const plan = read<InstallPlan>(object);
      const { uid, namespace = "", name } = plan.metadata;
      if (plan.status?.phase === "Complete") return undefined;
      const wrong = wrongGroups(cluster.list("OperatorGroup", { namespace }).length);
      const due = marks.begin(uid, "planned") + durations.guest.install;
      if (wrong || cluster.clock.now() < due) {
        const status = { phase: "Installing", ...(wrong && { message: wrong }) };
        cluster.patchStatus("InstallPlan", namespace, name, () => status);
        return wrong ? undefined : due;
      }
      for (const version of plan.spec.clusterServiceVersionNames) {
        install(cluster, namespace, version);
      }
      cluster.patchStatus("InstallPlan", namespace, name, () => ({ phase: "Complete" }));
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function wrongGroups(count: number): string | undefined {
  if (count === 0) return "no operator group found that is managing this namespace";
  if (count === 1) return undefined;
  return `more than one operator group(s) are managing this namespace count=${count}`;
}

function install(cluster: KubeCluster, namespace: string, version: string): void {
  const found = packageOf(version);
  for (const definition of found?.definitions ?? []) {
    const [plural, ...group] = definition.split(".");
    ensure(cluster, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: definition },
      spec: { group: group.join("."), names: { plural } },
    });
  }
  ensure(cluster, {
    apiVersion: coreos,
    kind: "ClusterServiceVersion",
    metadata: { namespace, name: version },
    spec: { displayName: found?.displayName ?? version },
  });
}
