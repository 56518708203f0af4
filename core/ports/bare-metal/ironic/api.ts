import * as z from "zod";
import { ask, type HttpOptions, type HttpReply, type HttpRequest } from "../../../http.ts";
import { ironicError } from "./error.ts";

/** Where the service is, and what a request carries to be let in. */
export interface Access {
  /** The service's URL, without version and without a slash at the end. */
  endpoint: string;
  headers: Record<string, string>;
}

export interface IronicApiOptions extends Omit<HttpOptions, "system" | "url"> {
  access(): Promise<Access>;
  /** Has the next `access` be another, because this one was refused; absent where there is no other. */
  renew?(refused: Access): Promise<void>;
}

/** The first version that tells what is in a virtual drive; without one, Ironic answers as ten years ago. */
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

  /** Reads what may not be there. */
  async find<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const reply = await this.#send({ method: "GET", path }, 404);
    return reply.status === 404 ? undefined : understood(reply, path, schema);
  }

  /** What the service lacks: an API that is new enough, and a list of nodes for us. */
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

  /** Sends a request, once more with another access where the first is refused. */
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
