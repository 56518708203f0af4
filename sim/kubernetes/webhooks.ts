import * as z from "zod";
import { type Clock, seconds, sleep } from "../../core/clock.ts";
import type { Verb } from "./authorization.ts";
import type { KubeCluster } from "./cluster.ts";
import type { ResourceKind } from "./object.ts";
import type { Route } from "./routes.ts";
import { objectSchema } from "./schema.ts";
import { internalError } from "./status.ts";

/** The validating webhooks of a cluster. In the simulated world nothing answers at their URLs, so calls hang. */

const webhookSchema = z.strictObject({
  name: z.string(),
  clientConfig: z.strictObject({ url: z.url(), caBundle: z.base64().optional() }),
  rules: z.array(
    z.strictObject({
      apiGroups: z.array(z.string()),
      apiVersions: z.array(z.string()),
      operations: z.array(z.enum(["*", "CREATE", "UPDATE", "DELETE", "CONNECT"])),
      resources: z.array(z.string()),
      scope: z.enum(["*", "Cluster", "Namespaced"]).default("*"),
    }),
  ),
  failurePolicy: z.enum(["Ignore", "Fail"]).default("Fail"),
  timeoutSeconds: z.int().min(1).max(30).default(10),
  sideEffects: z.enum(["None", "NoneOnDryRun"]),
  admissionReviewVersions: z.array(z.string()),
});
type Webhook = z.infer<typeof webhookSchema>;

export const webhookKind: ResourceKind = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  singular: "validatingwebhookconfiguration",
  namespaced: false,
  builtIn: true,
  spec: objectSchema({ webhooks: z.array(webhookSchema).optional() }),
};

/** Calls all webhooks that match a write, in parallel, and waits for all of them. */
export function askWebhooks(cluster: KubeCluster, wall: Clock) {
  return async (verb: Verb, route: Route): Promise<void> => {
    const operation = operationOf(cluster, verb, route);
    if (operation === undefined) return;
    const asked = cluster
      .list(webhookKind.kind)
      // The kind's schema has validated it.
      .flatMap(({ webhooks = [] }) => webhooks as Webhook[])
      .filter(({ rules }) => rules.some((rule) => concerns(rule, operation, route)));
    if (asked.length === 0) return;
    await sleep(wall, seconds(Math.max(...asked.map(({ timeoutSeconds }) => timeoutSeconds))));
    const failed = asked.find(({ failurePolicy }) => failurePolicy === "Fail");
    if (!failed) return;
    const { name, clientConfig, timeoutSeconds } = failed;
    throw internalError(
      `failed calling webhook "${name}": failed to call webhook: Post "${clientConfig.url}?timeout=${timeoutSeconds}s": context deadline exceeded`,
    );
  };
}

function operationOf(cluster: KubeCluster, verb: Verb, { kind, namespace = "", name }: Route) {
  switch (verb) {
    case "create":
      return "CREATE";
    case "update":
    case "patch":
      return name !== undefined && cluster.store.get(kind, { namespace, name })
        ? "UPDATE"
        : "CREATE";
    case "delete":
    case "deletecollection":
      return "DELETE";
    default:
      return undefined;
  }
}

function concerns(
  { apiGroups, apiVersions, operations, resources }: Webhook["rules"][number],
  operation: string,
  { kind, subresource }: Route,
): boolean {
  const resource = subresource ? `${kind.plural}/${subresource}` : kind.plural;
  const has = (all: readonly string[], one: string) => all.includes("*") || all.includes(one);
  return (
    has(apiGroups, kind.group) &&
    has(apiVersions, kind.version) &&
    has(operations, operation) &&
    (resources.includes("*/*") ||
      (subresource ? resources.includes(resource) : has(resources, resource)))
  );
}
