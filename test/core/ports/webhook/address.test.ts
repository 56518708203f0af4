import { describe, expect, it } from "vitest";
import { isPublic, urlRefusal } from "../../../../core/ports/webhook/address.ts";

/** Server-side request forgery: what a tenant must not have us reach. */

describe("an address", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80f::200e",
  ])("%s is public", (address) => expect(isPublic(address)).toBe(true));

  it.each([
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.254"],
    ["private", "192.168.1.1"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["loopback", "::1"],
    ["unspecified", "0.0.0.0"],
    ["unspecified", "0.1.2.3"],
    ["unspecified", "::"],
    ["link-local and metadata", "169.254.169.254"],
    ["link-local and metadata", "169.254.170.2"],
    ["link-local", "fe80::1"],
    ["metadata by ULA", "fd00:ec2::254"],
    ["metadata in shared space", "100.100.100.200"],
    ["metadata at a public address", "168.63.129.16"],
    ["shared (CGNAT)", "100.64.0.1"],
    ["shared (CGNAT)", "100.127.255.254"],
    ["unique local", "fc00::1"],
    ["site-local", "fec0::1"],
    ["IPv4 in IPv6", "::ffff:8.8.8.8"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1"],
    ["IPv4 in IPv6", "::ffff:7f00:1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64", "64:ff9b:1::a00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.250"],
    ["multicast", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["protocol assignments", "192.0.0.192"],
    ["documentation", "192.0.2.1"],
    ["documentation", "2001:db8::1"],
    ["benchmarking", "198.18.0.1"],
    ["discard", "100::1"],
    ["with a zone", "fe80::1%eth0"],
    ["no address", "example.com"],
  ])("%s: %s is not", (_, address) => expect(isPublic(address)).toBe(false));
});

describe("a URL", () => {
  const strict = (url: string) => urlRefusal(url, { loopback: false });
  const local = (url: string) => urlRefusal(url, { loopback: true });

  it.each(["https://receiver.example.com/x", "https://8.8.8.8:8443/", "https://[2606:4700::1]/"])(
    "%s may be a webhook's",
    (url) => expect(strict(url)).toBeUndefined(),
  );

  it.each([
    "",
    "receiver.example.com",
    "http://receiver.example.com",
    "ftp://receiver.example.com",
    "file:///etc/passwd",
    "gopher://receiver.example.com",
    "https://user:secret@receiver.example.com",
    "https://user@receiver.example.com",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[fd00:ec2::254]/",
    "https://①②⑦.⓪.⓪.①/",
    "http://127.0.0.1:8080/",
  ])("%j may not", (url) => expect(strict(url)).toBeDefined());

  it("may be this machine's where that is allowed, without TLS too, and nobody else's", () => {
    expect(local("http://127.0.0.1:9000/")).toBeUndefined();
    expect(local("http://localhost:9000/")).toBeUndefined();
    expect(local("https://[::1]:9000/")).toBeUndefined();
    for (const url of ["http://10.0.0.1/", "https://10.0.0.1/", "http://receiver.example.com/"])
      expect(local(url), url).toBeDefined();
  });
});
