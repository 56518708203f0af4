import { expect, it } from "vitest";
import { openDatabase } from "../../sim/database.ts";
import { Faults } from "../../sim/faults.ts";

it("faults are there when the world is opened again, as often as they have not happened", () => {
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  faults.add({ target: "dns", fault: "error", count: 2 });
  faults.add({ target: "fabric", fault: "slow" });
  expect(faults.take("dns", "GET /")).toMatchObject({ fault: "error" });
  const again = new Faults(database);
  expect(again.list()).toMatchObject([
    { target: "dns", taken: 1 },
    { target: "fabric", taken: 0 },
  ]);
  expect(again.list()).toEqual(faults.list());
  const taken = Array.from({ length: 3 }, () => again.take("dns", "GET /")?.fault);
  expect(taken).toEqual(["error", undefined, undefined]);
  again.clear();
  expect(again.list()).toEqual([]);
  expect(new Faults(database).list()).toEqual([]);
  database.close();
});
