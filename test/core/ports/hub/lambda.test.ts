import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { type Caller, FunctionFailed } from "../../../../core/ports/aws/lambda.ts";
import { hubsThroughWorker } from "../../../../core/ports/hub/lambda.ts";
import { deployment } from "../../../support/deployment.ts";

const { cluster, hostedCluster, namespace, controlPlaneNamespace } = deployment();
const names = { cluster, hostedCluster, namespace, controlPlaneNamespace };

const through = (now: Caller["now"]) => hubsThroughWorker({ now }, "hub-worker");

describe("a hub by way of its zone's worker", () => {
  it("answers what the worker read", async () => {
    const calls: unknown[] = [];
    const hubs = through(async (...call) => {
      calls.push(call);
      return { value: "apiVersion: v1" };
    });
    const hub = await hubs.client("one");
    expect(await hub.credentials.readKubeconfig(names)).toBe("apiVersion: v1");
    expect(calls).toEqual([["hub-worker", { hub: "one", reading: "readKubeconfig", names }]]);
  });

  it("answers nothing while there is nothing to read", async () => {
    const hub = await through(async () => ({})).client("one");
    expect(await hub.credentials.readPassword(names)).toBeUndefined();
  });

  it.each([
    ["NotFound", "NotFound"],
    ["Unavailable", "Unavailable"],
    ["Internal", "Internal"],
    ["Sandbox.Timedout", "Unavailable"],
    ["Runtime.ExitError", "Unavailable"],
  ])("fails as the worker did: %s is %s", async (thrown, kind) => {
    const hub = await through(() => Promise.reject(new FunctionFailed(thrown))).client("one");
    await expect(hub.credentials.readPassword(names)).rejects.toMatchObject({ kind });
  });

  it("is Unavailable when the worker cannot be asked", async () => {
    const error = new AppError("Unavailable", "a worker could not be asked");
    const hub = await through(() => Promise.reject(error)).client("one");
    await expect(hub.credentials.readKubeconfig(names)).rejects.toBe(error);
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
    const request = { csr: "PEM", user: "ann", tenant: "tenant-a" };
    expect(await hub.credentials.issueCredential(names, request)).toEqual(issued);
    expect(await hub.credentials.listCredentials(names)).toEqual({ items: [], revocation });
    expect(await hub.credentials.revokeCredentials(names, "tenant-a")).toEqual(revocation);
    expect(calls).toEqual([
      { hub: "one", names, issue: request },
      { hub: "one", names, reading: "listCredentials" },
      { hub: "one", names, revokeFor: "tenant-a" },
    ]);
  });

  it("does nothing but what concerns credentials", async () => {
    const hub = await through(async () => ({})).client("one");
    await expect(hub.clusters.removeNamespace(names)).rejects.toMatchObject({ kind: "Internal" });
    await expect(hub.readAll()).rejects.toMatchObject({ kind: "Internal" });
  });
});
