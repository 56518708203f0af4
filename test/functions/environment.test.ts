import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../functions/environment.ts";

const arn = "arn:aws:states:eu-west-1:123456789012:stateMachine:slipway-prod-";

describe("the environment of a function", () => {
  it("is what the table says, with what may be absent", () => {
    const given = {
      TABLE: "slipway",
      STATE_MACHINES: arn,
      SECRETS_PREFIX: "slipway/prod/",
      SECRETS_KEY: "",
      CORE_WORKER: "core",
      HUB_WORKER: "hub",
      SITE_WORKER: "site",
      ZONE: "hub",
      WORKER_TIMEOUT: "60000",
      WORKERS: "50",
      OTHER: "x",
    };
    const { SECRETS_KEY: _, OTHER: __, ...told } = given;
    expect(readEnvironment(given, "hub-worker")).toEqual({
      ...told,
      WORKER_TIMEOUT: 60_000,
      WORKERS: 50,
    });
  });

  it("names every variable that is wrong, and how", () => {
    const given = { TABLE: "", STATE_MACHINES: "arn:aws:sns:x", WORKER_TIMEOUT: "0" };
    expect(() => readEnvironment(given, "relay")).toThrow(
      /TABLE: .*STATE_MACHINES: must be the ARN of the state machines.*BUS: /,
    );
    expect(() =>
      readEnvironment({ TABLE: "slipway", SECRETS_PREFIX: "slipway/prod" }, "webhooks"),
    ).toThrow("SECRETS_PREFIX: must end in a slash");
  });

  it("takes the ARN of state machines up to the saga's name", () => {
    const rest = {
      STAGE: "prod",
      TABLE: "t",
      BUS: "b",
      CORE_WORKER: "c",
      HUB_WORKER: "h",
      SITE_WORKER: "s",
      DUE: "d",
    };
    const given = { ...rest, STATE_MACHINES: arn, STATE_MACHINE_ALIAS: "live" };
    expect(readEnvironment(given, "due").STATE_MACHINES).toBe(arn);
  });
});
