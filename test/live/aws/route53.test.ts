import { randomUUID } from "node:crypto";
import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import { AwsClient } from "aws4fetch";
import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, it } from "vitest";
import * as z from "zod";
import { systemClock } from "../../../core/clock.ts";
import { Route53 } from "../../../core/ports/dns/route53/route53.ts";
import { openDatabase } from "../../../sim/database.ts";
import { SimulatedRoute53 } from "../../../sim/dns/route53.ts";
import { Faults } from "../../../sim/faults.ts";
import { dnsContract } from "../../core/ports/dns/contract.ts";
import { compareRaw, type Side } from "../compare.ts";
import { access, overTheWire } from "./endpoint.ts";
import { isMoto } from "./moto.ts";
import { route53Rows, zoneName } from "./route53-raw.ts";
import { Route53Records } from "./route53-records.ts";

const { endpoint } = access;
const onMoto = endpoint !== "" && (await isMoto(endpoint));

overTheWire("Route 53", () => {
  // Elsewhere hosted zones cost money, and changes take a minute to reach the servers.
  if (!onMoto) {
    it.skip("skipped: AWS_ENDPOINT_URL is not moto's (test/live/aws.sh)");
    return;
  }
  const client = new Route53Client({ ...access, maxAttempts: 1 });
  const newZone = async (name: string) => {
    const command = new CreateHostedZoneCommand({ Name: name, CallerReference: randomUUID() });
    const { HostedZone } = await client.send(command);
    return HostedZone?.Id?.replace("/hostedzone/", "") ?? "";
  };

  describe("answers as the simulated one", () => {
    let zone = "";
    beforeAll(async () => {
      zone = await newZone(zoneName);
    });
    compareRaw(route53Rows, () => {
      const database = openDatabase(":memory:");
      const sim = new SimulatedRoute53({
        database,
        clock: systemClock,
        faults: new Faults(database),
        accessKey: access.credentials.accessKeyId,
      });
      return {
        real: [asking(fetch), { zone }],
        simulated: [asking(sim.handle), { zone: sim.addZone(zoneName) }],
      };
    });
  });

  describe("keeps the contract", () => {
    let zones = 0;
    dnsContract(async () => {
      const zone = `test-${++zones}.example`;
      const hostedZone = await newZone(zone);
      const records = new Route53Records(client, hostedZone);
      return {
        zone,
        dns: new Route53({ client, hostedZone, wall: systemClock, timeout: 10_000 }),
        run: (call) => call,
        propagated: async () => {},
        write: (name, type, contents) => records.write(name, type, contents),
        read: (name, type) => records.read(name, type),
      };
    });
  });
});

const parser = new XMLParser({
  ignoreDeclaration: true,
  parseTagValue: false,
});
const refusedSchema = z.object({ Error: z.object({ Code: z.string(), Message: z.string() }) });
const listedSchema = z.object({
  ResourceRecordSets: z.object({
    ResourceRecordSet: z.preprocess(
      (sets) => (Array.isArray(sets) ? sets : [sets]),
      z.array(z.looseObject({ Name: z.string(), Type: z.string() })),
    ),
  }),
});

/**
 * A side that is asked in Route 53's protocol. Of a refusal its words count too, since the adapter reads them, without
 * the brackets that AWS has around them and moto has not; of a list the names and types, in their order.
 */
function asking(send: (request: Request) => Promise<Response>): Side {
  const { region, credentials } = access;
  const signer = new AwsClient({ ...credentials, region, service: "route53" });
  return async ({ method, path, body }) => {
    const request = await signer.sign(new URL(path, endpoint), {
      method,
      ...(typeof body === "string" && { body }),
    });
    const response = await send(request);
    const [root] = Object.values(documentIn(await response.text()));
    const { status, headers } = response;
    return { status, headers, body: withWords(root) };
  };
}

function documentIn(text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(parser.parse(text));
  } catch {
    return { text };
  }
}

function withWords(root: unknown): unknown {
  const refused = refusedSchema.safeParse(root).data?.Error;
  if (refused) return { code: `${refused.Code}: ${refused.Message.replace(/^\[(.*)\]$/, "$1")}` };
  const sets = listedSchema.safeParse(root).data?.ResourceRecordSets.ResourceRecordSet;
  if (!sets || typeof root !== "object") return root;
  return {
    ...root,
    ResourceRecordSets: sets,
    code: sets.map(({ Name, Type }) => `${Name} ${Type}`).join(", "),
  };
}
