import * as z from "zod";
import type { Clock } from "../../../clock.ts";
import {
  ask,
  basicAuthorization,
  type HttpCredential,
  type HttpFetch,
  type HttpOptions,
  type HttpReply,
  type HttpRequest,
} from "../../../http.ts";
import { type EntityTags, entityTagsOf, preconditionsOf } from "./entity-tag.ts";
import { redfishError, saysOneOf } from "./error.ts";
import { pathIn, reference } from "./link.ts";
import { followed } from "./redirect.ts";

export interface RedfishApiOptions {
  /** The controller's URL, such as https://10.0.0.1, without a slash at the end. */
  url: string;
  /** Reads the credential before each login, or before each request with `basic`. */
  credential: () => Promise<HttpCredential>;
  /** `session` logs in once and sends a token; `basic` sends the credential with each request. */
  authentication: "basic" | "session";
  /** Times each call. */
  wall: Clock;
  /** The limit of one call, in milliseconds of `wall`. */
  timeout: number;
  fetch?: HttpFetch;
}

/** The path to create sessions, unless the service root names another. */
const usualSessions = "/redfish/v1/SessionService/Sessions";
const rootSchema = z.looseObject({
  Links: z.looseObject({ Sessions: z.looseObject({ "@odata.id": reference }) }),
});
const withoutSession: ReadonlySet<string> = new Set(["NoValidSession"]);

/** A session at the controller. */
interface Session {
  token: string;
  /** The path to end it; some controllers name none. */
  path?: string;
}

/** The Redfish API of one controller. Logs in when needed, and again when a session has expired. */
export class RedfishApi {
  readonly #options: RedfishApiOptions;
  readonly #http: HttpOptions;
  /** Shared by concurrent requests. */
  #session: Promise<Session> | undefined;
  /** Some HPE controllers answer 406 to a request that refuses compression. */
  #acceptsIdentity = true;

  constructor(options: RedfishApiOptions) {
    this.#options = options;
    this.#http = { ...options, system: "the server's controller" };
  }

  /** The controller's host, for messages. */
  get host(): string {
    return new URL(this.#options.url).host;
  }

  /** Reads a resource. Throws Unavailable and Rejected. */
  async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return (await this.readTagged(path, schema)).resource;
  }

  /** Reads a resource with its entity tags. */
  async readTagged<T>(
    path: string,
    schema: z.ZodType<T>,
  ): Promise<{ resource: T; tags: EntityTags }> {
    const reply = await this.send({ method: "GET", path });
    const parsed = schema.safeParse(reply.json);
    if (reply.status !== 200 || !parsed.success) throw redfishError(reply, `GET ${path}`);
    return { resource: parsed.data, tags: entityTagsOf(reply) };
  }

  /**
   * Changes a resource on the condition that it still has these entity tags, if the controller accepts any.
   */
  async change(path: string, body: object, tags: EntityTags): Promise<HttpReply> {
    const conditions = preconditionsOf(tags);
    for (const [n, condition] of conditions.entries()) {
      const headers: Record<string, string> =
        condition === undefined ? {} : { "if-match": condition };
      const reply = await this.send({ method: "PATCH", path, body, headers });
      const isLast = n === conditions.length - 1;
      if (reply.status < 300) return reply;
      if (isLast || (reply.status !== 412 && reply.status !== 428))
        throw redfishError(reply, `PATCH ${path}`);
    }
    throw new Error("there is a condition");
  }

  /** Sends a request. Answers every response except a demand for a login. */
  async send(request: HttpRequest): Promise<HttpReply> {
    const { authentication } = this.#options;
    if (authentication === "basic") {
      const authorization = basicAuthorization(await this.#options.credential());
      const reply = await this.#sendWith({ authorization }, request);
      if (reply.status === 401) throw redfishError(reply, request.path);
      return reply;
    }
    const session = this.#session ?? this.#login();
    const reply = await this.#sendWith(tokenOf(await session), request);
    if (!isEnded(reply)) return reply;
    // The session has expired, or the controller has restarted: retry once with a new session.
    if (this.#session === session) this.#session = undefined;
    const second = await this.#sendWith(tokenOf(await (this.#session ?? this.#login())), request);
    if (isEnded(second)) throw redfishError(second, request.path);
    return second;
  }

  /** Ends the session, if any. A controller that does not answer ends it after a timeout of its own. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    const { token, path } = (await session?.catch(() => undefined)) ?? {};
    if (token === undefined || path === undefined) return;
    const request = { method: "DELETE", path, changesNothing: true } as const;
    await this.#sendWith(tokenOf({ token }), request).catch(() => undefined);
  }

  async #sendWith(authorization: Record<string, string>, request: HttpRequest): Promise<HttpReply> {
    const send = () =>
      followed(this.#options.url, { ...request, path: pathIn(request.path) }, (each) =>
        ask(this.#http, {
          ...each,
          headers: {
            accept: "application/json",
            "odata-version": "4.0",
            // Compression makes entity tags weak, which some controllers then refuse.
            ...(this.#acceptsIdentity && { "accept-encoding": "identity" }),
            ...authorization,
            ...each.headers,
          },
        }),
      );
    const reply = await send();
    if (reply.status !== 406 || !this.#acceptsIdentity) return reply;
    this.#acceptsIdentity = false;
    return send();
  }

  #login(): Promise<Session> {
    const session = this.#newSession();
    this.#session = session;
    // A failed login is not reused.
    session.catch(() => {
      if (this.#session === session) this.#session = undefined;
    });
    return session;
  }

  async #newSession(): Promise<Session> {
    const sessions = await this.#sessions();
    const { username, password } = await this.#options.credential();
    const body = { UserName: username, Password: password };
    const request = { method: "POST", path: sessions, body, changesNothing: true } as const;
    const reply = await this.#sendWith({}, request);
    const token = reply.headers.get("x-auth-token");
    if (reply.status >= 300 || !token) throw redfishError(reply, sessions);
    const path = namedIn(reply);
    return { token, ...(path && { path }) };
  }

  /** The path to create sessions, from the service root, which needs no login. */
  async #sessions(): Promise<string> {
    const root = await this.#sendWith({}, { method: "GET", path: "/redfish/v1/" });
    return rootSchema.safeParse(root.json).data?.Links.Sessions["@odata.id"] ?? usualSessions;
  }
}

/**
 * The path of the resource that a request has created, from the answer's header or body; undefined if neither
 * names one.
 */
export function namedIn({ headers, json }: HttpReply): string | undefined {
  const { TaskMonitor, "@odata.id": id } = madeSchema.safeParse(json).data ?? {};
  // A relative path, or the root alone, is not usable.
  return [headers.get("location"), TaskMonitor, id]
    .map((each) => (/^(\/|https?:\/\/)/i.test(each ?? "") ? pathIn(each ?? "") : "/"))
    .find((path) => path !== "/");
}

const text = z.string().optional().catch(undefined);
const madeSchema = z.looseObject({ TaskMonitor: text, "@odata.id": text });

const tokenOf = ({ token }: Session): Record<string, string> => ({ "x-auth-token": token });

/** Whether the controller demands a login. Some answer 403 for an expired session. */
const isEnded = (reply: HttpReply): boolean =>
  reply.status === 401 || (reply.status === 403 && saysOneOf(reply, withoutSession));
