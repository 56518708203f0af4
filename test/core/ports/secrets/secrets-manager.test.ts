import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import {
  secretReading,
  secretRemoval,
  secretWriting,
} from "../../../../core/ports/secrets/secrets-manager.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

const client = new SecretsManagerClient({ region: "us-east-1" });
const mock = mockClient(client);
beforeEach(() => mock.reset());

const options = { client, prefix: "slipway/test/" };
const error = { $metadata: {}, message: "" };
const absent = new ResourceNotFoundException({ ...error, message: "can't find it" });
const beingRemoved = new InvalidRequestException({
  ...error,
  message: "You can't perform this operation on the secret because it was marked for deletion.",
});
const names = () => mock.calls().map(({ args: [command] }) => command.constructor.name);

describe("reading a secret", () => {
  const clock = new VirtualClock();
  const reader = () => secretReading(options, clock);

  it("asks for it under the stage's prefix", async () => {
    mock
      .on(GetSecretValueCommand, { SecretId: "slipway/test/hub/h1" })
      .resolves({ SecretString: "v" });
    expect(await reader().get("hub/h1")).toBe("v");
  });

  it("remembers it for five minutes", async () => {
    mock
      .on(GetSecretValueCommand)
      .resolvesOnce({ SecretString: "old" })
      .resolves({ SecretString: "new" });
    const { get } = reader();
    expect(await get("hub/h1")).toBe("old");
    await clock.advance(299_000);
    expect(await get("hub/h1")).toBe("old");
    await clock.advance(1_000);
    expect(await get("hub/h1")).toBe("new");
    expect(mock.calls()).toHaveLength(2);
  });

  it("remembers a hundred, and forgets the oldest", async () => {
    mock.on(GetSecretValueCommand).resolves({ SecretString: "v" });
    const { get } = reader();
    for (let n = 0; n <= 100; n++) await get(`s${n}`);
    await get("s100");
    expect(mock.calls()).toHaveLength(101);
    await get("s0");
    expect(mock.calls()).toHaveLength(102);
  });

  it.each([
    ["is not there", absent],
    ["is being removed", beingRemoved],
  ])("answers nothing when it %s, and asks again", async (_, thrown) => {
    mock.on(GetSecretValueCommand).rejectsOnce(thrown).resolves({ SecretString: "v" });
    const { get } = reader();
    expect(await get("hub/h1")).toBeUndefined();
    expect(await get("hub/h1")).toBe("v");
  });

  it("is Unavailable, without AWS's words, when it may not be read", async () => {
    mock.on(GetSecretValueCommand).rejects(new Error("not authorized on arn:aws:kms:key"));
    await expect(reader().get("hub/h1")).rejects.toMatchObject({
      kind: "Unavailable",
      message: "the secret store cannot be used",
    });
  });
});

describe("writing a secret", () => {
  it("creates it, with the stage's key", async () => {
    mock.on(CreateSecretCommand).resolves({});
    await secretWriting({ ...options, key: "alias/slipway" }).put("cluster/c1", "v");
    const [call] = mock.commandCalls(CreateSecretCommand);
    expect(call?.args[0].input).toMatchObject({
      Name: "slipway/test/cluster/c1",
      SecretString: "v",
      KmsKeyId: "alias/slipway",
    });
    expect(mock.calls()).toHaveLength(1);
  });

  it("replaces one that is there", async () => {
    mock.on(CreateSecretCommand).rejects(new ResourceExistsException(error));
    mock.on(PutSecretValueCommand).resolves({});
    await secretWriting(options).put("provider/pull-secret", "v");
    const [call] = mock.commandCalls(PutSecretValueCommand);
    expect(call?.args[0].input).toMatchObject({
      SecretId: "slipway/test/provider/pull-secret",
      SecretString: "v",
    });
  });

  it("brings one back that is being removed", async () => {
    mock.on(CreateSecretCommand).rejects(beingRemoved);
    mock.on(PutSecretValueCommand).rejectsOnce(beingRemoved).resolves({});
    mock.on(RestoreSecretCommand).resolves({});
    await secretWriting(options).put("provider/pull-secret", "v");
    expect(names()).toEqual([
      "CreateSecretCommand",
      "PutSecretValueCommand",
      "RestoreSecretCommand",
      "PutSecretValueCommand",
    ]);
  });

  it("is Unavailable when it cannot be stored", async () => {
    mock.on(CreateSecretCommand).rejects(new Error("throttled"));
    await expect(secretWriting(options).put("a", "v")).rejects.toMatchObject({
      kind: "Unavailable",
    });
  });
});

describe("removing a secret", () => {
  it("leaves a week to have it back", async () => {
    mock.on(DeleteSecretCommand).resolves({});
    await secretRemoval(options).remove("cluster/c1");
    const [call] = mock.commandCalls(DeleteSecretCommand);
    expect(call?.args[0].input).toEqual({
      SecretId: "slipway/test/cluster/c1",
      RecoveryWindowInDays: 7,
    });
  });

  it.each([absent, beingRemoved])("is done when there is nothing to remove", async (thrown) => {
    mock.on(DeleteSecretCommand).rejects(thrown);
    await expect(secretRemoval(options).remove("cluster/c1")).resolves.toBeUndefined();
  });
});
