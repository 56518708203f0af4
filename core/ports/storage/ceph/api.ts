import * as z from "zod";
import { ask, type HttpOptions, type HttpReply, type HttpRequest } from "../../../http.ts";
import { cephError } from "./error.ts";

export interface CephApiOptions extends Omit<HttpOptions, "system"> {
  /** Reads the credential, before each login. */
  credential: () => Promise<{ username: string; password: string }>;
}

/** The Accept header with the API version; nearly all endpoints are at version 1.0. */
const accept = (version: string): string => `application/vnd.ceph.api.v${version}+json`;

/** The Ceph manager's REST API. Logs in when needed, and again when a token has expired. */
export class CephApi {
  readonly #options: CephApiOptions;
  readonly #http: HttpOptions;
  /** Shared by concurrent requests. */
  #token: Promise<string> | undefined;

  constructor(options: CephApiOptions) {
    this.#options = options;
    this.#http = { ...options, system: "the storage" };
  }

  /** Sends a request. Answers every response except a 401. */
  async send(request: HttpRequest, version = "1.0"): Promise<HttpReply> {
    const token = this.#token ?? this.#login();
    const reply = await this.#sendWith(await token, request, version);
    if (reply.status !== 401) return reply;
    // The token has expired, or a change of the user has invalidated it: retry once with a new token.
    if (this.#token === token) this.#token = undefined;
    const second = await this.#sendWith(await (this.#token ?? this.#login()), request, version);
    if (second.status === 401) throw cephError(second, request.path);
    return second;
  }

  #sendWith(token: string, request: HttpRequest, version: string): Promise<HttpReply> {
    const headers = { accept: accept(version), authorization: `Bearer ${token}` };
    return ask(this.#http, { ...request, headers });
  }

  #login(): Promise<string> {
    const token = this.#newToken();
    this.#token = token;
    // A failed login is not reused.
    token.catch(() => {
      if (this.#token === token) this.#token = undefined;
    });
    return token;
  }

  async #newToken(): Promise<string> {
    const { username, password } = await this.#options.credential();
    const reply = await ask(this.#http, {
      method: "POST",
      path: "/api/auth",
      changesNothing: true,
      headers: { accept: accept("1.0") },
      body: { username, password },
    });
    const session = z.object({ token: z.string() }).safeParse(reply.json);
    if (reply.status >= 300 || !session.success) throw cephError(reply, "/api/auth");
    return session.data.token;
  }
}
