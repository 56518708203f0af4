import { expect, it } from "vitest";
import { systemClock } from "../../../../core/clock.ts";
import { guarded } from "../../../../core/effect.ts";
import { asClusterId } from "../../../../core/id.ts";
import { certificateAuthority } from "../../../../core/ports/certificates/authority.ts";
import { keptCertificate } from "../../../../core/ports/certificates/kept.ts";
import { secretReference } from "../../../../core/ports/secrets/secrets.ts";
import { makeAuthority } from "../../../../sim/kubernetes/certificates.ts";
import { memorySecrets } from "../../../support/memory-secrets.ts";

const cluster = asClusterId("c1");
const domain = "c1.tenant-a.example.com";

it("one that was issued too late does not take the place of the one that is kept", async () => {
  const secrets = memorySecrets();
  const issue = async () => {
    await secrets.put(reference, "the newest");
    return { chain: "", key: "" };
  };
  const overtaken = async () => {
    throw new Error("overtaken");
  };
  const reference = secretReference.ingressCertificate(cluster);
  const asked = guarded(overtaken, () =>
    keptCertificate({ secrets, wall: systemClock }, { issue }, { cluster, domain }),
  );
  await expect(asked).rejects.toThrow("overtaken");
  expect(await secrets.get(reference)).toBe("the newest");
});

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
