import { describe, expect, it } from "vitest";
import { dnsNameSchema, lineSchema } from "../../../../core/kernel/input/text.ts";
import { urlSchema } from "../../../../core/kernel/input/url.ts";
import { bmcAddressSchema } from "../../../../core/resources/host/bmc.ts";

const label = "a".repeat(63);

describe.each([
  [
    "a DNS name",
    dnsNameSchema(190),
    ["example.com", "a", "xn--bcher-kva.example", "0.1-2.example", `${label}.${label}.com`],
    [
      ...["", "evil.com; rm -rf /", "*.example.com", "A B", "a b/../x", "Example.com", "a..b"],
      ...[
        "example.com.",
        ".a",
        "-a.b",
        "a-.b",
        "a_b",
        `${label}a.com`,
        "a\n",
        `${"a.".repeat(95)}a`,
      ],
    ],
  ],
  [
    "a URL",
    urlSchema(/^https?$/, "must be a URL"),
    ["https://dns.example.com", "http://10.0.0.1:8081/api?a=b@c", "https://example.com/@me#@"],
    [
      ...["http://a:b@dns.example.com", "https://user@example.com", "https://:p@example.com/x"],
      ...["https:\\\\a:b@example.com", "https:a:b@example.com", "ftp://example.com", "x", ""],
    ],
  ],
  [
    "the address of a BMC",
    bmcAddressSchema,
    [
      ...[
        "redfish://10.0.0.1/redfish/v1/Systems/1",
        "10.0.0.1",
        "idrac-virtualmedia+https://[fd00::1]/x",
      ],
      ...["bmc.example.com:8443", "redfish://bmc/Systems/a@b"],
    ],
    [...["redfish://root:PASSWORD@10.0.0.1/1", "root:PASSWORD@10.0.0.1", "//root@bmc", "a\nb", ""]],
  ],
  [
    "a line of text",
    lineSchema(63),
    ["eth0", "Ethernet 1/1", "Schaltschrank Ü 3"],
    ["", "a\nb", "a\tb", "\u0007", "a\u0085b", "\u001b[2J", "x".repeat(64)],
  ],
] as const)("%s", (_, schema, good, bad) => {
  it.each(good)("is %j", (text) => expect(schema.safeParse(text).success).toBe(true));
  it.each(bad)("is not %j", (text) => expect(schema.safeParse(text).success).toBe(false));
});
