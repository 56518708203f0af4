import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../../core/clock.ts";
import type { OperatorRequest } from "../../../core/ports/guest/guest.ts";
import { operatorObjects } from "../../../core/ports/guest/kubernetes/objects.ts";
import type { KubeInput } from "../../../sim/kubernetes/cluster.ts";
import type { Node } from "../../../sim/operators/nodes.ts";
import { read } from "../../../sim/operators/objects.ts";
import { type TestGuest, testGuest } from "../../support/guest.ts";
import { deployment, operatorRequest } from "../../support/guest-orders.ts";
import { condition } from "../../support/sim-world.ts";

let guest: TestGuest;

const gpuOperator = operatorRequest({
  package: "gpu-operator-certified",
  source: "certified-operators",
  namespace: "nvidia-gpu-operator",
});

beforeEach(async () => {
  guest = testGuest();
  guest.join("fc430-1");
  guest.joinGpuServer("h100-1");
  install(operatorRequest());
  install(gpuOperator);
  await guest.clock.advance(minutes(3));
});

afterEach(() => guest.stop());

function install(request: OperatorRequest): void {
  for (const object of operatorObjects(request)) guest.cluster.create(object as KubeInput);
}

/** `config` as the members of `sources.pci`, or a text. */
function discover(config: object | string = { deviceLabelFields: ["vendor"] }): void {
  const configData =
    typeof config === "string" ? config : JSON.stringify({ sources: { pci: config } });
  guest.cluster.create({
    apiVersion: "nfd.openshift.io/v1",
    kind: "NodeFeatureDiscovery",
    metadata: { namespace: "openshift-nfd", name: "nfd" },
    spec: { workerConfig: { configData } },
  });
}

const policy = (spec: object = {}): KubeInput => ({
  apiVersion: "nvidia.com/v1",
  kind: "ClusterPolicy",
  metadata: { name: "gpus" },
  spec: {
    operator: { defaultRuntime: "crio" },
    daemonsets: {},
    driver: {},
    toolkit: {},
    devicePlugin: {},
    dcgm: {},
    dcgmExporter: {},
    gfd: {},
    nodeStatusExporter: {},
    ...spec,
  },
});

const sharing = (data: object = { any: timeSlices(4) }): KubeInput => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: gpuOperator.namespace, name: "sharing" },
  data,
});
const timeSlices = (replicas: number) =>
  JSON.stringify({
    version: "v1",
    sharing: { timeSlicing: { resources: [{ name: "nvidia.com/gpu", replicas }] } },
  });
const shared = { devicePlugin: { config: { name: "sharing", default: "any" } } };

function node(name: string): Node {
  const found = guest.cluster.get("Node", undefined, name);
  if (!found) throw new Error(`there is no node ${name}`);
  return read<Node>(found);
}

const found = (name: string) =>
  Object.keys(node(name).metadata.labels ?? {}).filter((label) => label.includes("/pci-"));
const offered = (name = "h100-1") => node(name).status?.allocatable?.["nvidia.com/gpu"];
const state = () =>
  (guest.cluster.get("ClusterPolicy", undefined, "gpus")?.status as { state?: string })?.state;

describe("NFD", () => {
  it.each([
    [{ deviceLabelFields: ["vendor"] }, ["feature.node.kubernetes.io/pci-10de.present"]],
    [{}, ["feature.node.kubernetes.io/pci-0302_10de.present"]],
    [{ deviceClassWhitelist: ["0200"] }, []],
  ])("told %o labels the node with the GPU %o, and no other", async (config, labels) => {
    discover(config);
    await guest.clock.advance(minutes(1));
    expect(found("h100-1")).toEqual(labels);
    expect(found("fc430-1")).toEqual([]);
  });

  it("labels a node that joins later, and takes back what it is told to leave out", async () => {
    discover();
    guest.joinGpuServer("h100-2");
    await guest.clock.advance(minutes(1));
    expect(found("h100-2")).toHaveLength(1);
    guest.cluster.patch("NodeFeatureDiscovery", "openshift-nfd", "nfd", (object) => ({
      ...object,
      spec: { workerConfig: { configData: "sources: {pci: {deviceClassWhitelist: []}}" } },
    }));
    await guest.clock.advance(seconds(1));
    expect(found("h100-2")).toEqual([]);
  });

  it("labels nothing with a configuration that it cannot read", async () => {
    discover("sources: [");
    await guest.clock.advance(minutes(1));
    expect(found("h100-1")).toEqual([]);
  });
});

describe("a ClusterPolicy", () => {
  const offers = async (spec: object = {}) => {
    discover();
    guest.cluster.create(policy(spec));
    await guest.clock.advance(minutes(10));
    return offered();
  };

  it("offers the GPUs of a labelled node after a while, and nothing elsewhere", async () => {
    discover();
    guest.cluster.create(policy());
    await guest.clock.advance(minutes(2));
    expect([offered(), state()]).toEqual([undefined, "notReady"]);
    await guest.clock.advance(minutes(3));
    expect([offered(), state()]).toEqual(["8", "ready"]);
    expect(node("h100-1").status?.capacity).toEqual({ "nvidia.com/gpu": "8" });
    expect(offered("fc430-1")).toBeUndefined();
  });

  it("finds no GPU without NFD", async () => {
    guest.cluster.create(policy());
    await guest.clock.advance(minutes(30));
    expect([offered(), state()]).toEqual([undefined, "ready"]);
  });

  it("offers each GPU as often as the time slices of its plugin say", async () => {
    guest.cluster.create(sharing());
    expect(await offers(shared)).toBe("32");
    guest.cluster.patch("ConfigMap", gpuOperator.namespace, "sharing", (object) => ({
      ...object,
      data: { any: timeSlices(2) },
    }));
    await guest.clock.advance(seconds(1));
    expect(offered()).toBe("16");
  });

  it.each([
    ["whose configuration is not there", undefined],
    ["whose configuration lacks the default", { other: timeSlices(2) }],
    ["that is to share a GPU with nobody", { any: timeSlices(1) }],
  ])("with a plugin %s offers none", async (_, data) => {
    if (data) guest.cluster.create(sharing(data));
    expect(await offers(shared)).toBeUndefined();
    expect(state()).toBe("notReady");
  });

  it.each(["driver", "toolkit", "devicePlugin"])("without its %s offers none", async (part) => {
    expect(await offers({ [part]: { enabled: false } })).toBeUndefined();
  });

  it("that is not whole, or says more, is refused", () => {
    const { gfd: _, ...rest } = policy().spec as Record<string, object>;
    const create = (spec: object) => () => guest.cluster.create({ ...policy(), spec });
    expect(create(rest)).toThrow(/spec\.gfd: Required value/);
    const { spec } = policy({ devicePlugin: { configs: {} } });
    expect(create(spec as object)).toThrow(/unknown field "spec\.devicePlugin\.configs"/);
  });

  it("goes on after the cluster was opened again", async () => {
    discover();
    guest.cluster.create(policy());
    for (let opened = 0; opened < 12; opened += 1) {
      await guest.clock.advance(seconds(30));
      await guest.client.close();
      guest = guest.reopen();
    }
    expect(offered()).toBe("8");
  });
});

describe("pods", () => {
  const asking = (gpus: number) => ({
    containers: [
      { name: "test", image: "test:1", resources: { limits: { "nvidia.com/gpu": gpus } } },
    ],
  });
  const ask = (name: string, gpus: number, spec: object = {}) =>
    guest.cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "default", name },
      spec: { restartPolicy: "Never", ...asking(gpus), ...spec },
    });
  const pod = (name: string) => guest.cluster.get("Pod", "default", name);
  const placeOf = (name: string) =>
    (pod(name)?.spec as { nodeName?: string } | undefined)?.nodeName;
  const words = (name: string) => condition(pod(name), "PodScheduled").message;

  beforeEach(async () => {
    discover();
    guest.cluster.create(policy());
    await guest.clock.advance(minutes(10));
  });

  it("that ask for GPUs go to a node with as many left; another waits until one has ended", async () => {
    ask("first", 6);
    await guest.clock.advance(seconds(1));
    ask("second", 3);
    ask("third", 2);
    await guest.clock.advance(seconds(1));
    expect([placeOf("first"), placeOf("second"), placeOf("third")]).toEqual([
      "h100-1",
      undefined,
      "h100-1",
    ]);
    expect(words("second")).toBe("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
    await guest.clock.advance(minutes(1));
    expect(placeOf("second")).toBe("h100-1");
  });

  it("that no node takes are told why of each node", async () => {
    guest.join("late");
    ask("picky", 9, { nodeSelector: { "feature.node.kubernetes.io/pci-10de.present": "true" } });
    await guest.clock.advance(seconds(1));
    expect(words("picky")).toBe(
      "0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
    );
  });

  it("of a Deployment that no node takes leave it unavailable", async () => {
    const web = deployment("web", "web:1");
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: asking(9) };
    const selector = { matchLabels: labels };
    guest.cluster.create({
      ...web,
      metadata: { namespace: "default", name: "web" },
      spec: { selector, template },
    } as KubeInput);
    const available = () =>
      condition(guest.cluster.get("Deployment", "default", "web"), "Available").status;
    await guest.clock.advance(minutes(5));
    expect(available()).toBe("False");
    guest.cluster.patch("Deployment", "default", "web", (object) => ({
      ...object,
      spec: { selector, template: { ...template, spec: asking(8) } },
    }));
    await guest.clock.advance(minutes(1));
    expect(available()).toBe("True");
  });
});
