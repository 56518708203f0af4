import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { Clock } from "../../core/clock.ts";
import type { HttpFetch } from "../../core/http.ts";

/** An OpenID Connect issuer in memory, whose keys turn, and which can be away. */
export class FakeIssuer {
  readonly url: string;
  /** Requests that it was asked. */
  asked: string[] = [];
  /** Answers instead of what is right. */
  instead: ((url: string) => { status: number; body: string } | undefined) | undefined;
  readonly #clock: Pick<Clock, "now">;
  #keys: { kid: string; alg: string; privateKey: CryptoKey; jwk: JWK }[] = [];

  constructor(url: string, clock: Pick<Clock, "now">) {
    this.url = url;
    this.#clock = clock;
  }

  /** Signs with a new key from now on; it publishes the keys with these names and no others. */
  async turn(kid: string, { alg = "RS256", published = [kid] } = {}): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
    this.#keys = [...this.#keys, { kid, alg, privateKey, jwk }];
    this.published = published;
  }

  published: string[] = [];

  get jwks(): JWK[] {
    return this.#keys.filter(({ kid }) => this.published.includes(kid)).map(({ jwk }) => jwk);
  }

  /** A good token for a minute; `claims` in place of its own, undefined to leave one out. */
  async token(claims: Record<string, unknown> = {}, kid?: string): Promise<string> {
    const key = this.#keys.findLast((each) => kid === undefined || each.kid === kid);
    if (!key) throw new Error("the issuer has no key");
    const now = Math.floor(this.#clock.now() / 1000);
    const own = { iss: this.url, aud: "slipway", sub: "ann", tenant: "tenant-a", exp: now + 60 };
    const said = JSON.parse(JSON.stringify({ ...own, roles: ["tenant-user"], ...claims }));
    return new SignJWT(said)
      .setProtectedHeader({ alg: key.alg, kid: key.kid })
      .sign(key.privateKey);
  }

  answer(url: string): { status: number; body: string } {
    this.asked.push(url.slice(this.url.length));
    const other = this.instead?.(url);
    if (other) return other;
    const jwks_uri = `${this.url}/keys`;
    if (url === `${this.url}/.well-known/openid-configuration`)
      return { status: 200, body: JSON.stringify({ issuer: this.url, jwks_uri }) };
    if (url === jwks_uri) return { status: 200, body: JSON.stringify({ keys: this.jwks }) };
    return { status: 404, body: "" };
  }
}

/** Reaches these issuers and nobody else. */
export function fetchFrom(...issuers: FakeIssuer[]): HttpFetch {
  return async (url) => {
    const issuer = issuers.find((each) => url.startsWith(`${each.url}/`));
    if (!issuer) throw new Error(`nobody answers at ${url}`);
    const { status, body } = issuer.answer(url);
    return new Response(body, { status });
  };
}

/** An issuer on a loopback port, in real time. */
export async function serveIssuer(): Promise<{ issuer: FakeIssuer; close(): void }> {
  const server = createServer((request, response) => {
    const { status, body } = issuer.answer(`${issuer.url}${request.url}`);
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const issuer = new FakeIssuer(`http://127.0.0.1:${port}`, { now: () => Date.now() });
  await issuer.turn("one");
  return { issuer, close: () => server.close() };
}
