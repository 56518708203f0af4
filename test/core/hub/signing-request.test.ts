// @peculiar/x509 needs it to be there first.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { describe, expect, it } from "vitest";
import { commonNameOf } from "../../../core/hub/credentials.ts";
import { faultOfSigningRequest } from "../../../core/hub/signing-request.ts";
import { type KeyType, signingRequest, subjectOf } from "../../support/signing-request.ts";

describe("a signing request", () => {
  it.each<KeyType>(["p256", "p384", "ed25519", "rsa2048"])(
    "may be for a key of %s",
    async (key) => {
      expect(faultOfSigningRequest(await signingRequest("ann", { key }), "ann")).toBe(undefined);
    },
  );

  it.each<KeyType>(["p521", "rsa1024"])("may not be for a key of %s", async (key) => {
    const fault = faultOfSigningRequest(await signingRequest("ann", { key }), "ann");
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
    const fault = faultOfSigningRequest(await signingRequest("ann", { subject }), "ann");
    expect(fault).toContain("O=system:masters, CN=system:customer-break-glass:ann");
  });

  it("may not have alternative names", async () => {
    const names = new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "a.example" }]);
    const csr = await signingRequest("ann", { extensions: [names] });
    expect(faultOfSigningRequest(csr, "ann")).toContain("alternative names");
  });

  it("has to be signed by its own key", async () => {
    const csr = await signingRequest("ann");
    const bytes = Buffer.from(new x509.Pkcs10CertificateRequest(csr).rawData);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const forged = x509.PemConverter.encode(bytes, "CERTIFICATE REQUEST");
    expect(faultOfSigningRequest(forged, "ann")).toContain("signed by its own key");
  });

  it.each([
    "",
    "no PEM",
    "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n",
  ])("has to be one: %j", async (text) => {
    expect(faultOfSigningRequest(text, "ann")).toContain("in PEM");
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
