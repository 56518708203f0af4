import { describe } from "vitest";
import { hostOf } from "../../core/resources/host/from-inventory.ts";
import { parseInventory } from "../../core/resources/host/inventory.ts";
import { judgeInputs, refused } from "./table.ts";

describe("a file of hosts", () => {
  const file = ({ address = "redfish://192.0.2.10", mac = "52:54:00:00:00:01" }) => `hosts:
  - name: h1
    host_type: small
    hub: hub-1
    bmc: {address: "${address}"}
    nics:
      - {name: eth0, mac: "${mac}", switch: leaf-1, port: "1"}
`;
  const names = (given: Parameters<typeof file>[0]) =>
    parseInventory(file(given)).map(({ name }) => name);
  judgeInputs(names, [
    [{}, ["h1"], "control"],
    [{ address: "redfish://[2001:db8::10]" }, ["h1"], "RFC 3986"],
    [{ address: "redfish://3com.example.com" }, ["h1"], "RFC 1123"],
    [
      { address: "redfish://192.0.2.010" },
      refused(/hosts\[0\]\.bmc\.address: line 5: must have an IPv4 address as four plain decimals/),
      "whitequark/ipaddr.js#16",
    ],
    [{ address: "redfish://3221225994" }, refused(/line 5: .*four plain decimals/), "numeric"],
    [
      { mac: "00:00:00:00:00:00" },
      refused(/hosts\[0\]\.nics\[0\]\.mac: line 7: must be the address of one NIC/),
      "dsx-ai-factory/infra-controller#6610",
    ],
    [{ mac: "ff:ff:ff:ff:ff:ff" }, refused(/line 7: must be the address of one NIC/), "broadcast"],
  ]);
});

describe("the out-of-band address of a server in NetBox", () => {
  const read = (outOfBand: string) => {
    const found = hostOf(
      {
        ...{ id: "1", name: "h1", serial: "", site: "s", role: "server", status: "active" },
        ...{ deviceType: "R760", tags: [], outOfBand },
        interfaces: [
          {
            ...{ name: "eno1", isVirtual: false, isManagement: false, mac: "52:54:00:00:00:01" },
            link: { state: "connected", switch: "leaf-1", port: "1" },
          },
        ],
      },
      {
        hub: "hub-1",
        host_types: { R760: "small" },
        bmc: "redfish://{address}/redfish/v1/Systems/1",
      },
    );
    return found.spec ? found.spec.bmc.address : found.unusable;
  };
  judgeInputs(read, [
    ["192.0.2.10", "redfish://192.0.2.10/redfish/v1/Systems/1", "control"],
    [
      "2001:db8::10",
      "redfish://[2001:db8::10]/redfish/v1/Systems/1",
      "dsx-ai-factory/infra-controller#2240",
    ],
    [
      "2001:0DB8:0::10",
      "redfish://[2001:db8::10]/redfish/v1/Systems/1",
      "ironcore-dev/metal-operator#171",
    ],
    ["192.0.2.010", "its out-of-band IP 192.0.2.010 is not a plain address", "octal"],
  ]);
});
