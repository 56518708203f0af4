import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "../../core/clock.ts";
import { metalLbNamespace } from "../../core/ports/hub/clusters/hypershift/objects.ts";
import { ownAccount } from "../../core/ports/hub/own-account.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { rightsObjects } from "../../core/ports/hub/rights-objects.ts";
import type { Connection } from "../../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import { hubKinds } from "../../sim/kinds.ts";
import { type FetchHandler, kubernetesApi } from "../../sim/kubernetes/api.ts";
import { makeAuthority, makeServerCertificate } from "../../sim/kubernetes/certificates.ts";
import { KubeCluster } from "../../sim/kubernetes/cluster.ts";
import { kubeconfig } from "../../sim/kubernetes/kubeconfig.ts";
import { rbac, serviceAccount } from "../../sim/kubernetes/rbac.ts";
import { serveTls } from "../../sim/kubernetes/tls.ts";

const token = "the-token";

/** A hub's API without operators: what nobody changes stays as it is. Slipway has its rights only. */
export class TestHub {
  readonly cluster = new KubeCluster({
    database: new DatabaseSync(":memory:"),
    name: "hub-1",
    kinds: hubKinds,
    clock: systemClock,
  });
  /** As the server saw them. */
  readonly requests: Request[] = [];
  /** Answers in place of the hub when it returns something. */
  intercept: (request: Request) => Response | Promise<Response> | undefined = () => undefined;
  readonly #api = kubernetesApi(this.cluster, {
    authenticate: (given) =>
      given === token ? serviceAccount(ownAccount.namespace, ownAccount.name) : undefined,
    authorize: rbac(this.cluster),
  });

  constructor() {
    for (const name of [agentNamespace, metalLbNamespace])
      this.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    for (const object of rightsObjects()) this.cluster.create(object);
  }

  readonly fetch: FetchHandler = async (request) => {
    this.requests.push(request);
    return (await this.intercept(request)) ?? this.#api(request);
  };

  createAgent(name: string, changes: { labels?: Record<string, string>; spec?: object } = {}) {
    this.cluster.create({
      apiVersion: "agent-install.openshift.io/v1beta1",
      kind: "Agent",
      metadata: {
        name,
        namespace: agentNamespace,
        ...(changes.labels && { labels: changes.labels }),
      },
      spec: { approved: false, role: "", ...changes.spec },
    });
  }

  agent(name: string) {
    return this.cluster.get("Agent", agentNamespace, name);
  }
}

/** Plain HTTP, to count connections. */
export async function servePlain(fetch: FetchHandler) {
  const server = createAdaptorServer({ fetch, createServer }) as Server;
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection: Connection = { server: `http://127.0.0.1:${port}`, token };
  return {
    connection,
    connections: () => connections,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** HTTPS, reached as a registered hub is: by its kubeconfig. */
export async function serveHub(fetch: FetchHandler) {
  const authority = await makeAuthority("hub-1");
  const identity = await makeServerCertificate(authority, ["127.0.0.1"]);
  const server = await serveTls(fetch, { identity });
  const text = kubeconfig({
    name: "hub-1",
    server: server.url,
    authority: authority.certificate,
    token,
  });
  return { kubeconfig: text, connection: parseKubeconfig(text), close: () => server.close() };
}

/** A refusal as an API server words it. */
export function refusal(code: number, reason: string, message: string): Response {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
  return Response.json(status, { status: code });
}
