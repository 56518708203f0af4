import { expect, it } from "vitest";
import { systemClock } from "../../../../core/clock.ts";
import { asClusterId } from "../../../../core/id.ts";
import { certificateAuthority } from "../../../../core/ports/certificates/authority.ts";
import { keptCertificate } from "../../../../core/ports/certificates/kept.ts";
import { makeAuthority } from "../../../../sim/kubernetes/certificates.ts";
import { memorySecrets } from "../../../support/memory-secrets.ts";

const cluster = asClusterId("c1");
const domain = "c1.tenant-a.example.com";

it("a cluster's certificate is issued once, and again for another domain or near its end", async () => {
  const authority = await makeAuthority("test");
  const certificates = certificateAuthority({
    authority: async () => authority,
    clock: systemClock,
  });
  const secrets = memorySecrets();
  const ask = (request: { domain: string }, wall = systemClock) =>
    keptCertificate({ secrets, wall }, certificates, { cluster, ...request });

  const first = await ask({ domain });
  expect(await ask({ domain })).toEqual(first);
  const other = await ask({ domain: "c2.tenant-a.example.com" });
  expect(other.key).not.toBe(first.key);
  const again = await ask({ domain });
  const inAYear = { ...systemClock, now: () => Date.now() + 380 * 24 * 3_600_000 };
  expect((await ask({ domain }, inAYear)).key).not.toBe(again.key);
});
