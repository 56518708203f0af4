import { describe } from "vitest";
import {
  cephSchema,
  ironicSchema,
  keaSchema,
  netboxAllocatorSchema,
  netboxInventorySchema,
  neutronSchema,
  powerDnsSchema,
} from "../../core/at-site/providers.ts";
import { addressIn } from "../../core/kernel/input/address.ts";
import { canonicalCidr } from "../../core/kernel/input/cidr.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { baseUrlSchema, urlSchema } from "../../core/kernel/input/url.ts";
import { parseGivenAddress, parseServerAddress } from "../../core/ports/bare-metal/address.ts";
import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import { urlRefusal } from "../../core/ports/webhook/address.ts";
import { bmcAddressSchema } from "../../core/resources/host/bmc.ts";
import { api as identityProviders } from "../../core/resources/identity-provider/kind.ts";
import { machinesSchema } from "../../core/resources/site/machines-spec.ts";
import { siteSpecSchema } from "../../core/resources/site/model.ts";
import { isSafeUrl } from "../../functions/identity/issuers.ts";
import { judgeInputs, refused } from "./table.ts";

const four = refused(/four plain decimals/);
const brackets = refused(/plain IPv6 address in brackets/);
const noMachine = refused(/must have the address of a machine/);
const noName = refused(/must have a host name of letters, digits and hyphens/);

describe("the address of a controller", () => {
  const at = (url: string) => ({
    by: "redfish",
    url: `https://${url}`,
    system: "/redfish/v1/Systems/1",
  });
  const read = (host: string) => parseServerAddress(`redfish://${host}/redfish/v1/Systems/1`);
  judgeInputs(read, [
    ["192.0.2.10", at("192.0.2.10"), "control"],
    ["192.0.2.10:8443", at("192.0.2.10:8443"), "control"],
    ["[2001:db8::10]", at("[2001:db8::10]"), "RFC 3986"],
    ["[2001:db8::10]:8443", at("[2001:db8::10]:8443"), "RFC 3986"],
    ["bmc-7.oob.example.com", at("bmc-7.oob.example.com"), "control"],
    ["3com.example.com", at("3com.example.com"), "RFC 1123: a label begins with a digit"],
    ["192.0.2.10.example.com", at("192.0.2.10.example.com"), "a name of numbers"],
    ["1e100.net", at("1e100.net"), "a name that begins like a number"],
    ["192.0.2.010", four, "whitequark/ipaddr.js#16"],
    ["010.020.030.040", four, "dotnet/runtime#76368"],
    ["192.0.2.08", four, "kubernetes#100895"],
    ["3221225994", four, "rust-lang/rust#86984"],
    ["0xC000020A", four, "URL standard: hexadecimal"],
    ["0xC0.0.2.10", four, "URL standard: hexadecimal"],
    ["0x", four, "URL standard: hexadecimal"],
    ["127.1", four, "inet_aton"],
    ["10.0.1", four, "inet_aton"],
    ["192.0.2.10.", four, "URL standard: a dot at the end"],
    ["192.0.2.256", four, "no address"],
    ["192.0.2.10:0443", at("192.0.2.10:443"), "a port is a number"],
    ["2001:db8::10", brackets, "aruba/aoscx-ansible-collection#127"],
    ["[::ffff:192.0.2.10]", brackets, "RFC 4291: IPv4-mapped"],
    ["[::ffff:c000:20a]", brackets, "RFC 4291: IPv4-mapped"],
    ["[fe80::1%25eth0]", brackets, "RFC 6874: zones"],
    ["[2001:db8::192.0.2.10]", brackets, "RFC 4291: IPv4 in IPv6"],
    ["[2001:00db8::10]", brackets, "five digits"],
    ["[192.0.2.10]", brackets, "IPv4 in brackets"],
    ["$(id)", noName, "a command"],
    ["bmc;7", noName, "another command"],
    ["bmc-7.example.com.", at("bmc-7.example.com"), "DNS: a dot at the end"],
    ["bmc-7.example.com.:8443", at("bmc-7.example.com:8443"), "DNS: a dot at the end"],
  ]);

  const none = (address: string) =>
    refused(new RegExp(`must have the address of a machine, not ${address}`));
  const given = (host: string) => {
    const address = `redfish://${host}/redfish/v1/Systems/1`;
    parseOrRefuse(bmcAddressSchema, address);
    return parseGivenAddress(address);
  };
  judgeInputs(given, [
    ["127.0.0.1:8000", at("127.0.0.1:8000"), "a simulated controller"],
    ["[::1]:8000", at("[::1]:8000"), "a simulated controller"],
    ["169.254.0.17", at("169.254.0.17"), "a controller at the host's own USB port"],
    ["0.0.0.0", none("0.0.0.0"), "no address"],
    ["0.0.0.7", none("0.0.0.7"), "no address"],
    ["224.0.0.1", none("224.0.0.1"), "multicast"],
    ["239.255.255.250", none("239.255.255.250"), "multicast"],
    ["240.0.0.1", none("240.0.0.1"), "reserved"],
    ["255.255.255.255", none("255.255.255.255"), "broadcast"],
    ["[::]", none("::"), "no address"],
    ["[ff02::1]", none("ff02::1"), "multicast"],
  ]);
});

describe("the path of a controller's system", () => {
  const system = (path: string) => {
    const place = parseGivenAddress(`redfish://192.0.2.10${path}`);
    return place.by === "redfish" && (place.system ?? "the only one");
  };
  const one = "/redfish/v1/Systems/1";
  const other = refused(/must name a system as \/redfish\/v1\/Systems\/<id>, or none/);
  judgeInputs(system, [
    [one, one, "control"],
    [`${one}/`, one, "a slash at the end"],
    [`${one}//`, one, "slashes at the end"],
    [`/${one}`, one, "two slashes"],
    ["/redfish/v1//Systems/1", one, "two slashes"],
    ["/redfish/v1/Systems/%31", one, "RFC 3986: %31 is 1"],
    ["/%72edfish/v1/Systems/1", one, "RFC 3986: %72 is r"],
    [`${one}/%2e`, one, "RFC 3986: %2e is a dot"],
    ["/redfish/v1/Systems/x/../1", one, "RFC 3986: dots"],
    ["/redfish/v1/Systems/a%2fb", "/redfish/v1/Systems/a%2Fb", "RFC 3986: upper case"],
    [
      "/redfish/v1/Systems/a%7e%2D%5f",
      "/redfish/v1/Systems/a~-_",
      "RFC 3986: all that is never reserved",
    ],
    [
      "/redfish/v1/Systems/System.Embedded.1",
      "/redfish/v1/Systems/System.Embedded.1",
      "Dell's own",
    ],
    ["", "the only one", "no path"],
    ["/", "the only one", "the root"],
    ["/redfish/v1", "the only one", "the root of Redfish"],
    ["/redfish/v1//", "the only one", "the root of Redfish"],
    ["/redfish", other, "the versions of Redfish"],
    ["/redfish/v1/Systems", other, "all systems"],
    ["/redfish/v1/Systems/", other, "all systems"],
    ["/redfish/v1/systems/1", other, "DSP0266: paths know case"],
    ["/redfish/v1/Systems/1/Storage", other, "a part of a system"],
    ["/redfish/v1/Chassis/1", other, "no system"],
    ["/1", other, "Metal3's IPMI"],
  ]);
});

describe("the scheme of a controller", () => {
  const read = (scheme: string) => {
    const place = parseServerAddress(`${scheme}://192.0.2.10/redfish/v1/Systems/1`);
    return place.by === "redfish" && place.url;
  };
  const https = "https://192.0.2.10";
  const http = "http://192.0.2.10";
  const other = refused(/must be the address of a Redfish controller/);
  judgeInputs(read, [
    ["redfish", https, "metal3-io/baremetal-operator: redfish.go"],
    ["redfish+https", https, "metal3-io/baremetal-operator: redfish.go"],
    ["redfish+http", http, "metal3-io/baremetal-operator#1098"],
    ["ilo5-redfish", https, "metal3-io/baremetal-operator: redfish.go"],
    ["idrac-redfish+http", http, "metal3-io/baremetal-operator: redfish.go"],
    ["redfish-virtualmedia", https, "metal3-io/baremetal-operator: redfish_virtualmedia.go"],
    ["ilo5-virtualmedia", https, "metal3-io/baremetal-operator: redfish_virtualmedia.go"],
    ["idrac-virtualmedia", https, "openshift/installer#5458"],
    ["idrac-virtualmedia+https", https, "openshift-docs#32022"],
    ["idrac-virtualmedia+http", http, "metal3-io/baremetal-operator: idrac_virtualmedia.go"],
    ["redfish-uefihttp", https, "metal3-io/baremetal-operator: redfish_https.go"],
    ["ilo4-virtualmedia", other, "no Redfish"],
    ["ipmi", other, "no Redfish"],
    ["idrac", other, "WS-Man"],
    ["redfish+ftp", other, "no transport"],
  ]);
});

describe("the address of a controller without slashes", () => {
  const read = (text: string) => {
    const place = parseServerAddress(text);
    return place.by === "redfish" && `${place.url}${place.system ?? ""}`;
  };
  judgeInputs(read, [
    ["redfish:192.0.2.10", "https://192.0.2.10", "metal3-io/baremetal-operator: access_test.go"],
    [
      "idrac-virtualmedia+http:192.0.2.10:8080/redfish/v1/Systems/1",
      "http://192.0.2.10:8080/redfish/v1/Systems/1",
      "metal3-io/baremetal-operator: access.go",
    ],
    ["redfish:[2001:db8::10]", "https://[2001:db8::10]", "IPv6"],
    ["redfish:192.0.2.010", four, "whitequark/ipaddr.js#16"],
    ["redfish:", refused(/must be the address of a Redfish controller/), "no host"],
  ]);
});

describe("the address of a controller that somebody else manages", () => {
  const read = (text: string) => parseOrRefuse(bmcAddressSchema, text);
  judgeInputs(read, [
    [
      "redfish://192.0.2.10/redfish/v1/Systems/1",
      "redfish://192.0.2.10/redfish/v1/Systems/1",
      "control",
    ],
    ["ipmi://192.0.2.10", "ipmi://192.0.2.10", "control"],
    ["192.0.2.10", "192.0.2.10", "control"],
    ["metal3:metal/rack-1-01", "metal3:metal/rack-1-01", "control"],
    ["ironic:7", "ironic:7", "a node of Ironic"],
    ["rack 7, shelf 1", "rack 7, shelf 1", "words"],
    ["redfish://192.0.2.010/redfish/v1/Systems/1", four, "whitequark/ipaddr.js#16"],
    ["redfish:192.0.2.010", four, "whitequark/ipaddr.js#16"],
    ["redfish:0.0.0.0", noMachine, "no address"],
    ["ipmi://192.0.2.010", four, "whitequark/ipaddr.js#16"],
    ["192.0.2.010", four, "whitequark/ipaddr.js#16"],
    ["3221225994", four, "rust-lang/rust#86984"],
    ["ipmi://0.0.0.0", noMachine, "no address"],
    ["224.0.0.1", noMachine, "multicast"],
    ["255.255.255.255", noMachine, "broadcast"],
    ["redfish://[::]/redfish/v1", noMachine, "no address"],
    ["0 shelf 1", "0 shelf 1", "words"],
  ]);
});

describe("a URL", () => {
  const read = (text: string) => parseOrRefuse(urlSchema(/^https?$/, "must be a URL"), text);
  judgeInputs(read, [
    ["https://dns.example.com:8081/api", "https://dns.example.com:8081/api", "control"],
    ["http://192.0.2.10:8080", "http://192.0.2.10:8080", "control"],
    ["https://[2001:db8::10]/v3", "https://[2001:db8::10]/v3", "control"],
    ["https://3com.example.com", "https://3com.example.com", "RFC 1123"],
    ["https://dns.example.com?a=192.0.2.010", "https://dns.example.com?a=192.0.2.010", "no host"],
    ["https://bücher.example", "https://bücher.example", "IDNA"],
    ["http://192.0.2.010:8080", four, "whitequark/ipaddr.js#52"],
    ["http://0300.0.2.10", four, "octal"],
    ["http://3221225994", four, "numeric"],
    ["http://127.1/", four, "short"],
    ["http://192.0.2.%30%31%30", four, "URL standard: percent signs"],
    ["http://１９２.0.2.10", four, "URL standard: wide digits"],
    ["http://192。0。2。10", four, "URL standard: wide dots"],
    ["http:192.0.2.10", refused(/must/), "URL standard: no slashes"],
    ["http:///192.0.2.10", refused(/must/), "URL standard: three slashes"],
    ["http://[::ffff:192.0.2.10]", brackets, "RFC 4291"],
    ["http://localhost:8080", "http://localhost:8080", "a name without dots"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080", "this machine"],
    ["http://0.0.0.0:8080", noMachine, "no address"],
    ["http://224.0.0.1", noMachine, "multicast"],
    ["http://255.255.255.255/x", noMachine, "broadcast"],
    ["http://[::]:8080/x", noMachine, "no address"],
    ["http://[FF02::1]", noMachine, "multicast"],
    ["http://dns.example.com:0", refused(/must be a URL/), "no port"],
    ["http://dns.example.com/\u202ea", refused(/must be a URL/), "turns the text around"],
    ["http://kea_ctrl:8000", "http://kea_ctrl:8000", "containers have such names"],
    ["http://dns.example.com./", "http://dns.example.com./", "a dot at the end"],
    ["http://DNS.example.com", "http://DNS.example.com", "DNS knows no case"],
    ["http://a--b.example.com", "http://a--b.example.com", "two hyphens"],
    ["http://$(id)/", noName, "attack: a command"],
    ["http://`id`/", noName, "a command"],
    ["http://a;b/", noName, "another command"],
    ["http://a&b/", noName, "another command"],
    ["http://a'b/", noName, "a quote"],
    ['http://a"b/', refused(/must/), "a quote"],
    ["http://{a,b}/", noName, "braces of a shell"],
    ["http://*.example.com/", noName, "any name"],
    ["http://a,b/", noName, "two names"],
    ["http://-a.example.com/", noName, "RFC 1123: a hyphen first"],
    ["http://a-.example.com/", noName, "RFC 1123: a hyphen last"],
    ["http://a..example.com/", noName, "an empty label"],
    ["http://.example.com/", noName, "an empty label"],
    [`http://${"a".repeat(64)}.example.com/`, noName, "RFC 1035: a label of 64"],
    [`http://${"a.".repeat(127)}example/`, noName, "RFC 1035: longer than 253"],
    ["http://bü$cher.example", noName, "IDNA"],
  ]);

  const base = (text: string) => parseOrRefuse(baseUrlSchema(/^https?$/, "must be a URL"), text);
  const noQuery = refused(/must not have a query or a fragment/);
  judgeInputs(base, [
    ["https://dns.example.com:8081/api", "https://dns.example.com:8081/api", "control"],
    ["https://dns.example.com/?a=b", noQuery, "a query"],
    ["https://dns.example.com?", noQuery, "an empty query"],
    ["https://dns.example.com/#a", noQuery, "a fragment"],
    ["https://dns.example.com#", noQuery, "an empty fragment"],
  ]);
});

describe("a URL before the paths that Slipway asks for", () => {
  const neutron = {
    ...{ provider: "neutron", credential_id: "a" },
    ...{ physical_network: "a", external_network: "b" },
  };
  const provider = identityProviders.rules.schema;
  const allocator = { provider: "netbox", vlan_group: 1, prefix: 1, ip_range: 1 };
  const inventory = { provider: "netbox", hub: "a", host_types: {} };
  const bases: [string, (url: string) => unknown][] = [
    ["machines.url", (url) => parseOrRefuse(machinesSchema, { url })],
    ["fabric.auth_url", (auth_url) => parseOrRefuse(neutronSchema, { ...neutron, auth_url })],
    ["dhcp", (url) => parseOrRefuse(keaSchema, { provider: "kea", url, username: "a" })],
    [
      "bare_metal",
      (url) => parseOrRefuse(ironicSchema, { provider: "ironic", url, username: "a" }),
    ],
    [
      "bare_metal.auth_url",
      (auth_url) =>
        parseOrRefuse(ironicSchema, { provider: "ironic", auth_url, credential_id: "a" }),
    ],
    [
      "dns",
      (url) =>
        parseOrRefuse(powerDnsSchema, {
          ...{ provider: "powerdns", url, zone: "example.com", servers: ["192.0.2.53"] },
        }),
    ],
    [
      "storage",
      (url) => parseOrRefuse(cephSchema, { provider: "ceph", url, pool: "a", username: "a" }),
    ],
    ["allocator", (url) => parseOrRefuse(netboxAllocatorSchema, { ...allocator, url })],
    ["inventory", (url) => parseOrRefuse(netboxInventorySchema, { ...inventory, url })],
    [
      "identity_provider.issuer",
      (issuer) =>
        parseOrRefuse(siteSpecSchema.shape.identity_provider, {
          ...{ name: "a", issuer, client_id: "a" },
        }),
    ],
    [
      "oidc.issuer",
      (issuer) => parseOrRefuse(provider, { metadata: { name: "a" }, spec: { oidc: { issuer } } }),
    ],
  ];
  describe.each(bases)("%s", (_, parse) => {
    const isRead = (url: string) => parse(url) !== undefined;
    judgeInputs(isRead, [
      ["https://a.example.com:8443/base", true, "control"],
      ["https://$(id)/", noName, "a command"],
      ["https://a.example.com/?b", refused(/must not have a query or a fragment/), "a query"],
      ["https://a.example.com/#b", refused(/must not have a query or a fragment/), "a fragment"],
      ["https://192.0.2.010", four, "octal"],
    ]);
  });
});

describe("the URL of a file", () => {
  const file = (loader: string) =>
    parseOrRefuse(machinesSchema, { url: "http://10.0.0.2", loader }).loader;
  judgeInputs(file, [
    ["http://10.0.0.2/ipxe.efi?v=2", "http://10.0.0.2/ipxe.efi?v=2", "a query"],
    ["http://$(id)/ipxe.efi", noName, "a command"],
  ]);
});

describe("other addresses", () => {
  const site = (network: object) =>
    parseOrRefuse(siteSpecSchema.shape.network, {
      ...{ vlans: { first: 100, last: 199 }, prefixes: { cidr: "10.64.0.0/16", length: 24 } },
      floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
      ...{ dns_servers: [], rest_minutes: 10 },
      ...network,
    });
  const isRead = (network: object) => site(network) !== undefined;
  judgeInputs(isRead, [
    [{ dns_servers: ["192.0.2.53"] }, true, "control"],
    [
      { dns_servers: ["192.0.2.053"] },
      refused(/dns_servers\[0\]: must be an IPv4 address/),
      "octal",
    ],
    [{ dns_servers: ["127.1"] }, refused(/dns_servers/), "short"],
    [{ floating_ips: { first: "203.0.113.010", last: "203.0.113.20" } }, refused(/first/), "octal"],
    [{ prefixes: { cidr: "010.64.0.0/16", length: 24 } }, refused(/prefixes/), "octal"],
  ]);
  const kubeconfig = (server: string) =>
    parseKubeconfig(`
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "${server}"}}]
users: [{name: a, user: {token: abc}}]
`).server;
  judgeInputs(kubeconfig, [
    ["https://192.0.2.10:6443", "https://192.0.2.10:6443", "control"],
    ["https://192.0.2.010:6443", refused(/clusters\[0\].cluster.server: .*four plain/), "octal"],
    [
      "https://$(id):6443",
      refused(/clusters\[0\].cluster.server: must have a host name/),
      "a command",
    ],
  ]);
  const webhook = (url: string) => urlRefusal(url, { loopback: false });
  judgeInputs(webhook, [
    ["https://8.8.8.8/events", undefined, "control"],
    ["https://8.8.8.010/events", expectFour(), "octal"],
    ["https://0x08080808/events", expectFour(), "hexadecimal"],
    ["https://a.example.com/events?token=b", undefined, "a query"],
    [
      "https://$(id)/events",
      "must have a host name of letters, digits and hyphens, such as dns.example.com",
      "a command",
    ],
  ]);
  judgeInputs(isSafeUrl, [
    ["https://issuer.example.com", true, "control"],
    ["http://127.0.0.1:8080", true, "this machine"],
    ["http://127.1:8080", false, "short"],
    ["https://192.0.2.010", false, "octal"],
    ["https://$(id)", false, "a command"],
  ]);
  judgeInputs(addressIn, [
    ["2001:0DB8:0:0::10", "2001:db8::10", "RFC 5952"],
    ["192.0.2.10", "192.0.2.10", "control"],
    ["192.0.2.010", undefined, "octal"],
    ["::ffff:192.0.2.10", undefined, "IPv4-mapped"],
  ]);
  judgeInputs(canonicalCidr, [
    ["10.128.0.5/14", "10.128.0.0/14", "control"],
    ["010.128.0.0/14", undefined, "octal"],
    ["2001:db8::192.0.2.0/112", undefined, "IPv4 in IPv6"],
  ]);
});

function expectFour(): string {
  return "must have an IPv4 address as four plain decimals, such as 192.0.2.10";
}
