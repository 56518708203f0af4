import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, SignJWT } from "jose";
import * as z from "zod";
import { systemClock } from "../core/clock.ts";
import { discovery, loginMetadata } from "./login/metadata.ts";

/** The laptop's OIDC issuer: one RSA key, discovery, JWKS, and real RS256 tokens. */
export interface Issuer {
  /** Serves discovery and JWKS under `url`; the folder `login/` has the login. */
  fetch(request: Request): Response;
  /** A token of this issuer; long-lived, for this laptop only, and the same for the same claims. */
  token(claims: Record<string, unknown>): Promise<string>;
  /** A token for a person, valid for so many seconds from now on. */
  sign(
    claims: Record<string, unknown>,
    options: { audience: string; seconds: number },
  ): Promise<string>;
  jwks: { keys: JWK[] };
  url: string;
}

/** The stored members of the issuer. */
const identitySchema = z.object({
  /** The private key in PEM. */
  private_key: z.string(),
  /** When the issuer was created, in seconds since the epoch: its tokens are issued at this time. */
  created: z.int(),
});
type Identity = z.infer<typeof identitySchema>;

/** The path where administrators get tokens for hub agents. */
export const hubTokenPath = "/hub-tokens";
export const audience = "slipway";
const keyId = "local";
const validity = 10 * 365 * 24 * 3600;

export async function openIssuer({ url, file }: { url: string; file: string }): Promise<Issuer> {
  const { private_key, created } = await identityIn(file);
  const key = await importPKCS8(private_key, "RS256", { extractable: true });
  const { kty, n, e } = await exportJWK(key);
  const jwks = { keys: [{ kty, n, e, kid: keyId, alg: "RS256", use: "sig" } as JWK] };
  const signed = (
    claims: Record<string, unknown>,
    { audience, from, seconds }: { audience: string; from: number; seconds: number },
  ) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: keyId })
      .setIssuer(url)
      .setAudience(audience)
      .setIssuedAt(from)
      .setExpirationTime(from + seconds)
      .sign(key);
  return {
    url,
    jwks,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/.well-known/jwks.json") return Response.json(jwks);
      if (pathname === discovery) {
        return Response.json({
          issuer: url,
          hub_token_endpoint: `${url}${hubTokenPath}`,
          jwks_uri: `${url}/.well-known/jwks.json`,
          ...loginMetadata(url),
        });
      }
      return Response.json({ error: "not_found" }, { status: 404 });
    },
    token: (claims) => signed(claims, { audience, from: created, seconds: validity }),
    sign: (claims, options) => {
      const from = Math.floor(systemClock.now() / 1000);
      // A unique id makes two tokens of the same second differ: a client that renews its token expects a new one.
      return signed({ ...claims, jti: randomUUID() }, { ...options, from });
    },
  };
}

async function identityIn(file: string): Promise<Identity> {
  try {
    return identitySchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const private_key = await exportPKCS8(privateKey);
  const identity = { private_key, created: Math.floor(Date.now() / 1000) };
  // Writes a second file and renames it, so that a crash cannot leave half a key.
  await writeFile(`${file}.new`, JSON.stringify(identity), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return identity;
}
