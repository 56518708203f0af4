import { systemClock } from "../../../core/clock.ts";
import { agentNamespace } from "../../../core/ports/hub/agents/port.ts";
import { KubernetesHub } from "../../../core/ports/hub/kubernetes-hub.ts";
import { reportedKinds } from "../../../core/ports/hub/reported-kinds.ts";
import type { Connection } from "../../../core/ports/kubernetes/connection.ts";
import { PooledConfig } from "../../../core/ports/kubernetes/connection.ts";
import { apiVersionOf, type KubeObject } from "../../../core/ports/kubernetes/kube-object.ts";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";
import { faulty } from "../../../sim/faulty.ts";
import type { AgentsFixture } from "../../core/ports/hub/fixture.ts";
import { deployment } from "../../support/deployment.ts";
import { eventually } from "../../support/eventually.ts";
import type { Oracle } from "./oracle.ts";

/** Slipway's own requests are cut after this, longer than the simulated slowness: a server that does not answer costs a test little. */
const timeout = 6500;

const agentKind = reportedKinds.Agent;
const agentNamed = (name: string) => ({
  apiVersion: apiVersionOf(agentKind),
  kind: "Agent",
  metadata: { namespace: agentNamespace, name },
});

/** Four free agents on the real server, and nothing of an owner's. Faults happen on the way to it. */
export async function oracleFixture({ admin, slipway }: Oracle): Promise<AgentsFixture> {
  await cleared(admin);
  const names = ["host-1", "host-2", "host-3", "host-4"];
  for (const name of names)
    await admin.apply({ ...agentNamed(name), spec: { approved: false, role: "" } } as never);
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const hubOf = (connection: Connection) => {
    const config = new PooledConfig(connection);
    const take = (operation: string) => faults.take("hub", operation);
    const handler = faulty((request) => sentOn(config, request), {
      ...{ take, clock: systemClock, wall: systemClock },
    });
    const hub = new KubernetesHub({
      ...{ connection, wall: systemClock, timeout, writeTimeout: timeout },
      fetch: async (input, init) => handler(new Request(input, init)),
    });
    return { hub, close: async () => void (await Promise.all([hub.close(), config.close()])) };
  };
  const [ours, others] = [hubOf(slipway), hubOf({ ...slipway, token: "a-wrong-token" })];
  const agent = async (name: string): Promise<KubeObject> => {
    const found = await admin.read(agentNamed(name));
    if (!found) throw new Error(`there is no agent ${name}`);
    return found;
  };
  return {
    hub: ours.hub,
    stranger: others.hub,
    faults,
    order: (size = 2) =>
      deployment({
        nodeSets: [
          {
            ...{ name: "workers", nodePool: "abcdefghij-workers", size },
            agents: names.slice(0, size),
          },
        ],
      }),
    run: (call) => call,
    ledger: async () => (await admin.list(agentKind)).items,
    agent: {
      labels: async (name) => (await agent(name)).metadata.labels ?? {},
      isApproved: async (name) => (await agent(name)).spec?.approved === true,
      label: (name, labels) => admin.change(agentNamed(name), () => ({ metadata: { labels } })),
      bind: (name, to) =>
        admin.change(agentNamed(name), () => ({
          spec: {
            clusterDeploymentName:
              to === undefined ? null : { name: to, namespace: `slipway-${to}` },
          },
        })),
    },
    close: async () => {
      await ours.close();
      await others.close();
      database.close();
      await cleared(admin);
    },
  };
}

/** The request over the network, by the connection's own authorities. */
async function sentOn(config: PooledConfig, request: Request): Promise<Response> {
  const { RequestContext, HttpMethod } = await import("@kubernetes/client-node");
  const context = new RequestContext(request.url, request.method as (typeof HttpMethod)["GET"]);
  await config.applySecurityAuthentication(context);
  for (const [name, value] of request.headers) context.setHeaderParam(name, value);
  const text = await request.text();
  if (text !== "") context.setBody(text);
  const answer = await config.send(context, request.signal);
  return new Response(await new Response(answer.body as ReadableStream).text(), {
    status: answer.status,
    headers: [...answer.headers],
  });
}

/** Removes what tests have made, and waits until it is gone. */
export async function cleared(admin: Oracle["admin"]): Promise<void> {
  const remove = async (kinds: readonly (keyof typeof reportedKinds)[]) => {
    for (const kind of kinds)
      for (const { metadata } of (await admin.list(reportedKinds[kind])).items) {
        const { name, namespace = "" } = metadata;
        const apiVersion = apiVersionOf(reportedKinds[kind]);
        const object = { apiVersion, kind, metadata: { name, namespace } };
        // What holds an object is a test's, which may have failed.
        await admin.change(object, (found) =>
          found?.metadata.finalizers ? ({ metadata: { finalizers: null } } as never) : undefined,
        );
        await admin.remove(object);
      }
  };
  await remove(["NodePool", "HostedCluster", "Agent"]);
  for (const { metadata } of await admin.listAll("metallb.io/v1beta1", "IPAddressPool")) {
    const { name, namespace = "" } = metadata;
    const pool = { apiVersion: "metallb.io/v1beta1", kind: "IPAddressPool" };
    await admin.remove({ ...pool, metadata: { name, namespace } });
  }
  const ours = async () =>
    (await admin.listAll("v1", "Namespace")).filter(({ metadata }) =>
      metadata.name.startsWith("slipway-"),
    );
  for (const { metadata } of await ours())
    await admin.remove({ apiVersion: "v1", kind: "Namespace", metadata: { name: metadata.name } });
  await eventually(async () => {
    const left = await ours();
    if (left.length > 0) throw new Error(`${left[0]?.metadata.name} is still being removed`);
  });
}
