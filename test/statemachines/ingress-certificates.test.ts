import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { days, hours, minutes, timeText } from "../../core/clock.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { load } from "../../core/kernel/object/records.ts";
import { makeAuthority } from "../../sim/kubernetes/certificates.ts";
import { wrongInBooks } from "../support/books.ts";
import { accepted, readyWithCertificate } from "../support/matrix/cluster-worlds.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type SiteOptions, type Wire } from "../support/site.ts";

/** The certificate of a cluster's ingress is renewed before its end, by the product itself; if it is not, people are told. */

const minute = minutes(1);

/** Under an authority that ends in a hundred days. */
async function readyUnderOldAuthority(site: Site): Promise<string> {
  // Authorities of tests are good for 3,650 days.
  await signedBy(site, site.laptop.clock.now() - days(3550));
  return ordered(site);
}

async function signedBy(site: Site, madeAt: number): Promise<void> {
  const { certificate, key } = await makeAuthority("site-1", madeAt);
  const spec = { certificates: { authority: certificate }, secrets: { certificates: key } };
  accepted(await site.admin("PATCH", "sites/site-1", { spec }));
}

async function ordered(site: Site): Promise<string> {
  const id = await site.order("one", { placement: { region: "eu-west" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

/** The site as it is when this time has come, without what happens until then. */
async function at(site: Site, time: number, options: SiteOptions = {}): Promise<Site> {
  const later = await openSite({ ...options, from: { ...site.saved(), at: time } });
  later.laptop.store.sweepExpired(Math.floor(time / 1000));
  return later;
}

/** What clients of the cluster's applications are shown. */
function served(site: Site): X509Certificate {
  const [secret] = site.world
    .hubs()
    .flatMap(({ hosted }) => hosted.list().map((namespace) => hosted.get(namespace)?.cluster))
    .flatMap((guest) => {
      const used = guest?.get("IngressController", "openshift-ingress-operator", "default")?.spec;
      const { name = "" } = (used as Wire)?.defaultCertificate ?? {};
      return guest?.get("Secret", "openshift-ingress", name) ?? [];
    });
  const text = (secret?.data as Record<string, string> | undefined)?.["tls.crt"] ?? "";
  return new X509Certificate(Buffer.from(text, "base64"));
}

const endOf = (site: Site): number => Date.parse(served(site).validTo);

const renewals = async (site: Site): Promise<Wire[]> =>
  (await site.api("GET", "operations")).body.items.filter(({ status }: Wire) =>
    status.steps.some(({ name }: Wire) => name === "RenewIngressCertificate"),
  );

/** What the list of what needs attention says of clusters. */
const attention = async (site: Site): Promise<Wire[]> =>
  (await site.admin("GET", "status")).body.attention.filter(({ kind }: Wire) => kind === "cluster");

const conditionOf = async (site: Site, id: string): Promise<Wire> =>
  (await site.cluster(id)).status.conditions.find(({ type }: Wire) => /CERTIFICATE/.test(type));

/** Until so many renewals have ended. */
async function renewed(site: Site, count: number): Promise<Wire[]> {
  const ended = async () =>
    (await renewals(site)).filter(({ status }: Wire) => status.end_time !== undefined);
  await site.laptop.until(async () => (await ended()).length >= count, `${count} renewals`);
  await site.laptop.pass(2000);
  return ended();
}

it("a cluster lives for thirteen months: its certificate is renewed 30 days before its end, and nobody has to know", async () => {
  const { site, brought: id } = await siteAfter(readyWithCertificate);
  const first = endOf(site);
  const early = await at(site, first - days(30) - hours(2));
  await early.laptop.pass(hours(1));
  expect(await renewals(early)).toEqual([]);
  const [renewal] = await renewed(early, 1);
  expect(renewal).toMatchObject({
    metadata: { creator: "slipway", tenant: "tenant-a" },
    status: { state: "OPERATION_STATE_SUCCEEDED" },
  });
  expect(early.laptop.clock.now()).toBeLessThan(first - days(29));
  expect(endOf(early) - first).toBeGreaterThan(days(360));
  expect(await wrongInBooks(early)).toEqual([]);

  const later = await at(early, first + days(1));
  await later.laptop.pass(hours(1));
  expect(Date.parse(served(later).validTo)).toBeGreaterThan(later.laptop.clock.now());
  expect(await renewals(later)).toHaveLength(1);
  expect(await conditionOf(later, id)).toBeUndefined();
  expect(await attention(later)).toEqual([]);
  expect((await later.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");
});

it("an authority that ends: listed before the end and after it, with why; and mended by a retry", async () => {
  const { site, brought: id } = await siteAfter(readyUnderOldAuthority);
  const end = endOf(site);
  const soon = await at(site, end - days(30) - minute);
  await renewed(soon, 1);
  const told = `the certificate of its ingress ends at ${timeText(end)}; it was not renewed: the authority that signs it ends then`;
  expect(await conditionOf(soon, id)).toMatchObject({
    ...{ status: "CONDITION_STATUS_FALSE", reason: "EndsSoon", message: told },
    last_transition_time: new Date(end - days(30)).toISOString(),
  });
  expect(await attention(soon)).toMatchObject([
    {
      ...{ reason: "CertificateEnds", id, name: "one", tenant: "tenant-a", message: told },
      command: `slipway cluster retry ${id}`,
    },
  ]);
  // Not again before a day has gone by.
  await soon.laptop.pass(hours(3));
  expect(await renewals(soon)).toHaveLength(1);
  expect(await wrongInBooks(soon)).toEqual([]);

  const leaving = await at(soon, soon.laptop.clock.now() + minute);
  expect((await leaving.api("DELETE", `clusters/${id}`)).status).toBe(200);
  expect((await leaving.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await attention(leaving)).toEqual([]);
  expect(await wrongInBooks(leaving)).toEqual([]);

  const over = await at(soon, end + minute);
  const [, last] = await renewed(over, 2);
  expect(last.status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { message: expect.stringMatching(/authority's certificate has ended/) },
  });
  expect((await over.cluster(id)).status).toMatchObject({ state: "CLUSTER_STATE_READY" });
  expect(await conditionOf(over, id)).toMatchObject({ reason: "Ended" });
  expect(await attention(over)).toMatchObject([
    { reason: "CertificateEnded", message: expect.stringMatching(/authority's certificate has e/) },
  ]);

  await signedBy(over, over.laptop.clock.now());
  expect((await over.api("POST", `clusters/${id}/retry`)).status).toBe(200);
  await renewed(over, 3);
  expect(endOf(over)).toBeGreaterThan(over.laptop.clock.now() + days(360));
  expect(await attention(over)).toEqual([]);
  expect(await conditionOf(over, id)).toMatchObject({
    ...{ status: "CONDITION_STATUS_TRUE", reason: "Renewed" },
  });
  expect(await wrongInBooks(over)).toEqual([]);
  expect((await over.api("POST", `clusters/${id}/retry`)).status).toBe(400);
});

it("a cluster that is unreachable for a day: listed, tried again a day later, and mended by itself", async () => {
  const { site, brought: id } = await siteAfter(readyWithCertificate);
  const first = endOf(site);
  const away = { now: true };
  const hubs = new Set(site.world.hubs().map(({ server = "" }) => server));
  const due = await at(site, first - days(30) + minute, {
    outside: async ({ url }, send) => {
      const { origin, hostname } = new URL(url);
      if (away.now && !hubs.has(origin) && !hostname.endsWith(".sim"))
        throw new TypeError("fetch failed");
      return send();
    },
  });
  await due.laptop.until(async () => (await attention(due)).length > 0, "it takes long");
  expect(await attention(due)).toMatchObject([{ reason: "OperationStalled", id }]);
  const [failed] = await renewed(due, 1);
  expect(failed.status.state).toBe("OPERATION_STATE_FAILED");
  expect(await attention(due)).toMatchObject([
    { reason: "CertificateEnds", id, message: expect.stringMatching(/RenewIngress.*not answer/) },
  ]);
  expect(endOf(due)).toBe(first);
  expect(await wrongInBooks(due)).toEqual([]);
  away.now = false;
  const next = await at(due, due.laptop.clock.now() + hours(24));
  await renewed(next, 2);
  expect(endOf(next)).toBeGreaterThan(first);
  expect(await attention(next)).toEqual([]);
  expect(await wrongInBooks(next)).toEqual([]);
});

it("a cluster from before ends were written down is looked at once", {
  tags: "smoke",
}, async () => {
  const { site, brought: id } = await siteAfter(readyWithCertificate);
  const { deps } = site.laptop;
  const known = (await load(deps, "cluster", id))?.ingress_certificate;
  expect(known?.ends).toBe(new Date(endOf(site)).toISOString());
  await changeObject(deps, "cluster", id, ({ ingress_certificate: _, ...cluster }) => cluster);
  await renewed(site, 1);
  expect((await load(deps, "cluster", id))?.ingress_certificate).toEqual(known);
  expect(await conditionOf(site, id)).toBeUndefined();
  await site.laptop.pass(hours(2));
  expect(await renewals(site)).toHaveLength(1);
});

it("a site without an authority: no certificate is renewed, and nothing is told of one", async () => {
  const { site, brought: id } = await siteAfter(ordered);
  expect(await load(site.laptop.deps, "cluster", id)).not.toHaveProperty("ingress_certificate");
  const later = await at(site, site.laptop.clock.now() + days(398));
  await later.laptop.pass(hours(2));
  expect(await renewals(later)).toEqual([]);
  expect(await conditionOf(later, id)).toBeUndefined();
  expect(await attention(later)).toEqual([]);
});
