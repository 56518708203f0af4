import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { type FollowedOperation, hasEnded, operationIn } from "../../cli/follow/operation.ts";

const clusterSchema = z.object({
  id: z.string(),
  status: z.object({
    api_url: z.string().optional(),
    console_url: z.string().optional(),
    version: z.string().optional(),
  }),
});

const refusalSchema = z.object({ message: z.string() });

const hostsSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      metadata: z.object({ name: z.string() }),
      spec: z.object({ nics: z.array(z.object({ mac: z.string() })) }),
      status: z.object({
        state: z.string(),
        message: z.string().optional(),
        owner: z.object({ id: z.string() }).optional(),
      }),
    }),
  ),
});

const dpusSchema = z.object({
  items: z.array(z.object({ id: z.string(), metadata: z.object({ name: z.string() }) })),
});

const idsSchema = z.object({ items: z.array(z.object({ id: z.string() })) });

/** One of the APIs with one caller's token. Every refused call throws with the answer. */
class Api {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Reads the operation until it has ended, and shows each state. Throws when it did not succeed. */
  async follow(id: string, show: (operation: FollowedOperation) => void): Promise<void> {
    for (;;) {
      const operation = operationIn(await this.read(`operations/${id}`, z.unknown()));
      show(operation);
      const { state, failure } = operation;
      if (state === "SUCCEEDED") return;
      if (hasEnded(operation)) throw new Error(failure || `${state}: it gave no reason`);
      await pause(100);
    }
  }

  /** The API's message of a refused request. Throws when the request is not refused. */
  async refusal(method: string, path: string): Promise<string> {
    const response = await this.#send(method, path);
    if (response.ok) throw new Error(`${method} ${path} was not refused`);
    return refusalSchema.parse(await response.json()).message;
  }

  async read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return schema.parse(await (await this.ask("GET", path)).json());
  }

  protected async ask(method: string, path: string, body?: object): Promise<Response> {
    const response = await this.#send(method, path, body);
    if (response.ok) return response;
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }

  #send(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#url}/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** The public API, as a tenant. */
export class TenantApi extends Api {
  constructor(url: string, token: string) {
    super(`${url}/api/fulfillment/v1`, token);
  }

  async cluster(id: string) {
    return this.read(`clusters/${id}`, clusterSchema);
  }

  async kubeconfig(id: string): Promise<string> {
    return (await this.ask("GET", `clusters/${id}/kubeconfig`)).text();
  }

  /** Changes an object. Returns the answer, the object's id if it has one, and the operation if one was started. */
  async change(method: "POST" | "PATCH" | "DELETE", path: string, body?: object) {
    const response = await this.ask(method, path, body);
    const operation = response.headers.get("operation-location")?.split("/").at(-1) ?? "";
    const answer: unknown = await response.json();
    const { id = "" } = z.object({ id: z.string().optional() }).parse(answer);
    return { id, operation, answer };
  }
}

/** The private API, as the provider. */
export class ProviderApi extends Api {
  constructor(url: string, token: string) {
    super(`${url}/api/private/v1`, token);
  }

  async hosts() {
    return (await this.read("hosts?limit=100", hostsSchema)).items;
  }

  /** The hosts that a cluster or a server of a tenant has, in the order of their names. */
  async hostsOf(owner: string) {
    const hosts = (await this.hosts()).filter(({ status }) => status.owner?.id === owner);
    return hosts.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  }

  /** The DPUs of a host, in the order of their names. */
  async dpusOf(host: string) {
    const filter = encodeURIComponent(`this.spec.host == "${host}"`);
    const { items } = await this.read(`dpus?filter=${filter}`, dpusSchema);
    return items.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  }

  /** The operations on a host or a DPU. */
  async operationsOn(target: string): Promise<string[]> {
    const filter = encodeURIComponent(`this.spec.target.id == "${target}"`);
    const { items } = await this.read(`operations?filter=${filter}`, idsSchema);
    return items.map(({ id }) => id);
  }
}
