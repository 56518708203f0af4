import { once } from "node:events";
import { connect } from "node:net";
import {
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kubernetesApi } from "../../../sim/kubernetes/api.ts";
import {
  type KeyPair,
  makeAuthority,
  makeServerCertificate,
} from "../../../sim/kubernetes/certificates.ts";
import { kubeconfig } from "../../../sim/kubernetes/kubeconfig.ts";
import { serveTls, type TlsServer } from "../../../sim/kubernetes/tls.ts";
import { eventually } from "../../support/eventually.ts";
import { openCluster, widget } from "./fixture.ts";

const { cluster } = openCluster();
let authority: KeyPair;
let server: TlsServer;

beforeAll(async () => {
  authority = await makeAuthority("hub-1");
  const identity = await makeServerCertificate(authority, ["127.0.0.1", "localhost"]);
  const authenticate = (token: string) => (token === "secret" ? "tester" : undefined);
  server = await serveTls(kubernetesApi(cluster, { authenticate }), { identity });
});

afterAll(() => server.close());

function config(token = "secret"): KubeConfig {
  const config = new KubeConfig();
  const options = { name: "hub-1", server: server.url, authority: authority.certificate, token };
  config.loadFromString(kubeconfig(options));
  return config;
}

function apply(api: KubernetesObjectApi, object: KubernetesObject) {
  const strategy = PatchStrategy.ServerSideApply;
  return api.patch(object, undefined, undefined, "slipway", true, strategy);
}

it("the Kubernetes client applies, reads, lists and deletes over TLS", async () => {
  const api = KubernetesObjectApi.makeApiClient(config());
  await apply(api, widget("a", { replicas: 2 }));
  await apply(api, widget("a", { size: "large" }));
  const reference = { ...widget("a"), metadata: { name: "a", namespace: "default" } };
  expect(await api.read(reference)).toMatchObject({ spec: { size: "large" } });
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "default" },
  };
  await apply(api, { ...secret, stringData: { key: "value" } } as KubernetesObject);
  const { items } = await api.list("example.com/v1", "Widget", "default");
  expect(items.map((item) => item.metadata?.name)).toEqual(["a"]);
  await api.delete(reference);
  await expect(api.read(reference)).rejects.toMatchObject({ code: 404 });
});

it("a wrong token is refused", async () => {
  const api = KubernetesObjectApi.makeApiClient(config("wrong"));
  await expect(api.list("example.com/v1", "Widget")).rejects.toThrow();
});

it("an informer sees what was there and what changes", async () => {
  cluster.create(widget("before"));
  const api = KubernetesObjectApi.makeApiClient(config());
  const list = () => api.list<KubernetesObject>("example.com/v1", "Widget", "default");
  const path = "/apis/example.com/v1/namespaces/default/widgets";
  const informer = makeInformer(config(), path, list);
  const seen: string[] = [];
  for (const verb of ["add", "update", "delete"] as const) {
    informer.on(verb, (object) => seen.push(`${verb} ${object.metadata?.name}`));
  }
  const connected = new Promise<void>((resolve) => informer.on("connect", () => resolve()));
  await informer.start();
  await connected;
  cluster.create(widget("after"));
  cluster.patchStatus("Widget", "default", "after", () => ({ phase: "Ready" }));
  cluster.delete("Widget", "default", "before");
  await eventually(() => expect(seen).toContain("delete before"));
  expect(seen).toEqual(["add before", "add after", "update after", "delete before"]);
  await informer.stop();
});

it("an authority made into text and back signs certificates that clients trust", async () => {
  const kept: KeyPair = JSON.parse(JSON.stringify(authority));
  const identity = await makeServerCertificate(kept, ["127.0.0.1"]);
  const authenticate = () => "tester";
  const other = await serveTls(kubernetesApi(cluster, { authenticate }), { identity });
  const config = new KubeConfig();
  config.loadFromString(
    kubeconfig({ name: "x", server: other.url, authority: authority.certificate, token: "t" }),
  );
  const api = KubernetesObjectApi.makeApiClient(config);
  await expect(api.list("v1", "Namespace")).resolves.toBeDefined();
  await other.close();
});

it("the server ends although somebody has connected and says nothing", async () => {
  const identity = await makeServerCertificate(authority, ["127.0.0.1"]);
  const silent = await serveTls(async () => new Response(null), { identity });
  const socket = connect(silent.port, "127.0.0.1");
  await once(socket, "connect");
  const cut = once(socket, "close");
  await silent.close();
  await cut;
});
