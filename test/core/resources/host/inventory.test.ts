import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { parseInventory } from "../../../../core/resources/host/inventory.ts";

const good = `hosts:
  - name: h1
    host_type: small
    hub: hub-1
    bmc: {address: "redfish://10.0.0.1/1"}
    nics:
      - {name: eth0, mac: "52:54:00:00:00:01", switch: leaf-1, port: "1"}
`;

function refusal(text: string): string[] {
  try {
    parseInventory(text);
  } catch (error) {
    if (error instanceof AppError)
      return error.violations.map(({ field, message }) => `${field} ${message}`);
    throw error;
  }
  throw new Error("it was not refused");
}

it("reads hosts", () => {
  expect(parseInventory(good)).toEqual([
    {
      name: "h1",
      host_type: "small",
      hub: "hub-1",
      bmc: { address: "redfish://10.0.0.1/1" },
      nics: [{ name: "eth0", mac: "52:54:00:00:00:01", switch: "leaf-1", port: "1" }],
    },
  ]);
});

it("names the line of everything that is wrong", () => {
  const bad = good
    .replace("hub: hub-1", "hub: 7")
    .replace(":01", ":0G")
    .replace("host_type: small", "color: red");
  const found = refusal(bad);
  expect(found).toHaveLength(4);
  expect(found.find((each) => each.startsWith("hosts[0].hub "))).toContain("line 4: ");
  expect(found.find((each) => each.startsWith("hosts[0].nics[0].mac "))).toContain("line 7: ");
  expect(found.find((each) => each.startsWith("hosts[0].color "))).toContain(
    "line 3: is not a known field",
  );
  expect(found.find((each) => each.startsWith("hosts[0].host_type "))).toContain(
    "line 2: is required",
  );
});

it("names the line where the file is no YAML, and a name that is there twice", () => {
  expect(refusal("hosts:\n  - name: [\n")[0]).toMatch(/ line [23]: /);
  expect(refusal(good + good.slice("hosts:\n".length))).toEqual([
    "hosts[1].name line 8: 'h1' appears more than once",
  ]);
});
