import { expect, it } from "vitest";
import { violationsOf } from "../../../../core/kernel/input/parse.ts";
import { machinesSchema } from "../../../../core/resources/site/machines-spec.ts";

const url = "http://10.0.0.2:8080";

const refusedIn = (spec: object): string[] => {
  const { error } = machinesSchema.safeParse({ url, ...spec });
  return error ? violationsOf(error).map(({ field, message }) => `${field} ${message}`) : [];
};

it("takes how machines boot, whole or in part", () => {
  expect(refusedIn({})).toEqual([]);
  expect(
    refusedIn({
      loader: "http://10.0.0.3/ipxe.efi",
      installer: { kernel: "http://10.0.0.3/vmlinuz", initrd: "http://10.0.0.3/initrd" },
      bfb: "http://10.0.0.3/hbn.bfb",
      admin_network: { cidr: "10.8.0.0/22", gateway: "10.8.0.1" },
      management_network: { cidr: "10.9.0.0/22" },
      loopbacks: { first: "10.10.0.1", last: "10.10.0.1" },
      asns: { first: 4_200_000_000, last: 4_200_000_999 },
    }),
  ).toEqual([]);
});

it.each([
  [{ url: "ftp://10.0.0.2" }, "url must be a URL, such as http://10.0.0.2:8080"],
  [{ url: "http://me:secret@10.0.0.2" }, "url must not have a user or a password in it"],
  [
    { admin_network: { cidr: "10.8.0.0/22", gateway: "10.9.0.1" } },
    "admin_network.gateway must be in 10.8.0.0/22",
  ],
  [
    { loopbacks: { first: "10.10.0.9", last: "10.10.0.1" } },
    "loopbacks.last must not be below first",
  ],
  [{ asns: { first: 65_001, last: 65_000 } }, "asns.last must not be below first"],
])("refuses %j", (spec, refusal) => {
  expect(refusedIn(spec)).toEqual([refusal]);
});
