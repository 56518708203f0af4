import { describe, expect, it } from "vitest";
import { days, hours, timestamp, timeText } from "../../../../core/clock.ts";
import type { Failure } from "../../../../core/kernel/object/failure.ts";
import {
  certificateFinding,
  isRenewalDue,
  notRenewed,
  renewed,
} from "../../../../core/resources/cluster/ingress-certificate.ts";
import type { Cluster, IngressCertificate } from "../../../../core/resources/cluster/model.ts";

const now = Date.parse("2027-01-01T00:00:00.000Z");
const inTime = (ms: number) => timestamp(now + ms);

/** Only what the rules read. */
const cluster = (ingress_certificate?: IngressCertificate, more: object = {}): Cluster =>
  ({
    ...{ published: true, metadata: {}, observed: { node_pools: {} }, ...more },
    ...(ingress_certificate && { ingress_certificate }),
  }) as unknown as Cluster;

const failure: Failure = {
  ...{ step: "RenewIngressCertificate", kind: "Rejected", message: "no", given_back: true },
};

describe("a renewal is due", () => {
  const due = { ends: inTime(days(30)), renew_at: inTime(0) };
  const configured = (parts: string[]) => ({
    observed: { node_pools: {}, configuration: { state: "done", parts } },
  });
  it.each<[string, Cluster, boolean]>([
    ["30 days before the end", cluster(due), true],
    ["not before", cluster({ ...due, renew_at: inTime(1) }), false],
    ["not while an operation runs", cluster(due, { operation: "o" }), false],
    ["not of one that goes", cluster(due, { metadata: { deletion_timestamp: "x" } }), false],
    ["not of one that was never READY", cluster(due, { published: false }), false],
    ["not where there is none", cluster(undefined, configured(["ingress"])), false],
    ["once where its end is not known", cluster(undefined, configured(["certificate"])), true],
  ])("%s", (_, given, expected) => {
    expect(isRenewalDue(given, now)).toBe(expected);
  });
});

it("one that was installed is renewed 30 days before its end", () => {
  const after = renewed(cluster({ ends: inTime(days(397)) }), inTime(0));
  expect(after.ingress_certificate).toEqual({
    ...{ ends: inTime(days(397)), renew_at: inTime(days(367)) },
  });
});

it("a cluster without one is left as it is", () => {
  const given = cluster();
  expect(renewed(given, inTime(0))).toBe(given);
});

it("one that was renewed in vain is renewed a day later, and at its end", () => {
  const ends = inTime(days(3) + hours(1));
  const at = (ms: number, before?: Cluster) =>
    notRenewed(before ?? cluster({ ends }), failure, inTime(ms)).ingress_certificate;
  expect(at(0)).toMatchObject({ ends, renew_at: inTime(days(1)) });
  expect(at(days(3))?.renew_at).toBe(ends);
  expect(at(days(4))?.renew_at).toBe(inTime(days(5)));
  const first = cluster(at(0));
  expect(at(days(1), first)?.unrenewed).toMatchObject({ since: inTime(0), at: inTime(days(1)) });
});

it("one that the authority cannot make longer is not asked for again at once", () => {
  const { ingress_certificate } = renewed(cluster({ ends: inTime(days(10)) }), inTime(0));
  expect(ingress_certificate).toMatchObject({
    renew_at: inTime(days(1)),
    unrenewed: { message: "the authority that signs it ends then" },
  });
});

it("says what ends, when, and why it was not renewed", () => {
  const ends = inTime(days(2));
  expect(certificateFinding(notRenewed(cluster({ ends }), failure, inTime(0)))).toEqual({
    ...{ status: false, reason: "EndsSoon", since: inTime(days(-28)) },
    message: `the certificate of its ingress ends at ${timeText(ends)}; it was not renewed: RenewIngressCertificate: no`,
  });
  expect(certificateFinding(notRenewed(cluster({ ends }), failure, ends))).toMatchObject({
    ...{ status: false, reason: "Ended", since: ends },
  });
  expect(certificateFinding(notRenewed(cluster(), failure, inTime(0)))).toMatchObject({
    ...{ status: false, reason: "EndsSoon", message: expect.stringContaining("not known") },
  });
  expect(certificateFinding(cluster({ ends }))).toMatchObject({ status: true });
});
