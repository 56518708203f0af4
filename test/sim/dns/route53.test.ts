import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from "@aws-sdk/client-route-53";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../sim/database.ts";
import { SimulatedRoute53 } from "../../../sim/dns/route53.ts";
import { Faults } from "../../../sim/faults.ts";
import { seeded } from "../../support/random.ts";
import { RecordedFetch } from "../../support/recorded-fetch.ts";
import { sdkOver } from "../../support/sdk-over-fetch.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

function open(path = ":memory:", clock = new VirtualClock()) {
  const database = openDatabase(path);
  const sim = new SimulatedRoute53({
    database,
    clock,
    wall: clock,
    random: seeded(1),
    faults: new Faults(database),
    accessKey: "AKIAEXAMPLE",
  });
  const client = new Route53Client({
    region: "us-east-1",
    credentials: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret" },
    maxAttempts: 1,
    requestHandler: sdkOver(new RecordedFetch(sim.handle).fetch),
  });
  return { sim, client, clock, database, zone: sim.addZone("clouds.example") };
}

describe("the simulated Route 53, asked by the SDK", () => {
  let at: ReturnType<typeof open>;
  beforeEach(() => {
    at = open();
  });

  const change = (Action: Change["Action"], label: string, Value = "192.0.2.1", TTL = 60) => ({
    Action,
    ResourceRecordSet: {
      Name: `${label}.clouds.example`,
      Type: "A" as const,
      TTL,
      ResourceRecords: [{ Value }],
    },
  });
  const apply = (...Changes: Change[]) =>
    at.client.send(
      new ChangeResourceRecordSetsCommand({ HostedZoneId: at.zone, ChangeBatch: { Changes } }),
    );
  const list = (start: string, MaxItems = 100) =>
    at.client.send(
      new ListResourceRecordSetsCommand({
        HostedZoneId: at.zone,
        StartRecordName: start,
        MaxItems,
      }),
    );

  it("answers names in lower case, with a dot at the end and * as an octal code", async () => {
    await apply(change("CREATE", "*.Apps"));
    const { ResourceRecordSets } = await list("*.apps.clouds.example", 1);
    expect(ResourceRecordSets).toEqual([
      {
        Name: "\\052.apps.clouds.example.",
        Type: "A",
        TTL: 60,
        ResourceRecords: [{ Value: "192.0.2.1" }],
      },
    ]);
  });

  it("lists in the order of labels from the right, page by page", async () => {
    await apply(change("CREATE", "b.one"), change("CREATE", "a.two"), change("CREATE", "a.one"));
    const first = await list("one.clouds.example", 2);
    expect(first.ResourceRecordSets?.map(({ Name }) => Name)).toEqual([
      "a.one.clouds.example.",
      "b.one.clouds.example.",
    ]);
    expect(first).toMatchObject({
      IsTruncated: true,
      NextRecordName: "a.two.clouds.example.",
      NextRecordType: "A",
      MaxItems: 2,
    });
  });

  it("is pending for a while, and its servers do not know until then", async () => {
    const { ChangeInfo } = await apply(change("UPSERT", "api"));
    expect(ChangeInfo).toMatchObject({ Status: "PENDING", SubmittedAt: new Date(at.clock.now()) });
    const status = async () =>
      (await at.client.send(new GetChangeCommand({ Id: ChangeInfo?.Id }))).ChangeInfo?.Status;
    expect(at.sim.resolve("api.clouds.example", "A")).toEqual([]);
    await at.clock.advance(30_000);
    expect(await status()).toBe("INSYNC");
    expect(at.sim.resolve("api.clouds.example", "A")).toEqual(["192.0.2.1"]);
  });

  it.each([
    [
      [change("CREATE", "new"), change("CREATE", "api")],
      "[Tried to create resource record set [name='api.clouds.example.', type='A'] but it already exists]",
    ],
    [
      [change("UPSERT", "new"), change("DELETE", "none")],
      "[Tried to delete resource record set [name='none.clouds.example.', type='A'] but it was not found]",
    ],
    [
      [change("UPSERT", "new"), change("DELETE", "api", "192.0.2.2")],
      "[Tried to delete resource record set [name='api.clouds.example.', type='A'] but the values provided do not match the current values]",
    ],
    [
      [change("UPSERT", "new"), change("DELETE", "api", "192.0.2.1", 61)],
      "[Tried to delete resource record set [name='api.clouds.example.', type='A'] but the values provided do not match the current values]",
    ],
  ])("refuses a batch as a whole", async (changes, message) => {
    await apply(change("CREATE", "api"));
    await expect(apply(...changes)).rejects.toMatchObject({
      name: "InvalidChangeBatch",
      message,
      $metadata: { httpStatusCode: 400 },
    });
    const { ResourceRecordSets = [] } = await list("clouds.example");
    const names = ResourceRecordSets.filter(({ Type }) => Type === "A").map(({ Name }) => Name);
    expect(names).toEqual(["api.clouds.example."]);
  });

  it.each([
    [
      '<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>',
      "InvalidInput",
      `Invalid XML ; cvc-complex-type.2.4.b: The content of element 'Changes' is not complete. One of '{"https://route53.amazonaws.com/doc/2013-04-01/":Change}' is expected.`,
    ],
    [
      "<ChangeBatch><Changes></Changes></ChangeBatch>",
      "MalformedInput",
      "ChangeBatch is not valid, expected ChangeResourceRecordSetsRequest",
    ],
  ])("refuses the document %s", async (body, code, message) => {
    const response = await at.sim.handle(
      new Request(`https://route53.test/2013-04-01/hostedzone/${at.zone}/rrset`, {
        method: "POST",
        headers: { authorization: "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/1/2" },
        body,
      }),
    );
    const text = (await response.text()).replaceAll("&quot;", '"').replaceAll("&apos;", "'");
    expect([response.status, text]).toEqual([
      400,
      expect.stringContaining(`<Code>${code}</Code><Message>${message}</Message>`),
    ]);
  });

  it("allows 50 requests at once and 10 a second", async () => {
    const ask = () => list("clouds.example", 1);
    for (let n = 0; n < 50; n++) await ask();
    await expect(ask()).rejects.toMatchObject({ name: "Throttling", message: "Rate exceeded" });
    await at.clock.advance(100);
    await ask();
    await expect(ask()).rejects.toMatchObject({ name: "Throttling" });
  });

  it("knows no other zones and changes", async () => {
    const elsewhere = new ListResourceRecordSetsCommand({ HostedZoneId: "ZNOWHERE" });
    await expect(at.client.send(elsewhere)).rejects.toMatchObject({ name: "NoSuchHostedZone" });
    const unknown = new GetChangeCommand({ Id: "CNOWHERE" });
    await expect(at.client.send(unknown)).rejects.toMatchObject({ name: "NoSuchChange" });
  });

  it("goes on with its zone and its changes when it is opened again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "route53-"));
    try {
      at = open(join(folder, "world.db"));
      const { ChangeInfo } = await apply(change("CREATE", "api"));
      at.database.close();
      const again = open(join(folder, "world.db"), at.clock);
      expect(again.zone).toBe(at.zone);
      at = again;
      await at.clock.advance(30_000);
      const known = await at.client.send(new GetChangeCommand({ Id: ChangeInfo?.Id }));
      expect(known.ChangeInfo?.Status).toBe("INSYNC");
      const item = { kind: "dns_record", system: "dns", owner: null };
      expect(at.sim.ledger()).toEqual([{ ...item, id: "api.clouds.example. A 192.0.2.1" }]);
      at.database.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
