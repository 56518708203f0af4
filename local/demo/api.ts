import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";

/** The members of an operation that the demo reads; times are simulated. */
const operationSchema = z.object({
  status: z.object({
    state: z.string(),
    percent: z.number(),
    start_time: z.string().optional(),
    end_time: z.string().optional(),
    steps: z.array(
      z.object({
        name: z.string(),
        state: z.string(),
        start_time: z.string().optional(),
        end_time: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
    failure: z.object({ step: z.string(), message: z.string() }).optional(),
    placement: z.object({ reason: z.string() }).optional(),
  }),
});
export type Operation = z.infer<typeof operationSchema>;

const clusterSchema = z.object({
  id: z.string(),
  status: z.object({
    api_url: z.string().optional(),
    console_url: z.string().optional(),
    version: z.string().optional(),
  }),
});

const hostsSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      metadata: z.object({ name: z.string() }),
      status: z.object({ state: z.string(), message: z.string().optional() }),
    }),
  ),
});

const idsSchema = z.object({ items: z.array(z.object({ id: z.string() })) });

/** One of the APIs as somebody uses it. Every call that is refused throws with the answer. */
class Api {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Reads the operation until it has ended, and shows each state. Throws when it did not succeed. */
  async follow(id: string, show: (operation: Operation) => void): Promise<void> {
    for (;;) {
      const response = await this.ask("GET", `operations/${id}`);
      const operation = operationSchema.parse(await response.json());
      show(operation);
      const { state, failure } = operation.status;
      if (state.endsWith("_SUCCEEDED")) return;
      if (/_(FAILED|CANCELLED|STUCK)$/.test(state))
        throw new Error(`${failure?.step ?? state}: ${failure?.message ?? "no reason is given"}`);
      await pause(100);
    }
  }

  protected async ask(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${this.#url}/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

/** The public API, as a tenant. */
export class TenantApi extends Api {
  constructor(url: string, token: string) {
    super(`${url}/api/fulfillment/v1`, token);
  }

  async cluster(id: string) {
    return clusterSchema.parse(await (await this.ask("GET", `clusters/${id}`)).json());
  }

  async kubeconfig(id: string): Promise<string> {
    return (await this.ask("GET", `clusters/${id}/kubeconfig`)).text();
  }

  /** Changes a cluster. Answers the cluster, if the answer has one, and the operation that was started. */
  async change(method: "POST" | "PATCH" | "DELETE", path: string, body?: object) {
    const response = await this.ask(method, path, body);
    const operation = response.headers.get("operation-location")?.split("/").at(-1) ?? "";
    const { id = "" } = z.object({ id: z.string().optional() }).parse(await response.json());
    return { id, operation };
  }
}

/** The private API, as the provider. */
export class ProviderApi extends Api {
  constructor(url: string, token: string) {
    super(`${url}/api/private/v1`, token);
  }

  async hosts() {
    return hostsSchema.parse(await (await this.ask("GET", "hosts?limit=100")).json()).items;
  }

  /** The operations on a host. */
  async operationsOn(host: string): Promise<string[]> {
    const filter = encodeURIComponent(`this.spec.target.id == "${host}"`);
    const response = await this.ask("GET", `operations?filter=${filter}`);
    return idsSchema.parse(await response.json()).items.map(({ id }) => id);
  }
}
