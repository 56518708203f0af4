import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair, importPKCS8, SignJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tokenCheck } from "../../local/gateway.ts";
import { audience, type Issuer, openIssuer } from "../../local/issuer.ts";

const url = "http://127.0.0.1:1";
const claims = { sub: "ann" };
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

const check = (authorization?: string) =>
  tokenCheck(issuer)(new Request(url, authorization ? { headers: { authorization } } : {}));

/** A token that only the given parts keep from being good. */
async function forged({ key = own, iss = url, aud = audience, exp = "1h" } = {}): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "local" });
  if (exp !== "") token.setExpirationTime(exp);
  return token.setIssuer(iss).setAudience(aud).sign(key);
}

it("takes a token of the issuer", async () => {
  expect(await check(`Bearer ${await issuer.token(claims)}`)).toMatchObject(claims);
  expect(await check(`bearer ${await forged()}`)).toMatchObject(claims);
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
    expect(await check(`Bearer ${token}`), token).toBeUndefined();
  expect(await check()).toBeUndefined();
  expect(await check(await forged())).toBeUndefined();
});
