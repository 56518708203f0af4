import { createPrivateKey } from "node:crypto";
import { expect, it } from "vitest";
import { type Authority, checkAuthority } from "../../../../core/ports/certificates/check.ts";
import { days, ed25519, newAuthority, now, p384, rsa1024, rsa2048 } from "./authorities.ts";

const refused = (authority: Authority, at = now) => {
  const check = () => checkAuthority(authority, at);
  expect(check).toThrow(expect.objectContaining({ kind: "Invalid" }));
  return expect(check);
};

it("an authority that can sign is read, with how long it can", async () => {
  const issuer = await newAuthority({ to: now + days(50) });
  const authority = await newAuthority({ issuer, from: now - days(1) });
  expect(checkAuthority(authority, now)).toMatchObject({
    algorithm: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
    validFrom: now - days(1),
    validTo: now + days(50),
  });
});

it.each([rsa2048, p384])("the key of another is refused (%o)", async (algorithm) => {
  const { certificate } = await newAuthority();
  const { key } = await newAuthority({ algorithm });
  refused({ certificate, key }).toThrow("the authority's key does not belong to its certificate");
});

it("a certificate that is no authority's is refused", async () => {
  const authority = await newAuthority({ isAuthority: false });
  refused(authority).toThrow("the authority's certificate may not sign others");
});

it("an authority is refused before and after its time", async () => {
  const authority = await newAuthority({ from: now, to: now + days(1) });
  checkAuthority(authority, now);
  refused(authority, now - 1000).toThrow(/is not valid before 2026-03-01T12:00:00/);
  refused(authority, now + days(1)).toThrow(/has ended at 2026-03-02T12:00:00/);
});

it("an authority whose root has ended is refused", async () => {
  const issuer = await newAuthority({ to: now });
  refused(await newAuthority({ issuer })).toThrow(/has ended/);
});

it("certificates that do not lead up one from another are refused", async () => {
  const authority = await newAuthority({ issuer: await newAuthority() });
  const stranger = await newAuthority();
  const certificate = authority.certificate + stranger.certificate;
  refused({ ...authority, certificate }).toThrow(/not in order, each signed by the next/);
});

it.each([
  ["short RSA keys", rsa1024, /at least 2048 bits/],
  ["Ed25519 keys, which browsers do not take", ed25519, /RSA key or an EC key on P-256/],
])("%s are refused", async (_, algorithm, words) => {
  refused(await newAuthority({ algorithm })).toThrow(words);
});

it("what is no PEM is refused, and never quoted", async () => {
  const { certificate, key } = await newAuthority();
  refused({ certificate: "hunter2", key }).toThrow(/^the authority's certificate is not in PEM$/);
  const broken = "-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----";
  refused({ certificate: broken, key }).toThrow(/^the authority's certificate cannot be read$/);
  refused({ certificate, key: "hunter2" }).toThrow(/^the authority's key cannot be read/);
});

it("an encrypted key is refused", async () => {
  const { certificate, key } = await newAuthority();
  const options = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;
  const encrypted = String(createPrivateKey(key).export(options));
  refused({ certificate, key: encrypted }).toThrow(/not encrypted/);
});
