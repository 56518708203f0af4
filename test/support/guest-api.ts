import { serving } from "../../sim/guest/serving.ts";
import { kubernetesApi } from "../../sim/kubernetes/api.ts";
import type { KubeInput } from "../../sim/kubernetes/cluster.ts";
import { Marks } from "../../sim/operators/marks.ts";
import type { TestGuest } from "./guest.ts";

/** An API server's answer: an object, a list or a Status. */
export type Answered = Record<string, unknown>;

export interface GuestApi {
  get(path: string): Promise<Answered>;
  apply(object: KubeInput): Promise<Answered>;
}

/** The API of a hosted cluster, as its server answers. */
export function guestApi({ cluster, clock, database }: TestGuest): GuestApi {
  const marks = new Marks(database, clock);
  const api = kubernetesApi(cluster, { authenticate: () => "me", ...serving(cluster, marks) });
  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const headers = {
      authorization: "Bearer t",
      "content-type": "application/apply-patch+yaml",
    };
    const response = await api(new Request(`https://guest.invalid${path}`, { ...init, headers }));
    return (await response.json()) as Answered;
  };
  return {
    get: (path) => ask(path),
    apply: (object) => {
      const { apiVersion, kind, metadata } = object;
      const { plural, namespaced } = cluster.kinds.named(kind);
      const root = apiVersion.includes("/") ? "/apis" : "/api";
      const space = namespaced ? `/namespaces/${metadata.namespace ?? "default"}` : "";
      const path = `${root}/${apiVersion}${space}/${plural}/${metadata.name}`;
      return ask(`${path}?fieldManager=me`, { method: "PATCH", body: JSON.stringify(object) });
    },
  };
}
