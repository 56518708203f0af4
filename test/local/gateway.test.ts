import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair, importPKCS8, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearerIn } from "../../functions/identity/bearer.ts";
import { localVerifier } from "../../local/gateway.ts";
import { audience, type Issuer, openIssuer } from "../../local/issuer.ts";
import { serve } from "../../local/serve.ts";
import { FakeIssuer } from "../support/oidc.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const url = "http://127.0.0.1:1";
const claims = { sub: "ann", tenant: "tenant-a", roles: ["tenant-user"] };
let folder: string;
let issuer: Issuer;
let own: Awaited<ReturnType<typeof importPKCS8>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-gateway-"));
  const file = join(folder, "issuer.json");
  issuer = await openIssuer({ url, file });
  own = await importPKCS8(JSON.parse(readFileSync(file, "utf8")).private_key, "RS256");
});
afterAll(() => rmSync(folder, { recursive: true }));

const check = (token: string) => localVerifier(issuer)(token);

/** A token that only the given parts keep from being good. */
async function forged({ key = own, iss = url, aud = audience, exp = "1h" } = {}): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "local" });
  if (exp !== "") token.setExpirationTime(exp);
  return token.setIssuer(iss).setAudience(aud).sign(key);
}

it("takes a token of the issuer", async () => {
  const ann = { user: "ann", tenant: "tenant-a", roles: ["tenant-user"] };
  expect(await check(await issuer.token(claims))).toEqual(ann);
  expect(await check(await forged())).toEqual(ann);
});

it("takes nothing else", async () => {
  const { privateKey } = await generateKeyPair("RS256");
  const [head = "", body = ""] = (await forged()).split(".");
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  for (const token of [
    await forged({ key: privateKey }),
    await forged({ iss: "http://127.0.0.1:2" }),
    await forged({ aud: "other" }),
    await forged({ exp: "-1h" }),
    await forged({ exp: "" }),
    `${none}.${body}.`,
    `${head}.${body}.`,
    "x",
  ])
    await expect(check(token), token).rejects.toMatchObject({ kind: "Unauthenticated" });
});

it("takes tokens of other issuers beside", async () => {
  const clock = new VirtualClock(Date.now());
  const other = new FakeIssuer("http://127.0.0.1:2", clock);
  await other.turn("k1", { alg: "ES256" });
  const listener = await serve((request) => {
    const { status, body: text } = other.answer(other.url + new URL(request.url).pathname);
    // Its address is known only now.
    return new Response(text.replaceAll(other.url, listener.url), { status });
  }, 0);
  const verify = localVerifier(issuer, [{ issuer: listener.url, audiences: ["slipway"] }]);
  expect(await verify(await other.token({ iss: listener.url }))).toMatchObject({ user: "ann" });
  expect(await verify(await issuer.token(claims))).toMatchObject({ user: "ann" });
  await listener.close();
});

describe("where a request has its token", () => {
  it.each([
    ["Bearer a.b.c", "a.b.c"],
    ["bearer  a.b.c", "a.b.c"],
    ["a.b.c", undefined],
    ["Basic a.b.c", undefined],
    ["Bearer a b", undefined],
    [undefined, undefined],
  ])("%s", (authorization, token) => expect(bearerIn(authorization)).toBe(token));
});
