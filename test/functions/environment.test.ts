import { describe, expect, test } from "vitest";
import { readEnvironment } from "../../functions/environment.ts";

describe("the environment of a function", () => {
  test("is read by name, with what may be absent", () => {
    const given = { TABLE: "slipway", WORKER_TIMEOUT: "60000", SECRETS_KEY: "", OTHER: "x" };
    expect(
      readEnvironment(given, ["TABLE", "WORKER_TIMEOUT", "SECRETS_KEY", "API_PROFILE"]),
    ).toEqual({ TABLE: "slipway", WORKER_TIMEOUT: 60_000, API_PROFILE: "slipway" });
  });

  test("names every variable that is wrong, and how", () => {
    const given = { TABLE: "", STATE_MACHINES: "arn:aws:sns:x", SECRETS_PREFIX: "slipway/prod" };
    expect(() => readEnvironment(given, ["TABLE", "STATE_MACHINES", "SECRETS_PREFIX"])).toThrow(
      /TABLE: .*STATE_MACHINES: must be the ARN of the state machines.*SECRETS_PREFIX: must end in a slash/,
    );
  });

  test("takes the ARN of state machines up to the saga's name", () => {
    const arn = "arn:aws:states:eu-west-1:123456789012:stateMachine:slipway-prod-";
    expect(readEnvironment({ STATE_MACHINES: arn }, ["STATE_MACHINES"]).STATE_MACHINES).toBe(arn);
  });
});
