import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Clock } from "../../../core/clock.ts";
import { type ApiOptions, kubernetesApi } from "../../../sim/kubernetes/api.ts";
import { builtInKinds } from "../../../sim/kubernetes/built-in.ts";
import { KubeCluster, type ResourceKind } from "../../../sim/kubernetes/cluster.ts";
import { objectSchema } from "../../../sim/kubernetes/schema.ts";

/** A custom kind with a bit of everything. */
export const widgetKind: ResourceKind = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  singular: "widget",
  shortNames: ["wd"],
  categories: ["all"],
  namespaced: true,
  subresources: ["status", "scale"],
  spec: objectSchema({
    spec: z.strictObject({
      size: z.enum(["small", "large"]).default("small"),
      replicas: z.int().min(0).optional(),
      base: z.string().optional(),
      labels: z.record(z.string(), z.string()).optional(),
      parts: z.array(z.strictObject({ name: z.string() })).optional(),
    }),
  }),
  immutable: ["spec.base"],
  printColumns: [
    { name: "Size", type: "string", path: ".spec.size" },
    { name: "Ready", type: "string", path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", path: ".metadata.creationTimestamp" },
  ],
};

/** A cluster-scoped custom kind that takes anything. */
const shelfKind: ResourceKind = {
  group: "example.com",
  version: "v1",
  kind: "Shelf",
  plural: "shelves",
  singular: "shelf",
  namespaced: false,
};

/** A clock that a test moves by hand; it runs no timers unless moved. */
export class ManualClock implements Clock {
  #now = Date.parse("2030-01-01T00:00:00Z");
  #timers: { at: number; fn: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void) {
    const timer = { at: this.#now + ms, fn };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const timer of due) timer.fn();
  }
}

export function openCluster(
  database = new DatabaseSync(":memory:"),
  name = "hub-1",
  random = Math.random,
): { cluster: KubeCluster; clock: ManualClock; database: DatabaseSync } {
  const clock = new ManualClock();
  const kinds = [...builtInKinds, widgetKind, shelfKind];
  const cluster = new KubeCluster({ database, name, kinds, clock, random });
  return { cluster, clock, database };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
export type Answer = { code: number; body: any; headers: Headers };

/** Calls the API as user "tester". */
export function caller(cluster: KubeCluster, options: Partial<ApiOptions> = {}) {
  const api = kubernetesApi(cluster, {
    authenticate: (token) => (token === "secret" ? "tester" : undefined),
    ...options,
  });
  const request = (method: string, path: string, body?: unknown, headers = {}) =>
    api(
      new Request(`https://hub.test${path}`, {
        method,
        headers: {
          authorization: "Bearer secret",
          "content-type": "application/json",
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer> => {
    const response = await request(method, path, body, headers);
    return { code: response.status, body: await response.json(), headers: response.headers };
  };
  return { api, request, call };
}

export const widgets = "/apis/example.com/v1/namespaces/default/widgets";

export function widget(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name, namespace: "default", ...metadata },
    spec,
  };
}
