import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { FunctionFailed, type LambdaCaller } from "../../../../core/ports/aws/lambda.ts";
import { hubsThroughWorker } from "../../../../core/ports/hub/lambda.ts";
import { deployment } from "../../../support/deployment.ts";

const { kind, id, tenant, name } = deployment();
const owner = { kind, id, tenant, name };

const through = (now: LambdaCaller["now"]) => hubsThroughWorker({ now }, "hub-worker");

describe("a hub by way of its zone's worker", () => {
  it("answers what the worker read", async () => {
    const calls: unknown[] = [];
    const hubs = through(async (...call) => {
      calls.push(call);
      return { value: "apiVersion: v1" };
    });
    const hub = await hubs.client("one");
    expect(await hub.credentials.readKubeconfig(owner)).toBe("apiVersion: v1");
    expect(calls).toEqual([["hub-worker", { hub: "one", reading: "readKubeconfig", owner }]]);
  });

  it("answers nothing while there is nothing to read", async () => {
    const hub = await through(async () => ({})).client("one");
    expect(await hub.credentials.readPassword(owner)).toBeUndefined();
  });

  it.each([
    ["NotFound", "NotFound"],
    ["Unavailable", "Unavailable"],
    ["Internal", "Internal"],
    ["Sandbox.Timedout", "Unavailable"],
    ["Runtime.ExitError", "Unavailable"],
  ])("fails as the worker did: %s is %s", async (thrown, kind) => {
    const hub = await through(() => Promise.reject(new FunctionFailed(thrown))).client("one");
    await expect(hub.credentials.readPassword(owner)).rejects.toMatchObject({ kind });
  });

  it("is Unavailable when the worker cannot be asked", async () => {
    const error = new AppError("Unavailable", "a worker could not be asked");
    const hub = await through(() => Promise.reject(error)).client("one");
    await expect(hub.credentials.readKubeconfig(owner)).rejects.toBe(error);
  });

  it("issues, lists and revokes credentials, and answers what became of it", async () => {
    const calls: unknown[] = [];
    const issued = { outcome: "invalid", message: "is none" };
    const revocation = {
      state: "REVOCATION_STATE_REVOKING",
      request_timestamp: "2026-01-01T00:00:00.000Z",
    };
    const answers = [issued, { items: [], revocation }, revocation];
    const hub = await through(async (_worker, call) => {
      calls.push(call);
      return { value: answers[calls.length - 1] };
    }).client("one");
    const request = { csr: "PEM", user: "ann" };
    expect(await hub.credentials.issueCredential(owner, request)).toEqual(issued);
    expect(await hub.credentials.listCredentials(owner)).toEqual({ items: [], revocation });
    expect(await hub.credentials.revokeCredentials(owner)).toEqual(revocation);
    expect(calls).toEqual([
      { hub: "one", owner, issue: request },
      { hub: "one", owner, reading: "listCredentials" },
      { hub: "one", owner, revoke: true },
    ]);
  });

  it("answers whether the hub can carry networks", async () => {
    const calls: unknown[] = [];
    const answers = [{ value: "it has no kind" }, {}];
    const hub = await through(async (_worker, call) => {
      calls.push(call);
      return answers[calls.length - 1];
    }).client("one");
    expect(await hub.networksFault()).toBe("it has no kind");
    expect(await hub.networksFault()).toBeUndefined();
    expect(calls[0]).toEqual({ hub: "one", question: "networks" });
  });

  it("does nothing else", async () => {
    const hub = await through(async () => ({})).client("one");
    expect(Object.keys(hub).sort()).toEqual(["credentials", "networksFault"]);
  });
});
