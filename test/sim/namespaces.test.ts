import { expect, it } from "vitest";
import { seconds } from "../../core/clock.ts";
import { openDatabase } from "../../sim/database.ts";
import { testWorld } from "../support/sim-world.ts";

const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "tenant" } };
const object = (kind: string, name: string) => ({
  ...{ apiVersion: "v1", kind },
  metadata: { namespace: "tenant", name },
});

it("a namespace of a hub empties kind by kind, takes nothing new, and goes with the last", async () => {
  const { cluster, clock } = await testWorld();
  for (const each of [namespace, object("Secret", "pull"), object("ServiceAccount", "slipway")])
    cluster.create(each);
  const left = () =>
    ["Secret", "ServiceAccount"].filter((kind) => cluster.list(kind, { namespace: "tenant" })[0]);
  await clock.advance(seconds(1));
  cluster.delete("Namespace", undefined, "tenant");
  await clock.advance(900);
  expect(left()).toEqual(["Secret", "ServiceAccount"]);
  await clock.advance(200);
  expect(left()).toEqual(["ServiceAccount"]);
  const again = () => cluster.apply(object("Secret", "pull"), { fieldManager: "slipway" });
  const causes = [expect.objectContaining({ reason: "NamespaceTerminating" })];
  expect(again).toThrow(
    expect.objectContaining({ status: expect.objectContaining({ code: 403 }) }),
  );
  expect(again).toThrow(
    expect.objectContaining({
      status: expect.objectContaining({ details: expect.objectContaining({ causes }) }),
    }),
  );
  await clock.advance(seconds(1));
  expect(cluster.get("Namespace", undefined, "tenant")).toBeUndefined();
});

it("a world that is opened again goes on emptying it", async () => {
  const database = openDatabase(":memory:");
  const first = await testWorld({ database });
  first.cluster.create(namespace);
  first.cluster.create(object("Secret", "pull"));
  first.cluster.delete("Namespace", undefined, "tenant");
  await first.world.stop();
  const second = await testWorld({ database });
  expect(second.cluster.get("Namespace", undefined, "tenant")).toBeDefined();
  await second.clock.advance(seconds(5));
  expect(second.cluster.get("Namespace", undefined, "tenant")).toBeUndefined();
});
