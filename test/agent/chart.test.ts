import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { startAgent } from "../../agent/agent.ts";
import { settingsIn } from "../../agent/settings.ts";
import { agentValues } from "../../cli/agent-values.ts";
import { printRights } from "../../cli/hubs.ts";
import { systemClock } from "../../core/clock.ts";
import { parseYaml, readYaml } from "../../core/kernel/input/yaml.ts";
import { silent } from "../../core/log.ts";
import { newsKinds, reportedKinds } from "../../core/ports/hub/reported-kinds.ts";
import { rightsObjects } from "../../core/ports/hub/rights-objects.ts";
import { kubernetesApi } from "../../sim/kubernetes/api.ts";
import { eventually } from "../support/eventually.ts";
import { type Manifest, merged, readValues, renderChart, type Values } from "../support/helm.ts";
import { TestHub } from "../support/hub-api.ts";
import { recording } from "../support/terminal.ts";

/** The Helm chart, as rendered by a small reader of ours; `helm` itself is not needed. */

const chart = fileURLToPath(new URL("../../agent/chart", import.meta.url));
const least = readValues(
  agentValues({ hub: "hub-a", api: "https://api.example.com", token: "t0k3n" }),
);

const render = (values: Values = {}): Manifest[] => renderChart(chart, { ...least, ...values });
const only = (manifests: Manifest[], kind: string): Manifest => {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
};
const podOf = (manifests: Manifest[]) => only(manifests, "Deployment").spec.template.spec;

interface Grant {
  /** Absent: everywhere. */
  namespace?: string;
  group: string;
  resource: string;
  verb: string;
}

function grantsIn(manifests: Manifest[]): Grant[] {
  return manifests
    .filter(({ kind }) => kind === "Role" || kind === "ClusterRole")
    .flatMap(({ kind, metadata, rules }) =>
      rules.flatMap((rule: { apiGroups: string[]; resources: string[]; verbs: string[] }) =>
        rule.apiGroups.flatMap((group) =>
          rule.resources.flatMap((resource) =>
            rule.verbs.map((verb) => ({
              ...(kind === "Role" && { namespace: metadata.namespace }),
              group,
              resource,
              verb,
            })),
          ),
        ),
      ),
    );
}

const words = ({ namespace, group, resource, verb }: Grant) =>
  `${verb} ${resource}.${group}${namespace === undefined ? "" : ` in ${namespace}`}`;

it("names and values that YAML 1.1 takes for no text stay text", () => {
  const values = { inventoryNamespace: "on", logLevel: "off", hub: "no", caConfigMap: "0400" };
  const manifests = renderChart(chart, { ...least, ...values }, { Name: "y", Namespace: "1e3" });
  expect(only(manifests, "Deployment").metadata).toMatchObject({ name: "y", namespace: "1e3" });
  const { containers, volumes, serviceAccountName } = podOf(manifests);
  expect(serviceAccountName).toBe("y");
  const { env } = containers[0];
  expect(env).toContainEqual({ name: "SLIPWAY_HUB", value: "no" });
  expect(env).toContainEqual({ name: "SLIPWAY_LOG_LEVEL", value: "off" });
  expect(JSON.stringify(volumes)).toContain('"name":"0400"');
  expect(only(manifests, "Role").metadata).toEqual({ name: "y", namespace: "on" });
});

it.each(["no", "off", "y", "0400", "1e3", "null", "2026-11-28"])(
  "what the command line writes for a hub named %s, Helm and kubectl read as that text",
  async (name) => {
    const api = "https://api.example.com";
    for (const token of [undefined, name])
      expect(readYaml(agentValues({ hub: name, api, ...(token && { token }) }))).toMatchObject({
        ...{ hub: name, api },
        ...(token && { token }),
      });
    const { around, written } = recording({
      fetch: async () => new Response(),
      now: () => 0,
      pause: async () => {},
    });
    await printRights({ around, words: [], options: { name, namespace: name } });
    const { documents, errors } = parseYaml(written.out);
    expect(errors).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual(
      JSON.parse(JSON.stringify(rightsObjects({ name, namespace: name }))),
    );
  },
);

it("grants listing and watching of what the agent watches, and nothing else", () => {
  const needed = newsKinds.flatMap((kind) =>
    ["list", "watch"].map((verb) => {
      const { group, plural, selection } = reportedKinds[kind];
      const { namespace } = selection;
      return words({
        ...(namespace !== undefined && { namespace }),
        group,
        resource: plural,
        verb,
      });
    }),
  );
  expect(grantsIn(render()).map(words).toSorted()).toEqual(needed.toSorted());
});

it("grants what a running agent asks of a hub, and all of it is asked", async () => {
  const grants = new Set(grantsIn(render()).map(words));
  const asked = new Set<string>();
  const hub = new TestHub();
  hub.createAgent("host-1");
  const api = kubernetesApi(hub.cluster, {
    authenticate: () => "agent",
    authorize: (attributes) => {
      asked.add(words(attributes));
      return grants.has(words(attributes));
    },
  });
  const news: string[] = [];
  const agent = startAgent({
    connection: { server: "https://hub.example.com", token: "any" },
    fetch: async (input, init) => api(new Request(input, init)),
    report: async (message) => void news.push(...message.news.map(({ kind }) => kind)),
    clock: systemClock,
    wall: systemClock,
    log: silent,
    heartbeatEvery: 180_000,
    apart: 0,
  });
  onTestFinished(() => agent.stop());
  await eventually(() => expect(asked).toEqual(grants));
  await eventually(() => expect(agent.state().unwatched).toEqual([]));
  expect(news).toEqual(["Agent"]);
});

it("binds each role to the agent's own service account", () => {
  const manifests = render();
  const account = only(manifests, "ServiceAccount").metadata;
  expect(podOf(manifests).serviceAccountName).toBe(account.name);
  for (const kind of ["Role", "ClusterRole"]) {
    const role = only(manifests, kind).metadata;
    const { metadata, roleRef, subjects } = only(manifests, `${kind}Binding`);
    expect(metadata.namespace).toBe(role.namespace);
    expect(roleRef).toMatchObject({ kind, name: role.name });
    expect(subjects).toEqual([{ kind: "ServiceAccount", ...account }]);
  }
});

it("runs one agent without privileges, with probes and limits", () => {
  const { spec } = only(render(), "Deployment");
  expect(spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
  expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  const pod = spec.template.spec;
  expect(pod.securityContext.runAsNonRoot).toBe(true);
  const [container] = pod.containers;
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "health" });
  expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "health" });
  expect(container.resources.limits.memory).toBe("512Mi");
  // What a hub of 2,000 objects takes: a pod that has more than it requests is evicted first.
  expect(container.resources.requests.memory).toBe("256Mi");
  const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
  expect(mounted).toEqual(pod.volumes.map(({ name }: { name: string }) => name));
});

it("gives the agent settings that it takes, and all files that they name", () => {
  const pod = podOf(render({ queue: { megabytes: 7 }, heartbeatSeconds: 30, logLevel: "warn" }));
  const [{ env, ports, volumeMounts }] = pod.containers;
  const given = Object.fromEntries(env.map(({ name, value }: Manifest) => [name, value]));
  const inPod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const settings = settingsIn({ ...given, ...inPod });
  expect(settings).toMatchObject({
    hub: "hub-a",
    home: { api: "https://api.example.com", tokenFile: "/etc/slipway/token" },
    queueLimit: 7 * 1024 * 1024,
    heartbeatEvery: 30_000,
    health: { port: ports[0].containerPort },
    level: "warn",
  });
  const folders = volumeMounts.map(({ mountPath }: Manifest) => mountPath);
  expect(folders).toEqual([settings.queue, "/etc/slipway"]);
});

it("keeps the token in a Secret, and makes none where one is named", () => {
  const own = render();
  const secret = only(own, "Secret");
  expect(secret.stringData).toEqual({ token: "t0k3n" });
  expect(podOf(own).volumes[1].secret.secretName).toBe(secret.metadata.name);
  expect(JSON.stringify(own.filter(({ kind }) => kind !== "Secret"))).not.toContain("t0k3n");
  const named = render({ token: "", existingSecret: "mine" });
  expect(named.some(({ kind }) => kind === "Secret")).toBe(false);
  expect(podOf(named).volumes[1].secret.secretName).toBe("mine");
});

it("reports to the bus with its service account's own token, and has no Secret then", () => {
  const arn = "arn:aws:events:eu-west-1:123456789012:event-bus/hubs";
  const roleArn = "arn:aws:iam::123456789012:role/hub-a";
  const values = { hub: "hub-a", api: "", token: "", eventBus: { arn, roleArn } };
  expect(isValid(values)).toBe(true);
  const manifests = render(values);
  expect(manifests.some(({ kind }) => kind === "Secret")).toBe(false);
  const pod = podOf(manifests);
  const [{ env }] = pod.containers;
  const given = Object.fromEntries(env.map(({ name, value }: Manifest) => [name, value]));
  const { home } = settingsIn({ ...given, KUBERNETES_SERVICE_HOST: "10.0.0.1" });
  expect(home).toEqual({ bus: arn });
  expect(given).toMatchObject({
    AWS_ROLE_ARN: roleArn,
    AWS_WEB_IDENTITY_TOKEN_FILE: "/etc/slipway/token",
  });
  const [source] = pod.volumes[1].projected.sources;
  expect(source.serviceAccountToken).toMatchObject({
    path: "token",
    audience: "sts.amazonaws.com",
  });
});

it("has a helper beside it for IAM Roles Anywhere", () => {
  const helper = { name: "credentials", image: "helper:1" };
  const metadata = { name: "AWS_EC2_METADATA_SERVICE_ENDPOINT", value: "http://127.0.0.1:9911" };
  const { containers } = podOf(render({ extraContainers: [helper], extraEnv: [metadata] }));
  expect(containers[0].env).toContainEqual(metadata);
  expect(containers.slice(1)).toEqual([helper]);
});

it("keeps the queue on a volume of its own, or with the pod", () => {
  const kept = render({ queue: { storageClass: "fast" } });
  const { metadata, spec } = only(kept, "PersistentVolumeClaim");
  expect(spec.storageClassName).toBe("fast");
  expect(podOf(kept).volumes[0].persistentVolumeClaim.claimName).toBe(metadata.name);
  const passing = render({ queue: { persistent: false } });
  expect(passing.some(({ kind }) => kind === "PersistentVolumeClaim")).toBe(false);
  expect(podOf(passing).volumes[0].emptyDir).toEqual({ sizeLimit: "256Mi" });
});

it("trusts a private authority, and runs where it is told", () => {
  const pod = podOf(
    render({
      caConfigMap: "home-ca",
      nodeSelector: { role: "infra" },
      tolerations: [{ key: "infra", operator: "Exists" }],
      imagePullSecrets: [{ name: "registry" }],
      podSecurityContext: { fsGroup: 1000 },
    }),
  );
  const [{ env }] = pod.containers;
  expect(env).toContainEqual({ name: "NODE_EXTRA_CA_CERTS", value: "/etc/slipway-ca/ca.crt" });
  expect(pod).toMatchObject({
    nodeSelector: { role: "infra" },
    tolerations: [{ key: "infra", operator: "Exists" }],
    imagePullSecrets: [{ name: "registry" }],
    securityContext: { runAsNonRoot: true, fsGroup: 1000 },
  });
});

const read = (name: string) => readFileSync(`${chart}/${name}`, "utf8");
// Apart, because zod takes a member that one of two schemas knows for known.
const { anyOf, ...members } = JSON.parse(read("values.schema.json"));
const schemas = [members, { anyOf }].map((schema) => z.fromJSONSchema(schema));
const isValid = (values: Values) => {
  const all = merged(readValues(read("values.yaml")), values);
  return schemas.every((schema) => schema.safeParse(all).success);
};

it("its schema takes what the chart needs", () => {
  expect(isValid(least)).toBe(true);
  expect(isValid({ ...least, token: "", existingSecret: "mine" })).toBe(true);
});

it.each([
  ["no hub", { hub: "" }],
  ["an API without TLS", { api: "http://api.example.com" }],
  ["no token at all", { token: "" }],
  ["no home at all", { api: "" }],
  ["two homes", { token: "", eventBus: { arn: "arn:aws:events:eu-west-1:1:event-bus/hubs" } }],
  ["a value that does not exist", { tokne: "x" }],
  ["a heartbeat that is too slow", { heartbeatSeconds: 3600 }],
  ["a size of nothing", { queue: { size: "0Mi" } }],
])("its schema refuses %s", (_, values) => {
  expect(isValid(merged(least, values))).toBe(false);
});
