import { X509Certificate } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { hours } from "../../../core/clock.ts";
import {
  type KeyPair,
  makeAuthority,
  makeServerCertificate,
  signClientRequest,
} from "../../../sim/kubernetes/certificates.ts";
import { clientOf } from "../../../sim/kubernetes/client-certificate.ts";
import { signingRequest } from "../../support/signing-request.ts";

/** Whom an API server sees behind a client certificate. */

const now = Date.parse("2026-06-01T00:00:00Z");
let authority: KeyPair;
let signed: X509Certificate;

beforeAll(async () => {
  authority = await makeAuthority("signer", now);
  const request = await signingRequest("ann");
  signed = new X509Certificate(
    await signClientRequest(authority, request, { now, lifetime: 24 * 60 * 60 }),
  );
});

const seen = (certificate: X509Certificate, by = authority, at = now) =>
  clientOf(certificate, by.certificate, at);

it("the subject's name is the user, its organizations are the groups", () => {
  expect(seen(signed)).toEqual({
    name: "system:customer-break-glass:ann",
    groups: ["system:authenticated", "system:masters"],
  });
});

it.each([
  ["before it begins", -1, false],
  ["at its beginning", 0, true],
  ["at its end", hours(24), false],
])("a certificate counts only while it lasts: %s", (_, after, counts) => {
  expect(seen(signed, authority, now + after) !== undefined).toBe(counts);
});

it("an authority of the same name that has not signed it sees nobody", async () => {
  expect(seen(signed, await makeAuthority("signer", now))).toBeUndefined();
});

it("a server's certificate is no client's", async () => {
  const { certificate } = await makeServerCertificate(authority, ["api.example.com"], now);
  expect(seen(new X509Certificate(certificate))).toBeUndefined();
});
