import { describe } from "vitest";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { discoverySchema } from "../../core/machine/requests.ts";
import { unusable } from "../../core/ports/inventory/inventory.ts";
import { inventoryServer } from "../../core/ports/inventory/netbox/device.ts";
import { macSchema } from "../../core/resources/host/model.ts";
import { macsOf } from "../../core/resources/host/observed.ts";
import { judgeInputs, refused } from "./table.ts";

const oneNic = refused(/must be the address of one NIC/);

describe("in a request", () => {
  const read = (mac: string) => parseOrRefuse(macSchema, mac);
  judgeInputs(read, [
    ["b8:3f:d2:00:00:01", "b8:3f:d2:00:00:01", "control"],
    ["52:54:00:12:34:56", "52:54:00:12:34:56", "locally administered: QEMU"],
    ["02:00:00:00:00:01", "02:00:00:00:00:01", "locally administered"],
    ["00:00:00:00:00:01", "00:00:00:00:00:01", "a vendor's first"],
    ["00:00:00:00:00:00", oneNic, "dsx-ai-factory/infra-controller#6610"],
    ["ff:ff:ff:ff:ff:ff", oneNic, "broadcast"],
    ["01:00:5e:00:00:01", oneNic, "IPv4 multicast"],
    ["33:33:00:00:00:01", oneNic, "IPv6 multicast"],
    ["01:80:c2:00:00:0e", oneNic, "LLDP"],
    ["53:54:00:12:34:56", oneNic, "the group bit"],
    ["52-54-00-12-34-56", refused(/in lowercase, such as/), "dashes"],
    ["52:54:00:12:34:5", refused(/in lowercase, such as/), "short"],
    [
      "a0:00:02:20:fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01",
      refused(/in lowercase/),
      "InfiniBand",
    ],
  ]);
});

describe("in an agent's report", () => {
  const read = (macs: (string | undefined)[]) =>
    macsOf({
      kind: "Agent",
      deleted: false,
      object: {
        metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "1" },
        status: { inventory: { interfaces: macs.map((macAddress) => ({ macAddress })) } },
      },
    });
  judgeInputs(read, [
    [["52:54:00:00:00:07"], ["52:54:00:00:00:07"], "control"],
    [["52:54:00:00:00:0A", "52-54-00-00-00-0a"], ["52:54:00:00:00:0a"], "twice"],
    [
      ["00:00:00:00:00:00", "52:54:00:00:00:07"],
      ["52:54:00:00:00:07"],
      "netboxlabs/orb-discovery#251",
    ],
    [["ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01"], [], "groups"],
    [["", undefined], [], "an interface without one"],
    [["a0:00:02:20:fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01"], [], "InfiniBand"],
  ]);
});

describe("in a machine's report", () => {
  const read = (mac: string) =>
    parseOrRefuse(discoverySchema, {
      nics: [{ name: "p0", mac }],
      ports: [{ name: "pf0hpf", host_macs: [mac] }],
    });
  const nics = (...macs: string[]) => ({
    nics: macs.map((mac) => ({ name: "p0", mac })),
    ports: [{ name: "pf0hpf", host_macs: macs }],
    versions: {},
  });
  judgeInputs(read, [
    ["52:54:00:00:00:0A", nics("52:54:00:00:00:0a"), "control"],
    ["00:00:00:00:00:00", nics(), "zeros"],
    ["ff:ff:ff:ff:ff:ff", nics(), "broadcast"],
    ["01:80:c2:00:00:0e", nics(), "a group"],
    ["none", refused(/must be a MAC address/), "no address"],
  ]);
});

describe("in NetBox", () => {
  const end = { name: "1", display: "1", device: { id: 2, name: "leaf-1" } };
  const read = (mac: string | null) => {
    const [nic] = inventoryServer(
      {
        ...{ id: 1, name: "blade-7", serial: "", site: { name: "s" }, rack: null },
        ...{ role: { name: "server" }, status: { value: "active" }, tags: [], oob_ip: null },
        device_type: { model: "R760" },
      } as unknown as Parameters<typeof inventoryServer>[0],
      [
        {
          ...{ id: 1, device: { id: 1 }, name: "eno1", type: { value: "25gbase-x-sfp28" } },
          ...{ mgmt_only: false, mac_address: mac, cable: { id: 1 }, link_peers: [] },
          connected_endpoints: [end],
          connected_endpoints_type: "dcim.interface",
          connected_endpoints_reachable: true,
        } as unknown as Parameters<typeof inventoryServer>[1][number],
      ],
    ).interfaces;
    return nic && (unusable(nic) ?? nic.mac);
  };
  const none = (mac: string) => `its MAC address ${mac} is not that of one NIC`;
  judgeInputs(read, [
    ["52:54:00:00:00:0A", "52:54:00:00:00:0a", "NetBox writes upper case"],
    [null, "it has no MAC address", "control"],
    ["00:00:00:00:00:00", none("00:00:00:00:00:00"), "netboxlabs/orb-discovery#251"],
    ["FF:FF:FF:FF:FF:FF", none("ff:ff:ff:ff:ff:ff"), "broadcast"],
  ]);
});
