import { expect, it } from "vitest";
import { days, timestamp } from "../../core/clock.ts";
import { certificatesEnd, endingSoon, tokenEnd } from "../../core/ending.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const jwt = (claims: object): string =>
  ["{}", JSON.stringify(claims), "signature"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");

it.each([
  ["a token that says when", jwt({ exp: now / 1000 }), timestamp(now)],
  ["a token that does not", jwt({ sub: "slipway" }), undefined],
  ["a token that is no JWT", "sha256~abcdef", undefined],
  ["three parts that are no JSON", "a.b.c", undefined],
])("%s", (_, token, end) => {
  expect(tokenEnd(token)).toBe(end);
});

it("of what is no certificate nobody knows the end", () => {
  expect(certificatesEnd("")).toBeUndefined();
  expect(
    certificatesEnd("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"),
  ).toBeUndefined();
});

it.each([
  [days(31), undefined],
  [days(30), { hasEnded: false, since: timestamp(now) }],
  [days(1), { hasEnded: false, since: timestamp(now - days(29)) }],
  [0, { hasEnded: true, since: timestamp(now) }],
  [-days(1), { hasEnded: true, since: timestamp(now - days(1)) }],
])("what ends in %d ms", (left, said) => {
  const ending = endingSoon(timestamp(now + left), now);
  if (said) expect(ending).toMatchObject(said);
  else expect(ending).toBeUndefined();
});
