import { Route53Client } from "@aws-sdk/client-route-53";
import { expect, it } from "vitest";
import { systemClock } from "../../../../../core/clock.ts";
import { Route53 } from "../../../../../core/ports/dns/route53/route53.ts";
import { serve, stalls } from "../../../../support/stalling.ts";

const credentials = { accessKeyId: "id", secretAccessKey: "key" };

it.each(Object.entries(stalls))("Route 53 that %s is given up at the limit", async (_, stall) => {
  const endpoint = await serve(stall);
  const client = new Route53Client({ maxAttempts: 1, region: "eu-west-1", endpoint, credentials });
  const dns = new Route53({ client, hostedZone: "Z1", wall: systemClock, timeout: 100 });
  await expect(dns.observeAll()).rejects.toMatchObject({ kind: "Unavailable" });
});
