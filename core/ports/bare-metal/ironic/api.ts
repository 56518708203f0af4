import * as z from "zod";
import { ask, type HttpOptions, type HttpReply, type HttpRequest } from "../../../http.ts";
import { ironicError } from "./error.ts";

/** The service's endpoint, with the headers that authenticate a request. */
export interface Access {
  /** The service's URL, without a version or a slash at the end. */
  endpoint: string;
  headers: Record<string, string>;
}

export interface IronicApiOptions extends Omit<HttpOptions, "system" | "url"> {
  access(): Promise<Access>;
  /**
   * Drops refused access data, so that the next `access` answers new data; absent where there is no
   * other.
   */
  renew?(refused: Access): Promise<void>;
}

/**
 * The first API version that shows the virtual drive's image. Without a version header, Ironic answers in its
 * oldest version.
 */
const version = "1.93";

const rootSchema = z.object({ version: z.object({ version: z.string() }) });
const minorOf = (text: string): number => Number(text.split(".")[1]);

/** The API of OpenStack's bare metal service. Calls throw Unavailable and Rejected. */
export class IronicApi {
  readonly #options: IronicApiOptions;

  constructor(options: IronicApiOptions) {
    this.#options = options;
  }

  async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return understood(await this.#send({ method: "GET", path }), path, schema);
  }

  /** Reads a resource that may be absent. */
  async find<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const reply = await this.#send({ method: "GET", path }, 404);
    return reply.status === 404 ? undefined : understood(reply, path, schema);
  }

  /**
   * The requirements that the service does not meet: a recent API version. Throws when the nodes
   * cannot be listed.
   */
  async lacks(): Promise<string[]> {
    const { version: found } = (await this.read("/v1", rootSchema)).version;
    await this.read("/v1/nodes?limit=1&fields=uuid", z.object({ nodes: z.array(z.unknown()) }));
    const isOld = minorOf(found) < minorOf(version);
    return isOld ? [`API version ${version}, only ${found}`] : [];
  }

  async change(
    method: "PUT" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
  ): Promise<void> {
    await this.#send({ method, path, ...(body && { body }) });
  }

  /** Sends a request, and retries once with another access if the first is refused. */
  async #send(request: HttpRequest, expected?: number): Promise<HttpReply> {
    const { renew } = this.#options;
    const access = await this.#options.access();
    let reply = await this.#sendWith(access, request);
    if (reply.status === 401 && renew) {
      await renew(access);
      reply = await this.#sendWith(await this.#options.access(), request);
    }
    if (reply.status >= 300 && reply.status !== expected)
      throw ironicError(reply, `${request.method} ${request.path}`);
    return reply;
  }

  #sendWith({ endpoint, headers }: Access, request: HttpRequest): Promise<HttpReply> {
    const options = { ...this.#options, system: "the bare metal service", url: endpoint };
    const versioned = { accept: "application/json", "x-openstack-ironic-api-version": version };
    return ask(options, { ...request, headers: { ...versioned, ...headers } });
  }
}

function understood<T>(reply: HttpReply, path: string, schema: z.ZodType<T>): T {
  const body = schema.safeParse(reply.json);
  if (!body.success) throw ironicError({ ...reply, status: 200 }, `GET ${path}`);
  return body.data;
}
