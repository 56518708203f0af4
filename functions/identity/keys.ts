import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from "jose";
import * as z from "zod";
import { type Clock, hours, minutes, seconds } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { ask, type HttpFetch } from "../../core/http.ts";
import { isSafeUrl } from "./issuers.ts";

/** How long keys are used before they are read again, so that a revoked key stops working. */
const fresh = minutes(10);
/** How long keys are used while the issuer is unavailable, so that its outage does not become ours. */
const usable = hours(1);
/** The pause between two reads for unknown key ids, because anybody can invent one. */
const coolDown = seconds(30);
/** The pause between two attempts to reach an unavailable issuer. */
const pause = seconds(5);
const timeout = seconds(5);

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine(isSafeUrl),
});
const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

export interface KeysOptions {
  issuer: string;
  /** The system's clock, for the age of keys. */
  wall: Clock;
  fetch?: HttpFetch | undefined;
}

interface KeySet {
  find: ReturnType<typeof createLocalJWKSet>;
  read: number;
}

/**
 * The keys of one issuer, by discovery. Waiting requests share one read. Keys are read again when they are old, or
 * when a token names an unknown key. Not jose's createRemoteJWKSet, which neither discovers the keys' URL nor uses
 * old keys while the issuer is down.
 */
export class IssuerKeys {
  readonly #options: KeysOptions;
  #held: KeySet | undefined;
  #reading: Promise<KeySet> | undefined;
  #failed = Number.NEGATIVE_INFINITY;

  constructor(options: KeysOptions) {
    this.#options = options;
  }

  /**
   * The key that signed a token, by the token's header. Throws Unavailable when the issuer does not
   * answer, and an error of jose when the issuer has no such key.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const known = await this.#current();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#newerThan(known);
      if (!newer) throw error;
      return newer.find(header, token);
    }
  }

  async #current(): Promise<KeySet> {
    const held = this.#held;
    const age = held ? this.#now() - held.read : Number.POSITIVE_INFINITY;
    if (held && age < fresh) return held;
    try {
      return await this.#read();
    } catch (error) {
      if (held && age < usable) return held;
      throw error;
    }
  }

  async #newerThan(known: KeySet): Promise<KeySet | undefined> {
    // Another request may have read the keys meanwhile.
    if (this.#held && this.#held !== known) return this.#held;
    return this.#now() - known.read < coolDown ? undefined : this.#read();
  }

  #read(): Promise<KeySet> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #load(): Promise<KeySet> {
    if (this.#now() - this.#failed < pause) throw this.#unreachable("it was asked a moment ago");
    try {
      const { issuer } = this.#options;
      const place = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
      const about = await this.#get(place, discoverySchema);
      if (about.issuer !== issuer) throw this.#unreachable(`it says it is ${about.issuer}`);
      const jwks = await this.#get(about.jwks_uri, jwksSchema);
      this.#held = { find: createLocalJWKSet(jwks), read: this.#now() };
      return this.#held;
    } catch (error) {
      this.#failed = this.#now();
      throw error;
    }
  }

  async #get<T>(url: string, schema: z.ZodType<T>): Promise<T> {
    const { wall, fetch } = this.#options;
    const options = {
      system: "the issuer of the token",
      url,
      wall,
      timeout,
      ...(fetch && { fetch }),
    };
    const { status, json } = await ask(options, { method: "GET", path: "" });
    const { data } = schema.safeParse(json);
    if (status !== 200 || data === undefined)
      throw this.#unreachable(`${url} answers ${status} and not what it should`);
    return data;
  }

  /** Unavailable, because only the issuer knows whether the key is a new one. */
  #unreachable(why: string): AppError {
    const detail = `issuer ${this.#options.issuer}: ${why}`;
    return new AppError("Unavailable", "the issuer of the token does not answer", { detail });
  }

  #now(): number {
    return this.#options.wall.now();
  }
}
