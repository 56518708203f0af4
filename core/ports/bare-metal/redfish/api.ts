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
  /** Reads the credential, before each login or, where each request carries it, each request. */
  credential: () => Promise<HttpCredential>;
  /** `session` logs in once and sends a token; `basic` sends the credential with each request. */
  authentication: "basic" | "session";
  /** Times each call. */
  wall: Clock;
  /** The limit of one call, in milliseconds of `wall`. */
  timeout: number;
  fetch?: HttpFetch;
}

/** Where sessions are opened unless the root says otherwise. */
const usualSessions = "/redfish/v1/SessionService/Sessions";
const rootSchema = z.looseObject({
  Links: z.looseObject({ Sessions: z.looseObject({ "@odata.id": reference }) }),
});
const withoutSession: ReadonlySet<string> = new Set(["NoValidSession"]);

/** A session at the controller. */
interface Session {
  token: string;
  /** Its path, where it can be ended; some controllers do not say. */
  path?: string;
}

/** The Redfish API of one controller. Logs in where it has to, and again when a session has ended. */
export class RedfishApi {
  readonly #options: RedfishApiOptions;
  readonly #http: HttpOptions;
  /** Shared by requests that need one at the same time. */
  #session: Promise<Session> | undefined;
  /** Some of HPE's answer 406 to a request that refuses compression. */
  #acceptsIdentity = true;

  constructor(options: RedfishApiOptions) {
    this.#options = options;
    this.#http = { ...options, system: "the server's controller" };
  }

  /** Its controller's host, for people. */
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

  /** Changes a resource on the condition that it still has these tags, as far as its controller takes any. */
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

  /** Sends a request. Answers any response but one that asks to log in. */
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
    // The session has run out, or the controller has restarted: once more with a new one.
    if (this.#session === session) this.#session = undefined;
    const second = await this.#sendWith(tokenOf(await (this.#session ?? this.#login())), request);
    if (isEnded(second)) throw redfishError(second, request.path);
    return second;
  }

  /** Ends the session, if there is one. A controller that does not answer ends it by itself in time. */
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
            // Compression turns entity tags into weak ones, which some then refuse.
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
    // A login that failed is not kept.
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

  /** Where sessions are opened, by the root, which anybody may read. */
  async #sessions(): Promise<string> {
    const root = await this.#sendWith({}, { method: "GET", path: "/redfish/v1/" });
    return rootSchema.safeParse(root.json).data?.Links.Sessions["@odata.id"] ?? usualSessions;
  }
}

/**
 * The path of what a request has made, by the header or the body of its answer; undefined where neither
 * names one.
 */
export function namedIn({ headers, json }: HttpReply): string | undefined {
  const { TaskMonitor, "@odata.id": id } = madeSchema.safeParse(json).data ?? {};
  // One that is relative, or the root alone, leads nowhere.
  return [headers.get("location"), TaskMonitor, id]
    .map((each) => (/^(\/|https?:\/\/)/i.test(each ?? "") ? pathIn(each ?? "") : "/"))
    .find((path) => path !== "/");
}

const text = z.string().optional().catch(undefined);
const madeSchema = z.looseObject({ TaskMonitor: text, "@odata.id": text });

const tokenOf = ({ token }: Session): Record<string, string> => ({ "x-auth-token": token });

/** Whether the controller wants a login. Some answer 403 when a session has run out. */
const isEnded = (reply: HttpReply): boolean =>
  reply.status === 401 || (reply.status === 403 && saysOneOf(reply, withoutSession));
