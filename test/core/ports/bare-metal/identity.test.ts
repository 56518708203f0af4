import { expect, it } from "vitest";
import {
  type Identity,
  identityIn,
  isSameServer,
  type ToldIdentity,
} from "../../../../core/ports/bare-metal/identity.ts";

const uuid = "4c4c4544-0035-3410-8050-c6c04f314733";

it.each<[string, ToldIdentity, Identity]>([
  ["Dell", { serial: "CNIVC0014M0388", uuid }, { serial: "CNIVC0014M0388", uuid }],
  [
    "Supermicro's UUID, mostly zeros",
    { uuid: "00000000-0000-0000-0000-7CC25550A8FF" },
    { uuid: "00000000-0000-0000-0000-7cc25550a8ff" },
  ],
  ["padding left and right", { serial: "  8DH7VKWH   " }, { serial: "8DH7VKWH" }],
  ["padding by NUL", { serial: "8DH7\u0000\u0000" }, { serial: "8DH7" }],
  ["lower case", { serial: "s6ng" }, { serial: "S6NG" }],
  ["a UUID without dashes", { uuid: uuid.replaceAll("-", "").toUpperCase() }, { uuid }],
  ["nothing", {}, {}],
  ["null", { serial: null, uuid: null }, {}],
  ["To be filled", { serial: "To be filled by O.E.M." }, {}],
  ["Not Specified", { serial: "Not Specified" }, {}],
  ["Default string", { serial: "Default string" }, {}],
  ["the name of the field", { serial: "System Serial Number" }, {}],
  ["NVIDIA's CPLD", { serial: "CPLDSerialNumber" }, {}],
  ["N/A", { serial: "N/A" }, {}],
  ["NA", { serial: "NA" }, {}],
  ["zeros", { serial: "0000000000000000000000000" }, {}],
  ["digits in order", { serial: "0123456789" }, {}],
  ["spaces", { serial: "   " }, {}],
  ...[
    ...[
      "Default",
      "SN",
      "S/N",
      "INVALID",
      "TBD",
      "TBA",
      "To be determined",
      "unset",
      "not present",
    ],
    ...["(none)", "<Not Available>", '"N/A"', "()", "Service Tag", "System Product Name"],
    ...["123456", "1234567", "12345678", "123456789012", "000000001"],
    ...["00000000-0000-0000", "XXXX-XXXX", "Asset Tag", "Chassis SN"],
  ].map((serial): [string, ToldIdentity, Identity] => [`${serial} for a number`, { serial }, {}]),
  // Like placeholders, and entered by somebody.
  ...["SN123", "1234560", "1234561789", "DEFAULT1", "0000000012", "TBD7", "11-12", "(A1)B2"].map(
    (serial): [string, ToldIdentity, Identity] => [serial, { serial }, { serial }],
  ),
  ["a UUID of zeros", { uuid: "00000000-0000-0000-0000-000000000000" }, {}],
  ["a UUID of F", { uuid: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF" }, {}],
  ["AMI's UUID", { uuid: "03000200-0400-0500-0006-000700080009" }, {}],
  ...[
    ...["00020003-0004-0005-0006-000700080009", "00010203-0405-0607-0809-0a0b0c0d0e0f"],
    "03020100-0504-0706-0809-0A0B0C0D0E0F",
  ].map((unset): [string, ToldIdentity, Identity] => [`UUID ${unset}`, { uuid: unset }, {}]),
  ["no UUID", { uuid: "Not Settable" }, {}],
  ["a serial number of zeros and more", { serial: "00000000A1" }, { serial: "00000000A1" }],
])("a controller that tells %s", (_, told, names) => {
  expect(identityIn(told)).toEqual(names);
});

it.each<[string, ToldIdentity, ToldIdentity, boolean | undefined]>([
  ["the same names", { serial: "A1B2", uuid }, { serial: "A1B2", uuid }, true],
  ["padded, in another case", { serial: "A1B2" }, { serial: " a1b2 " }, true],
  ["another serial number", { serial: "A1B2", uuid }, { serial: "A1B3", uuid }, false],
  [
    "another UUID",
    { serial: "A1B2", uuid },
    { serial: "A1B2", uuid: uuid.replace("4c", "5c") },
    false,
  ],
  [
    "a UUID in the other order of bytes",
    { uuid },
    { uuid: "44454c4c-3500-1034-8050-c6c04f314733" },
    true,
  ],
  ["one more name", { serial: "A1B2" }, { serial: "A1B2", uuid }, true],
  ["no name that it had", { serial: "A1B2" }, { uuid }, undefined],
  ["no name at all", { serial: "A1B2", uuid }, { serial: "N/A" }, undefined],
  [
    "another record of the same server",
    { serial: "A1B2", record: "1" },
    { serial: "A1B2", record: "2" },
    true,
  ],
  ["another record", { record: "1" }, { record: "2" }, false],
])("a server that tells %s", (_, known, seen, isSame) => {
  expect(isSameServer(identityIn(known), identityIn(seen))).toBe(isSame);
});
