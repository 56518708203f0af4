import { expect, it } from "vitest";
import { asHubId, asOperationId } from "../../../../core/id.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import openapi from "../../../../functions/api/generated/openapi.json" with { type: "json" };
import { catalogApi, priv } from "../../../support/api.ts";
import { addHub, hostRecord } from "../../../support/placement.ts";

/** What a person decides about a host while a saga works on it. */

const prefix = `${priv}/hosts/{id}/`;
const decisions = Object.entries(openapi.paths).flatMap(([path, of]) =>
  path.startsWith(prefix) && "post" in of ? [path.slice(prefix.length)] : [],
);
/** They start no operation. */
const harmless = ["health", "health/override", "maintain"];

const bare = hostRecord("h-00001", "hub", "small");
/** A server that is being cleaned. */
const cleaned: Host = {
  ...bare,
  spec: { ...bare.spec, hub: asHubId("hub"), bmc: { address: "redfish://bmc", credentials: "x" } },
  dpus: ["d1"],
  server: { condition: "USED", work: "clean" },
  operation: asOperationId("o1"),
};

it("a host that is being cleaned is left to its operation, whatever a person decides", async () => {
  const api = await catalogApi();
  await addHub(api.deps, "hub");
  const firmware = [{ component: "bios", version: "2.1", image: "https://images/bios" }];
  const type = await api.ask("admin", "PATCH", `${priv}/host_types/small`, { firmware });
  expect(type.status, type.text).toBe(200);
  await api.deps.store.transact(putNew(kinds, cleaned));
  const refused = decisions.filter((each) => !harmless.includes(each));
  expect(refused.length).toBeGreaterThan(6);
  const before = api.dump();
  for (const decision of refused) {
    const answer = await api.ask("admin", "POST", `${priv}/hosts/${cleaned.id}/${decision}`);
    expect([decision, answer.status, answer.body.message]).toEqual([
      decision,
      400,
      expect.stringMatching(/cannot be .*operation 'o1' works on it$/),
    ]);
  }
  expect(api.dump()).toBe(before);
});

it("what a person decides is in the event of the operation that it starts", async () => {
  const api = await catalogApi();
  await addHub(api.deps, "hub");
  const firmware = [{ component: "bios", version: "2.1", image: "https://images/bios" }];
  await api.ask("admin", "PATCH", `${priv}/host_types/small`, { firmware });
  const { operation: _, ...free } = cleaned;
  const atRest: Host = { ...free, server: { condition: "CLEAN" } };
  await api.deps.store.transact(putNew(kinds, atRest));
  const { status, text } = await api.ask(
    "admin",
    "POST",
    `${priv}/hosts/${bare.id}/update_firmware`,
  );
  expect(status, text).toBe(200);
  const { event, operation } = await mustLoad(api.deps, "host", bare.id);
  expect(operation).toBeDefined();
  expect(event.changed.filter((path) => path.includes("firmware"))).not.toEqual([]);
});
