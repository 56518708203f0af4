import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { hours, minutes } from "../../core/clock.ts";
import { audience, type Issuer } from "../issuer.ts";
import type { Person } from "../people.ts";
import { Kept } from "./kept.ts";

/** Codes and refresh tokens, and their exchange for tokens (RFC 6749, RFC 7636). */

/** The lifetime of access tokens and id tokens, in seconds. */
const seconds = 3600;

/** The login of a person at a client. */
export interface Login {
  client: string;
  person: Person;
  scope: string[];
  nonce?: string | undefined;
}

/** A login with the browser, until its code is exchanged. */
export interface CodeLogin extends Login {
  redirect: string;
  /** SHA-256 of the verifier, in base64url. */
  challenge: string;
}

/** All refresh tokens of one login; each use replaces the token. */
interface Family {
  isEnded: boolean;
}

interface Refresh extends Login {
  family: Family;
  isUsed: boolean;
}

export class Tokens {
  readonly codes: Kept<CodeLogin>;
  readonly #refreshes: Kept<Refresh>;
  readonly #issuer: Issuer;

  constructor(issuer: Issuer, wall: Clock) {
    this.#issuer = issuer;
    this.codes = new Kept(wall, minutes(1));
    this.#refreshes = new Kept(wall, hours(24));
  }

  /**
   * Exchanges a code for tokens, once; undefined when the code does not match the client, the redirect address or the
   * verifier.
   */
  byCode(code: string, wanted: { client: string; redirect: string; verifier: string }) {
    const login = this.codes.take(code);
    const isMeant =
      login?.client === wanted.client &&
      login.redirect === wanted.redirect &&
      login.challenge === createHash("sha256").update(wanted.verifier).digest("base64url");
    return login && isMeant ? this.of(login) : undefined;
  }

  /**
   * Exchanges a refresh token for new tokens, once. A second use means that the token or its answer was stolen, without
   * a way to know by whom, so it ends the whole family (RFC 9700, 4.14.2).
   */
  byRefresh(token: string, client: string) {
    const refresh = this.#refreshes.get(token);
    if (refresh?.client !== client) return undefined;
    if (refresh.isUsed) refresh.family.isEnded = true;
    if (refresh.family.isEnded) return undefined;
    refresh.isUsed = true;
    return this.of({ ...refresh, nonce: undefined });
  }

  /** Revokes a refresh token of this client, with its family (RFC 7009). */
  revoke(token: string, client: string): void {
    const refresh = this.#refreshes.get(token);
    if (refresh?.client === client) refresh.family.isEnded = true;
  }

  /** The answer of the token endpoint. */
  async of({
    client,
    person,
    scope,
    nonce,
    family = { isEnded: false },
  }: Login & Partial<Refresh>) {
    const { claims } = person;
    const access = { ...claims, client_id: client, scope: scope.join(" ") };
    const identity = { ...claims, ...(nonce !== undefined && { nonce }) };
    return {
      access_token: await this.#issuer.sign(access, { audience, seconds }),
      token_type: "Bearer",
      expires_in: seconds,
      refresh_token: this.#refreshes.put({ client, person, scope, family, isUsed: false }),
      scope: scope.join(" "),
      ...(scope.includes("openid") && {
        id_token: await this.#issuer.sign(identity, { audience: client, seconds }),
      }),
    };
  }
}
