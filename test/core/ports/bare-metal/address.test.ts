import { expect, it } from "vitest";
import { namesService, parseServerAddress } from "../../../../core/ports/bare-metal/address.ts";

it.each([
  ["redfish://10.1.0.1", { by: "redfish", url: "https://10.1.0.1" }],
  [
    "redfish-virtualmedia+http://10.1.0.1/redfish/v1/Systems/1",
    { by: "redfish", url: "http://10.1.0.1", system: "/redfish/v1/Systems/1" },
  ],
  ["ironic:rack-1-01", { by: "ironic", node: "rack-1-01" }],
  [
    "ironic:1be26c0b-03f2-4d2e-ae87-c02d7f33c123",
    { by: "ironic", node: "1be26c0b-03f2-4d2e-ae87-c02d7f33c123" },
  ],
  ["metal3:metal/rack-1-01", { by: "metal3", namespace: "metal", name: "rack-1-01" }],
])("%s names %j", (address, place) => {
  expect(parseServerAddress(address)).toEqual(place);
  expect(namesService(address)).toBe(place.by !== "redfish");
});

it.each([
  ["ironic:", "a node of Ironic"],
  ["ironic:rack 1", "a node of Ironic"],
  ["ironic:a/states/power", "a node of Ironic"],
  ["ironic://rack-1-01", "a node of Ironic"],
  ["metal3:rack-1-01", "a BareMetalHost"],
  ["metal3:metal/rack/1", "a BareMetalHost"],
  ["metal3:Metal/rack-1", "a BareMetalHost"],
  ["metal3:/rack-1", "a BareMetalHost"],
])("%s is refused, because it must name %s", (address, what) => {
  expect(() => parseServerAddress(address)).toThrow(`must name ${what}`);
  expect(namesService(address)).toBe(true);
});

it.each(["", "10.1.0.1", "ipmi://10.1.0.1", "Ironic:rack-1-01"])(
  "%j is no address of a server",
  (address) => {
    expect(() => parseServerAddress(address)).toThrow(
      "must be the address of a Redfish controller",
    );
    expect(namesService(address)).toBe(false);
  },
);
