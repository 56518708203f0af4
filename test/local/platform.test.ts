import { expect, it } from "vitest";
import { hours } from "../../core/clock.ts";
import { openLaptop } from "../support/laptop.ts";

it("removes what has expired, as DynamoDB does, and nothing else", async () => {
  const { store, clock, pass } = openLaptop({ sagas: {} });
  const now = Math.floor(clock.now() / 1000);
  await store.transact([
    { put: { pk: "old", sk: "-", expires: now + 60 } },
    { put: { pk: "young", sk: "-", expires: now + 24 * 3600 } },
    { put: { pk: "kept", sk: "-" } },
  ]);
  await pass(hours(2));
  const found = await store.getMany(["old", "young", "kept"].map((pk) => ({ pk, sk: "-" })));
  expect(found.map((item) => item?.pk)).toEqual([undefined, "young", "kept"]);
});
