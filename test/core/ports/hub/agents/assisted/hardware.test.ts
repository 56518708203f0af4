import { expect, it } from "vitest";
import { hardwareIn } from "../../../../../../core/ports/hub/agents/assisted/hardware.ts";

const disksIn = (disks: object[]) =>
  hardwareIn({
    metadata: { name: "agent-1", uid: "agent-1", resourceVersion: "7" },
    status: { inventory: { disks } },
  }).disks;

const sda = { id: "/dev/sda", name: "sda", driveType: "SSD", serial: "S1", sizeBytes: 960 };

it("leaves out drives that keep nothing, of which the image that has booted is one", () => {
  const others = [
    { name: "sr0", driveType: "ODD", serial: "QM00001", sizeBytes: 1_212_153_856, bootable: true },
    { name: "fd0", driveType: "FDD", sizeBytes: 1_474_560, bootable: true },
    { name: "sdb", driveType: "HDD", serial: "AAAABBBBCCCC1", sizeBytes: 0 },
  ].map((each) => ({ id: `/dev/${each.name}`, ...each }));
  expect(disksIn([sda, ...others])).toEqual([
    { name: "sda", serial: "S1", bytes: 960, isBootable: false },
  ]);
});

it.each([
  ["bootable", { bootable: true }, { isBootable: true }],
  ["without a serial number", { serial: "" }, { serial: undefined }],
  ["of a World Wide Name", { wwn: "0x5000C500ABCDEF12" }, { wwn: "5000c500abcdef12" }],
  ["of an unknown type", { driveType: "Unknown" }, {}],
  ["without a name", { name: "" }, { name: "/dev/sda" }],
])("tells of a disk that is %s", (_, more, expected) => {
  const [disk] = disksIn([{ ...sda, ...more }]);
  expect({ serial: undefined, ...disk }).toEqual({
    ...{ name: "sda", serial: "S1", bytes: 960, isBootable: false },
    ...expected,
  });
});
