import * as z from "zod";
import { minutes } from "../../clock.ts";
import { AppError } from "../../error.ts";
import { ask, type HttpOptions, type HttpReply } from "../../http.ts";

/** An application credential. It fixes the project, so a token request names no scope. */
export interface KeystoneCredential {
  id: string;
  secret: string;
}

export interface KeystoneOptions extends HttpOptions {
  /** The service's type in the catalog, such as `network`. */
  service: string;
  /** Reads the credential from the secret store, for each new token. */
  credential: () => Promise<KeystoneCredential>;
  /** The region whose service is used; if absent, the first in the catalog. */
  region?: string;
}

/** The token and the endpoint for a request to the service. */
export interface KeystoneSession {
  token: string;
  /** The service's URL, without a version or a slash at the end. */
  endpoint: string;
  /** The names of the credential's roles, with those they imply. */
  roles: readonly string[];
}

/** A token is not used in its last minutes, because a request may take that long. */
const margin = minutes(5);

const tokenSchema = z.object({
  token: z.object({
    expires_at: z.string(),
    roles: z.array(z.object({ name: z.string() })).default([]),
    catalog: z.array(
      z.object({
        type: z.string(),
        endpoints: z.array(
          z.object({ interface: z.string(), region_id: z.string().nullish(), url: z.string() }),
        ),
      }),
    ),
  }),
});

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** Identity API v3, for one service. All requests share one token until shortly before it expires. */
export class Keystone {
  readonly #options: KeystoneOptions;
  #current: Promise<KeystoneSession & { until: number }> | undefined;

  constructor(options: KeystoneOptions) {
    this.#options = options;
  }

  /** Answers a valid session. Throws Unavailable. */
  async session(): Promise<KeystoneSession> {
    const current = this.#current;
    if (current && (await current).until > this.#options.wall.now()) return current;
    // Another call may have renewed the token during the wait.
    const other = this.#current === current ? undefined : this.#current;
    const renewed = other ?? this.#authenticate();
    this.#current = renewed;
    try {
      return await renewed;
    } catch (error) {
      if (this.#current === renewed) this.#current = undefined;
      throw error;
    }
  }

  /** Drops a refused token, unless it has already been replaced. */
  async forget(token: string): Promise<void> {
    const current = this.#current;
    if ((await current?.catch(() => undefined))?.token !== token) return;
    if (this.#current === current) this.#current = undefined;
  }

  async #authenticate(): Promise<KeystoneSession & { until: number }> {
    const { credential, system, ...http } = this.#options;
    const { id, secret } = await credential();
    const reply = await ask(
      { ...http, system: `${system}'s identity service` },
      {
        method: "POST",
        path: "/v3/auth/tokens",
        changesNothing: true,
        headers: { accept: "application/json" },
        body: {
          auth: {
            identity: {
              methods: ["application_credential"],
              application_credential: { id, secret },
            },
          },
        },
      },
    );
    const token = reply.headers.get("x-subject-token");
    const body = tokenSchema.safeParse(reply.json);
    if (reply.status !== 201 || token === null || !body.success) throw refusal(reply, system);
    const { expires_at, catalog, roles } = body.data.token;
    return {
      token,
      endpoint: this.#endpointIn(catalog),
      roles: roles.map(({ name }) => name),
      until: Date.parse(expires_at) - margin,
    };
  }

  #endpointIn(catalog: z.infer<typeof tokenSchema>["token"]["catalog"]): string {
    const { region, service, system } = this.#options;
    const found = catalog
      .filter(({ type }) => type === service)
      .flatMap(({ endpoints }) => endpoints)
      .find(
        (endpoint) =>
          endpoint.interface === "public" &&
          (region === undefined || endpoint.region_id === region),
      );
    if (!found) {
      const where = region === undefined ? "" : ` in region ${region}`;
      throw new AppError("Unavailable", `${system}'s catalog has no ${service} service${where}`);
    }
    // Some catalogs include the version, some do not.
    return found.url.replace(/\/+$/, "").replace(/\/v\d+(\.\d+)?$/, "");
  }
}

/**
 * The body of a success has the token's rights and is never quoted; the body of a failure has only a message.
 */
function refusal({ status, json }: HttpReply, system: string): AppError {
  const words = refusalSchema.safeParse(json).data?.error.message;
  return new AppError("Unavailable", `${system}${why(status, words)}`, {
    detail: `${status} ${words ?? ""}`,
  });
}

function why(status: number, words: string | undefined): string {
  // Keystone answers 404 for an unknown application credential.
  const isRefused =
    status === 401 || (status === 404 && /Application Credential/i.test(words ?? ""));
  if (isRefused) return " does not accept our credentials";
  // Keystone's refusals have a message; an unknown path gets a page, as from any other server.
  if (words === undefined && (status === 404 || status === 405))
    return `'s auth_url leads to no Keystone (${status})`;
  return `'s identity service is unavailable now (${status})`;
}
