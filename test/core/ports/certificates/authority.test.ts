import { createPrivateKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hours } from "../../../../core/clock.ts";
import { asClusterId } from "../../../../core/id.ts";
import { certificateAuthority } from "../../../../core/ports/certificates/authority.ts";
import type { Authority } from "../../../../core/ports/certificates/check.ts";
import type { Certificate } from "../../../../core/ports/guest/guest.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import { days, newAuthority, now, p256, p384, p521, rsa2048 } from "./authorities.ts";

const cluster = asClusterId("0197b2d0-1111-7000-8000-000000000001");
const domain = "demo.tenant-a.example.com";

const issuedBy = (authority: Authority, by = domain): Promise<Certificate> =>
  certificateAuthority({
    authority: () => Promise.resolve(authority),
    clock: new VirtualClock(now),
  }).issue({ domain: by, cluster });

const blocks = (chain: string): X509Certificate[] =>
  chain
    .split(/(?=-----BEGIN)/)
    .filter(Boolean)
    .map((pem) => new X509Certificate(pem));

describe.each([
  ["an RSA key", rsa2048],
  ["a key on P-256", p256],
  ["a key on P-384", p384],
  ["a key on P-521", p521],
])("an authority with %s", (_, algorithm) => {
  it("signs what clients that trust it verify", async () => {
    const authority = await newAuthority({ algorithm });
    const { chain, key } = await issuedBy(authority);
    const [own, above] = blocks(chain);
    const trusted = new X509Certificate(authority.certificate);
    expect(above?.raw).toEqual(trusted.raw);
    expect(own?.verify(trusted.publicKey)).toBe(true);
    expect(own?.checkIssued(trusted)).toBe(true);
    expect(own?.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(own?.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  });
});

describe("a certificate", () => {
  it("is for a server, under every name of the cluster's default ingress and no other", async () => {
    const { chain } = await issuedBy(await newAuthority());
    const own = new X509Certificate(chain);
    expect(own.subjectAltName).toBe(`DNS:*.apps.${domain}`);
    expect(own.checkHost(`console-openshift-console.apps.${domain}`)).toBeDefined();
    expect(own.checkHost(`api.${domain}`)).toBeUndefined();
    expect(own.ca).toBe(false);
    expect(own.subject).toBe(`CN=${cluster}`);
    expect(own.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  });

  it("can have a name that is too long for a common name", async () => {
    const long = `${"a".repeat(60)}.tenant-with-a-long-name.example.com`;
    const { chain } = await issuedBy(await newAuthority(), long);
    expect(new X509Certificate(chain).checkHost(`x.apps.${long}`)).toBeDefined();
  });

  it("is valid for 397 days, from a little ago", async () => {
    const { chain } = await issuedBy(await newAuthority());
    const { validFrom, validTo } = new X509Certificate(chain);
    expect(Date.parse(validFrom)).toBe(now - hours(1));
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(days(397));
  });

  it("is not valid before its authority is, nor after", async () => {
    const authority = await newAuthority({ from: now - 1000, to: now + days(7) });
    const { validFrom, validTo } = new X509Certificate((await issuedBy(authority)).chain);
    expect(Date.parse(validFrom)).toBe(now - 1000);
    expect(Date.parse(validTo)).toBe(now + days(7));
  });

  it("is not valid after any authority above its own", async () => {
    const issuer = await newAuthority({ to: now + days(9) });
    const { chain } = await issuedBy(await newAuthority({ issuer }));
    expect(Date.parse(new X509Certificate(chain).validTo)).toBe(now + days(9));
  });

  it("has a number and a key of its own", async () => {
    const authority = await newAuthority();
    const issued = [await issuedBy(authority), await issuedBy(authority)];
    const numbers = issued.map(({ chain }) => new X509Certificate(chain).serialNumber);
    expect(new Set(numbers).size).toBe(2);
    expect(new Set(issued.map(({ key }) => key)).size).toBe(2);
    // 128 bits, less leading zeros.
    for (const number of numbers) expect(number.length).toBeGreaterThan(24);
  });

  it("comes with everything that leads up to the root", async () => {
    const root = await newAuthority();
    const { chain } = await issuedBy(await newAuthority({ issuer: root }));
    const [own, middle, top] = blocks(chain);
    expect(own?.checkIssued(middle as X509Certificate)).toBe(true);
    expect(middle?.checkIssued(top as X509Certificate)).toBe(true);
    expect(top?.raw).toEqual(new X509Certificate(root.certificate).raw);
  });

  it("names its issuer byte by byte as that names itself, also without an identifier", async () => {
    const authority = await newAuthority({ keyIdentifier: "" });
    const [own, above] = blocks((await issuedBy(authority)).chain);
    const name = above?.raw.subarray(above.raw.indexOf("Provider") - 2).subarray(0, 10);
    // A UTF8String, as its authority has it.
    expect(name?.[0]).toBe(12);
    expect(own?.raw.includes(name ?? "")).toBe(true);
    expect(own?.checkIssued(above as X509Certificate)).toBe(true);
  });
});

it("an authority that cannot sign is refused before anything is signed", async () => {
  const { certificate } = await newAuthority();
  const { key } = await newAuthority();
  await expect(issuedBy({ certificate, key })).rejects.toMatchObject({ kind: "Invalid" });
});
