import { PooledConfig } from "../../../core/ports/kubernetes/connection.ts";
import { apiVersionOf, type KubeObject } from "../../../core/ports/kubernetes/kube-object.ts";
import { faulty } from "../../../sim/faulty.ts";
import { hubKinds } from "../../../sim/kinds.ts";
import { webhookKind } from "../../../sim/kubernetes/webhooks.ts";
import type { HubServer } from "../../core/ports/hub/fixture.ts";
import { eventually } from "../../support/eventually.ts";
import type { TestWorld } from "../../support/sim-world.ts";
import { Mirror } from "./mirror.ts";
import type { Oracle } from "./oracle.ts";

/** The real API server, as that of a simulated hub, whose operators work on it. Faults happen on the way to it. */
export const realServer =
  ({ admin, slipway, operators }: Oracle) =>
  async ({ world, hub, cluster, clock }: TestWorld): Promise<HubServer> => {
    await cleared(admin);
    const own = new PooledConfig(operators);
    const ours = new PooledConfig(slipway);
    const mirror = new Mirror(cluster, slipway.server, (request) => sentOn(own, request));
    clock.meanwhile = () => mirror.idle();
    const handler = faulty((request) => mirror.handle(request, (each) => sentOn(ours, each)), {
      take: (operation) => world.faults.take(`hub:${hub.id}`, operation),
      ...{ clock, wall: clock },
    });
    return {
      connection: slipway,
      // The hosted clusters' own API servers are simulated.
      fetch: async (input, init) => {
        const request = new Request(input, init);
        return request.url.startsWith(`${slipway.server}/`)
          ? handler(request)
          : world.fetch(request);
      },
      close: async () => {
        await mirror.stop();
        await Promise.all([own.close(), ours.close()]);
        await cleared(admin);
      },
    };
  };

/** The request over the network, by the connection's own authorities; a token that it has already stays. */
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
  const named = (kind: { apiVersion: string; kind: string }, { metadata }: KubeObject) => {
    const { name, namespace = "" } = metadata;
    return { ...kind, metadata: { name, namespace } };
  };
  const removed = async (apiVersion: string, kind: string, objects: KubeObject[]) => {
    for (const object of objects) {
      const name = named({ apiVersion, kind }, object);
      // What holds an object is a test's, which may have failed.
      if (object.metadata.finalizers)
        await admin.change(name, (found) => found && ({ metadata: { finalizers: null } } as never));
      await admin.remove(name);
    }
  };
  const left = async (kind: (typeof hubKinds)[number]) => (await admin.list(kind)).items;
  // First what is in the way of writes.
  const made = [
    webhookKind,
    ...hubKinds.filter(({ builtIn, kind }) => !builtIn || kind === "CertificateSigningRequest"),
  ];
  for (const kind of made) await removed(apiVersionOf(kind), kind.kind, await left(kind));
  const ours = async () =>
    (await admin.listAll("v1", "Namespace")).filter(({ metadata }) =>
      metadata.name.startsWith("slipway-"),
    );
  await removed("v1", "Namespace", await ours());
  await eventually(async () => {
    const [first] = await ours();
    if (first) throw new Error(`${first.metadata.name} is still being removed`);
  });
}
