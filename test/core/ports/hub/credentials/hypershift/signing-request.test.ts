// @peculiar/x509 needs it to be there first.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { describe, expect, it } from "vitest";
import { faultOfSigningRequest } from "../../../../../../core/ports/hub/credentials/hypershift/signing-request.ts";
import { commonNameOf } from "../../../../../../core/ports/hub/credentials/port.ts";
import {
  type Asked,
  type KeyType,
  signingRequest,
  subjectOf,
} from "../../../../../support/signing-request.ts";

const inPem = (bytes: Buffer): string => x509.PemConverter.encode(bytes, "CERTIFICATE REQUEST");

const spliced = (bytes: Buffer, at: number, removed: number, added: number[]): Buffer =>
  Buffer.from([...bytes].toSpliced(at, removed, ...added));

/** `openssl req -new -subj "/O=system:masters/CN=system:customer-break-glass:ann"`, of a key on P-256. */
const madeByOpenssl = `-----BEGIN CERTIFICATE REQUEST-----
MIH9MIGlAgEAMEMxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMSgwJgYDVQQDDB9z
eXN0ZW06Y3VzdG9tZXItYnJlYWstZ2xhc3M6YW5uMFkwEwYHKoZIzj0CAQYIKoZI
zj0DAQcDQgAEYRGUHF/f1kgRBjo0tR0dkYjxaxL8525flNehQcSIJbYf1KW1j66P
IWov5sQi3k9b2MD0GnRQ3+daxqBwS2fyM6AAMAoGCCqGSM49BAMCA0cAMEQCIEN/
qupULLoEpNLXaKyoGIAlhFRp21w2simbiC3VwUX+AiAqgtEJuhRA4Loj65zQfufy
gERfiP+dSC1oCjtAVP5zxA==
-----END CERTIFICATE REQUEST-----
`;

describe("a signing request", () => {
  it.each<KeyType>(["p256", "p384", "ed25519", "rsa2048"])(
    "may be for a key of %s",
    async (key) => {
      expect(await faultOfSigningRequest(await signingRequest("ann", { key }), "ann")).toBe(
        undefined,
      );
    },
  );

  it.each<KeyType>(["p521", "rsa1024"])("may not be for a key of %s", async (key) => {
    const fault = await faultOfSigningRequest(await signingRequest("ann", { key }), "ann");
    expect(fault).toContain("RSA key of 2048 bits");
  });

  it.each<[string, x509.JsonName]>([
    ["nothing", []],
    ["another user", subjectOf("bob")],
    ["no organization", [{ CN: [commonNameOf("ann")] }]],
    ["another organization besides", [...subjectOf("ann"), { O: ["system:nodes"] }]],
    ["a second name", [...subjectOf("ann"), { CN: ["system:admin"] }]],
    ["something else besides", [...subjectOf("ann"), { OU: ["it"] }]],
    ["a name that looks the same", [{ CN: [`${commonNameOf("ann")}\nO=system:masters`] }]],
  ])("may not say %s in its subject, and is told what to say", async (_, subject) => {
    const fault = await faultOfSigningRequest(await signingRequest("ann", { subject }), "ann");
    expect(fault).toContain("O=system:masters, CN=system:customer-break-glass:ann");
  });

  it("may not have alternative names", async () => {
    const names = new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "a.example" }]);
    const csr = await signingRequest("ann", { extensions: [names] });
    expect(await faultOfSigningRequest(csr, "ann")).toContain("alternative names");
  });

  it("may not have alternative names in a second list of extensions", async () => {
    const names = new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "a.example" }]);
    const usages = new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature);
    const attributes = [[usages], [names]].map((each) => new x509.ExtensionsAttribute(each));
    const csr = await signingRequest("ann", { attributes });
    expect(await faultOfSigningRequest(csr, "ann")).toContain("alternative names");
  });

  it("may be one that OpenSSL made", async () => {
    expect(await faultOfSigningRequest(madeByOpenssl, "ann")).toBe(undefined);
  });

  it.each<[string, Asked]>([
    ["SHA-1", { key: "rsa2048", signingAlgorithm: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" } }],
    ["SHA-1", { key: "p256", signingAlgorithm: { name: "ECDSA", hash: "SHA-1" } }],
  ])("may not be signed with %s", async (_, asked) => {
    const fault = await faultOfSigningRequest(await signingRequest("ann", asked), "ann");
    expect(fault).toContain("SHA-256 or better");
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["with something behind it", (bytes) => Buffer.concat([bytes, Buffer.from([0, 0])])],
    // 30 82 LL LL becomes 30 83 00 LL LL.
    ["with a longer length than it needs", (bytes) => spliced(bytes, 1, 1, [0x83, 0])],
    ["cut off", (bytes) => bytes.subarray(0, -1)],
    // 30 82 LL LL becomes 30 80, and the end is marked.
    ["of no length", (bytes) => Buffer.concat([spliced(bytes, 1, 3, [0x80]), Buffer.from([0, 0])])],
  ])("may not be one %s", async (_, changed) => {
    const good = await signingRequest("ann", { key: "rsa2048" });
    const bytes = Buffer.from(new x509.Pkcs10CertificateRequest(good).rawData);
    expect(await faultOfSigningRequest(inPem(bytes), "ann")).toBe(undefined);
    expect(await faultOfSigningRequest(inPem(changed(bytes)), "ann")).toContain("in PEM");
  });

  it("has to be signed by its own key", async () => {
    const csr = await signingRequest("ann");
    const bytes = Buffer.from(new x509.Pkcs10CertificateRequest(csr).rawData);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(await faultOfSigningRequest(inPem(bytes), "ann")).toContain("signed by its own key");
  });

  it.each([
    "",
    "no PEM",
    "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n",
  ])("has to be one: %j", async (text) => {
    expect(await faultOfSigningRequest(text, "ann")).toContain("in PEM");
  });
});

describe("the common name of a user", () => {
  it("fits into a certificate, and is another one for each", () => {
    expect(commonNameOf("ann")).toBe("system:customer-break-glass:ann");
    const long = [commonNameOf("a".repeat(200)), commonNameOf("b".repeat(200)), commonNameOf("")];
    expect(new Set(long).size).toBe(3);
    for (const name of long) expect(name).toMatch(/^system:customer-break-glass:[0-9a-f]{32}$/);
  });
});
