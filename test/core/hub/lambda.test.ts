import { describe, expect, test } from "vitest";
import { AppError } from "../../../core/error.ts";
import { hubsThroughWorker } from "../../../core/hub/lambda.ts";
import { FunctionFailed, type Invoker } from "../../../core/lambda/invoke.ts";
import { deployment } from "../../support/deployment.ts";

const { cluster, hostedCluster, namespace, controlPlaneNamespace } = deployment();
const names = { cluster, hostedCluster, namespace, controlPlaneNamespace };

const through = (now: Invoker["now"]) =>
  hubsThroughWorker({ now, later: () => Promise.reject(new Error("not here")) }, "hub-worker");

describe("a hub by way of its zone's worker", () => {
  test("answers what the worker read", async () => {
    const calls: unknown[] = [];
    const hubs = through(async (...call) => {
      calls.push(call);
      return { value: "apiVersion: v1" };
    });
    const hub = await hubs.client("one");
    expect(await hub.readKubeconfig(names)).toBe("apiVersion: v1");
    expect(calls).toEqual([["hub-worker", { hub: "one", reading: "readKubeconfig", names }]]);
  });

  test("answers nothing while there is nothing to read", async () => {
    const hub = await through(async () => ({})).client("one");
    expect(await hub.readPassword(names)).toBeUndefined();
  });

  test.each([
    ["NotFound", "NotFound"],
    ["Unavailable", "Unavailable"],
    ["Internal", "Internal"],
    ["Sandbox.Timedout", "Unavailable"],
    ["Runtime.ExitError", "Unavailable"],
  ])("fails as the worker did: %s is %s", async (thrown, kind) => {
    const hub = await through(() => Promise.reject(new FunctionFailed(thrown))).client("one");
    await expect(hub.readPassword(names)).rejects.toMatchObject({ kind });
  });

  test("is Unavailable when the worker cannot be asked", async () => {
    const error = new AppError("Unavailable", "a worker could not be asked");
    const hub = await through(() => Promise.reject(error)).client("one");
    await expect(hub.readKubeconfig(names)).rejects.toBe(error);
  });

  test("does nothing but read credentials", async () => {
    const hub = await through(async () => ({})).client("one");
    await expect(hub.removeNamespace(names)).rejects.toMatchObject({ kind: "Internal" });
    await expect(hub.readAll()).rejects.toMatchObject({ kind: "Internal" });
  });
});
