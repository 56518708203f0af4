import { readFile, writeFile } from "node:fs/promises";
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, SignJWT } from "jose";

/** The laptop's OIDC issuer: one RSA key, discovery, JWKS, and real RS256 tokens. */
export interface Issuer {
  /** Serves discovery and JWKS under `url`. */
  fetch(request: Request): Response;
  /** A token of this issuer; long-lived, for this laptop only. */
  token(claims: Record<string, unknown>): Promise<string>;
  jwks: { keys: JWK[] };
  url: string;
}

export const audience = "slipway";
const keyId = "local";
const validity = "3650d";

export async function openIssuer(options: { url: string; keyFile: string }): Promise<Issuer> {
  const key = await importPKCS8(await loadKey(options.keyFile), "RS256", { extractable: true });
  const { kty, n, e } = await exportJWK(key);
  const jwks = { keys: [{ kty, n, e, kid: keyId, alg: "RS256", use: "sig" } as JWK] };
  const { url } = options;
  return {
    url,
    jwks,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/.well-known/jwks.json") return Response.json(jwks);
      if (pathname === "/.well-known/openid-configuration") {
        return Response.json({
          issuer: url,
          jwks_uri: `${url}/.well-known/jwks.json`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
        });
      }
      return Response.json({ error: "not_found" }, { status: 404 });
    },
    token: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: keyId })
        .setIssuer(url)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(validity)
        .sign(key),
  };
}

async function loadKey(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const pem = await exportPKCS8(privateKey);
    await writeFile(file, pem, { mode: 0o600 });
    return pem;
  }
}
