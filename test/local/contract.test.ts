import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { getJson } from "../../local/kubeconfig-client.ts";
import { sharedDev, until } from "../support/dev-process.ts";
import type { Wire } from "../support/site.ts";

/** The names that programs outside the repository rely on (docs/local.md#the-data-folder), at the real process. */

const slipway = sharedDev();

const hasKubectl = (() => {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const kubectl = (kubeconfig: string, ...args: string[]): string =>
  execFileSync("kubectl", ["--kubeconfig", kubeconfig, ...args], { encoding: "utf8" });

const loopback = /^http:\/\/127\.0\.0\.1:\d+$/;

it("says in dev.json where everything is", () => {
  const { dev, data } = slipway();
  const url = expect.stringMatching(loopback);
  const token = expect.any(String);
  const hub = (id: string) => ({ id, kubeconfig: join(data, "hubs", `${id}.kubeconfig`) });
  expect(dev).toEqual({
    api: url,
    console: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    sim: url,
    stepfunctions: url,
    issuer: url,
    tokens: {
      ...{ admin: token, "tenant-a": token, "tenant-b": token },
      ...{ operator: token, "tenant-a-member": token, "tenant-b-member": token },
    },
    hubs: [hub("hub-a"), hub("hub-b")],
  });
});

it("keeps what is secret from other users of the machine", () => {
  const { dev, data } = slipway();
  for (const file of ["dev.json", "issuer.json", "secrets.json", "secrets.key"])
    expect(statSync(join(data, file)).mode & 0o077).toBe(0);
  for (const { kubeconfig } of dev.hubs) expect(statSync(kubeconfig).mode & 0o077).toBe(0);
});

it("gives out JWTs of its issuer, as its discovery document and key set say", async () => {
  const { issuer, tokens } = slipway().dev;
  const discovery: Wire = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  expect(discovery.issuer).toBe(issuer);
  const keys = createRemoteJWKSet(new URL(discovery.jwks_uri));
  const claims = async (token: string) => {
    expect(decodeProtectedHeader(token).alg).toBe("RS256");
    return (await jwtVerify(token, keys, { issuer, audience: "slipway" })).payload;
  };
  expect(await claims(tokens.admin)).toMatchObject({ sub: "admin", roles: ["provider-admin"] });
  for (const tenant of ["tenant-a", "tenant-b"] as const) {
    const payload = await claims(tokens[tenant]);
    expect(payload).toMatchObject({ organization: [tenant], roles: ["tenant-admin"] });
    const months = ((payload.exp ?? 0) - Date.now() / 1000) / (30 * 24 * 3600);
    expect(months).toBeGreaterThan(12);
  }
});

it("refuses a token that is changed, of another audience or missing", async () => {
  const { api, tokens } = slipway().dev;
  const status = async (authorization?: string) =>
    (
      await fetch(`${api}/api/fulfillment/v1/clusters`, {
        headers: authorization === undefined ? {} : { authorization },
      })
    ).status;
  const [header = "", payload = "", signature = ""] = tokens["tenant-a"].split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const raised = Buffer.from(JSON.stringify({ ...claims, roles: ["provider-admin"] }));
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  expect(await status(`Bearer ${tokens["tenant-a"]}`)).toBe(200);
  expect(await status(`Bearer ${header}.${raised.toString("base64url")}.${signature}`)).toBe(401);
  expect(await status(`Bearer ${none}.${payload}.`)).toBe(401);
  expect(await status()).toBe(401);
});

it("has a seeded world: hubs, hosts, switches, and hosts become available", async () => {
  const { admin, sim, ledger } = slipway();
  const { items: hubs } = (await admin("GET", "hubs")).body;
  expect(new Set(hubs.map(({ spec }: Wire) => spec.region)).size).toBe(2);

  const { items: machines } = (await sim("GET", "hosts")).body;
  expect(machines).toHaveLength(24);
  const nics: Wire[] = machines.flatMap((machine: Wire) => machine.nics);
  expect(new Set(machines.map((machine: Wire) => machine.host_type)).size).toBe(2);
  expect(new Set(nics.map((nic) => nic.switch)).size).toBe(4);
  expect(new Set(nics.map((nic) => `${nic.switch} ${nic.port}`)).size).toBe(nics.length);

  let hosts: Wire[] = [];
  const others = () => hosts.filter(({ status }) => status.state !== "HOST_STATE_AVAILABLE");
  await until(
    async () => {
      hosts = (await admin("GET", "hosts?limit=100")).body.items;
      return others().length === 0;
    },
    "all hosts to be available",
    () => others().map(({ metadata, status }) => ({ name: metadata.name, ...status })),
  );
  expect(hosts.map(({ id }) => id).toSorted()).toEqual(
    machines.map(({ id }: Wire) => id).toSorted(),
  );
  const listed = (await ledger()).filter(({ kind }) => kind === "host");
  expect(listed.map(({ id }) => id).toSorted()).toEqual(hosts.map(({ id }) => id).toSorted());
});

it("has sample templates and versions that an order needs nothing else for", async () => {
  const { api } = slipway();
  const { body: template } = await api("GET", "cluster_templates/ocp_4_17_small");
  expect(template).toMatchObject({
    id: "ocp_4_17_small",
    metadata: { name: "ocp-4-17-small" },
    node_sets: { workers: { size: 2 } },
  });
  expect(template.parameters.length).toBeGreaterThan(0);
  for (const parameter of template.parameters) expect(parameter).toHaveProperty("default");
  const { body: versions } = await api("GET", "cluster_versions");
  expect(versions.items.filter(({ spec }: Wire) => spec.is_default)).toHaveLength(1);
  expect(versions.items.length).toBeGreaterThan(1);
});

it("answers the ledger: everything outside, with the order it belongs to", async () => {
  const { order, succeeded, ledger, remove } = slipway();
  const before = await ledger();
  for (const item of before) {
    expect(item).toEqual({
      kind: expect.stringMatching(/^\w+$/),
      id: expect.any(String),
      system: expect.stringMatching(/^(hardware|fabric|dns|storage|hub:hub-[ab])$/),
      owner: null,
    });
  }
  const { id, operation } = await order("owner");
  await succeeded(operation);
  const owned = (await ledger()).filter(({ owner }) => owner !== null);
  expect(owned.length).toBeGreaterThan(10);
  for (const { owner } of owned) expect(owner).toEqual({ tenant: "tenant-a", kind: "cluster", id });
  await remove(id);
  expect(await ledger()).toEqual(before);
});

it("serves hubs and hosted clusters to whoever has their kubeconfig", async () => {
  const { dev, order, succeeded, remove, data } = slipway();
  const { id, operation } = await order("reachable");
  await succeeded(operation);
  const response = await fetch(`${dev.api}/api/fulfillment/v1/clusters/${id}/kubeconfig`, {
    headers: { authorization: `Bearer ${dev.tokens["tenant-a"]}` },
  });
  const kubeconfig = await response.text();
  const nodes: Wire = await getJson(kubeconfig, "/api/v1/nodes");
  expect(nodes.items).toHaveLength(2);
  const found = await Promise.all(
    dev.hubs.map(async (hub): Promise<Wire> => {
      const path = "/apis/hypershift.openshift.io/v1beta1/hostedclusters";
      return getJson(readFileSync(hub.kubeconfig, "utf8"), path);
    }),
  );
  const [hosted] = found.flatMap(({ items }) => items);
  expect(hosted.metadata.labels["slipway.dev/cluster"]).toBe(id);
  const managers = hosted.metadata.managedFields.map(({ manager }: Wire) => manager);
  expect(managers).toContain("slipway");

  if (hasKubectl) {
    const names = dev.hubs.map((hub) =>
      kubectl(hub.kubeconfig, "get", "hostedclusters", "-A", "-o", "name").trim(),
    );
    expect(names.filter(Boolean)).toEqual([
      `hostedcluster.hypershift.openshift.io/${hosted.metadata.name}`,
    ]);
    const file = join(data, "tenant.kubeconfig");
    writeFileSync(file, kubeconfig);
    expect(kubectl(file, "get", "nodes", "-o", "name").match(/^node\//gm)).toHaveLength(2);
  }
  await remove(id);
});
