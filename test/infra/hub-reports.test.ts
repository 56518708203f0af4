import { describe, expect, it } from "vitest";
import { hubSource } from "../../core/ports/bus/hub-source.ts";
import { hubTag, reportsPolicy } from "../../infra/hub-reports.ts";

const bus = "arn:aws:events:us-east-1:123456789012:event-bus/slipway-prod-hubs";
const own = { "events:source": "slipway.hub.$" + "{aws:PrincipalTag/slipway-hub}" };

describe("the policy of the bus of hubs", () => {
  it("is within EventBridge's 10,240 characters with as many accounts as a stage may name, for any number of hubs", () => {
    const accounts = Array.from({ length: 100 }, (_, n) => String(100_000_000_000 + n));
    expect(JSON.stringify(reportsPolicy(accounts, bus)).length).toBeLessThan(10_240);
  });

  it("takes the hub from the sender's tag, as the source that Slipway knows", () => {
    expect(own["events:source"]).toBe(hubSource(`\${aws:PrincipalTag/${hubTag}}`));
  });

  it("lets a role say what its tag says, in every entry, and nothing without a source or a tag", () => {
    const [allow] = reportsPolicy(["123456789012"], bus).Statement;
    expect(allow).toEqual({
      Sid: "SpeakAsOwnHub",
      Effect: "Allow",
      Principal: { AWS: ["123456789012"] },
      Action: "events:PutEvents",
      Resource: bus,
      Condition: {
        "ForAllValues:StringEquals": own,
        Null: { "events:source": "false", "aws:PrincipalTag/slipway-hub": "false" },
      },
    });
  });

  it("forbids a role with a tag every other source, whatever IAM allows it", () => {
    const [, deny, ...rest] = reportsPolicy(["123456789012"], bus).Statement;
    expect(deny).toEqual({
      Sid: "AsNoOther",
      Effect: "Deny",
      Principal: { AWS: ["123456789012"] },
      Action: "events:PutEvents",
      Resource: bus,
      Condition: {
        "ForAnyValue:StringNotEquals": own,
        // The API's role is of such an account too, and speaks for any hub whose token it has checked.
        Null: { "aws:PrincipalTag/slipway-hub": "false" },
      },
    });
    expect(rest).toEqual([]);
  });
});
