import * as z from "zod";
import { ask, type HttpOptions, type HttpReply, type HttpRequest } from "../../../http.ts";
import { translated } from "./error.ts";

export interface CephApiOptions extends Omit<HttpOptions, "system"> {
  /** Asked for with each login. */
  credential: () => Promise<{ username: string; password: string }>;
}

/** Every request names the version it wants; nearly all of the endpoints have the first. */
const accept = (version: string): string => `application/vnd.ceph.api.v${version}+json`;

/** The Ceph manager's REST API: logs in when it has to, and again when a token has ended. */
export class CephApi {
  readonly #options: CephApiOptions;
  readonly #http: HttpOptions;
  /** Shared by requests that need one at the same time. */
  #token: Promise<string> | undefined;

  constructor(options: CephApiOptions) {
    this.#options = options;
    this.#http = { ...options, system: "the storage" };
  }

  /** Answers whatever the manager says, but for 401. */
  async send(request: HttpRequest, version = "1.0"): Promise<HttpReply> {
    const token = this.#token ?? this.#login();
    const reply = await this.#sendWith(await token, request, version);
    if (reply.status !== 401) return reply;
    // Ended, or made void by a change of the user: once more with a new one.
    if (this.#token === token) this.#token = undefined;
    const second = await this.#sendWith(await (this.#token ?? this.#login()), request, version);
    if (second.status === 401) throw translated(second, request.path);
    return second;
  }

  #sendWith(token: string, request: HttpRequest, version: string): Promise<HttpReply> {
    const headers = { accept: accept(version), authorization: `Bearer ${token}` };
    return ask(this.#http, { ...request, headers });
  }

  #login(): Promise<string> {
    const token = this.#newToken();
    this.#token = token;
    // A login that failed is not kept.
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
      headers: { accept: accept("1.0") },
      body: { username, password },
    });
    const session = z.object({ token: z.string() }).safeParse(reply.json);
    if (reply.status >= 300 || !session.success) throw translated(reply, "/api/auth");
    return session.data.token;
  }
}
