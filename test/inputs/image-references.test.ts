import { describe } from "vitest";
import { isImageReference } from "../../core/kernel/input/image-reference.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { imageSchema } from "../../core/resources/baremetal-instance-template/order-input.ts";
import { machinesSchema } from "../../core/resources/site/machines-spec.ts";
import { judgeInputs, refused } from "./table.ts";

/** Where images are, by their source: what a server could load, and nothing else. */

const digest = `sha256:${"a".repeat(64)}`;
const long = `${"a".repeat(63)}.`.repeat(3);

const references: [string, string][] = [
  ["quay.io/images/rhel:9.6", "usual"],
  ["quay.io/images/rhel", "no tag"],
  [`quay.io/images/rhel@${digest}`, "by its digest"],
  [`quay.io/images/rhel:9@${digest}`, "both"],
  ["registry.example.com:5000/a/b/c_d__e-f.g:v1.2.3_x", "all characters of a path"],
  ["localhost:5000/x", "a registry without dots"],
  ["192.0.2.10:5000/x:1", "an IPv4 registry"],
  ["[2001:db8::5]:5000/x", "an IPv6 registry"],
  ["rhel:9", "Docker Hub's"],
  ["REGISTRY.example.com/x", "DNS knows no case"],
];
const noReferences: [string, string][] = [
  ["quay.io:99999/x", "no port"],
  ["quay.io:0/x", "no port"],
  ["[:::::]/x", "no address"],
  ["[2001:db8::5/x", "no address"],
  ["192.0.2.010/x", "octal"],
  ["0x7f000001:5000/x", "hexadecimal"],
  ["--autofree", "an option of iPXE"],
  ["-rhel", "an option"],
  ["https://quay.io/images/rhel", "a URL"],
  ["docker://quay.io/images/rhel", "skopeo's transport"],
  ["oci:quay.io/x/y@z", "skopeo's transport"],
  ["quay.io/Images/rhel", "distribution/reference: lower case"],
  ["quay.io/images/rhel:", "no tag behind the colon"],
  ["quay.io/images/rhel:-x", "a tag of a dash"],
  [`quay.io/x:${"t".repeat(129)}`, "a tag too long"],
  ["quay.io/x@sha256:abc", "a digest cut off"],
  ["quay.io//x", "an empty part"],
  ["/x", "no registry"],
  ["quay.io/", "no path"],
  ["user:secret@quay.io/x", "a login"],
  ["quay.io/x y", "a space"],
  ["quay.io/x\n", "a line's end"],
  ["quay.io/x\ny", "two lines"],
  ["\r\n", "nothing but a line's end"],
  ["quay.io/x$(id)", "a command"],
  [`${long}example.com/${"a".repeat(200)}`, "longer than 255"],
];

describe("an image in a registry", () => {
  judgeInputs(isImageReference, [
    ...references.map(([text, from]) => [text, true, from] as const),
    ...noReferences.map(([text, from]) => [text, false, from] as const),
  ]);

  const noImage = refused(/source_ref: must be an image in a registry, such as quay.io/);
  judgeInputs(
    (source_ref: string) => read("registry", source_ref),
    [
      ["quay.io/images/rhel:9.6", "quay.io/images/rhel:9.6", "usual"],
      ...noReferences.map(([text, from]) => [text, noImage, from] as const),
    ],
  );
});

const read = (source_type: string, source_ref: string): string =>
  parseOrRefuse(imageSchema, { source_type, source_ref }).source_ref;

const urls: [string, string][] = [
  ["https://images.example.com/rhel-9.raw", "usual"],
  ["https://images.example.com", "no path"],
  ["https://images.example.com:8443/a/b?token=x&y=%20#part", "port, query, fragment"],
  ["https://192.0.2.10/x", "IPv4"],
  ["https://[2001:db8::5]:8443/x", "IPv6"],
  ["https://xn--bcher-kva.example/x", "punycode"],
  ["HTTPS://images.example.com/x", "schemes know no case"],
  ["https://images.example.com/a@b", "an at sign in the path"],
  ["https://images.example.com/-x", "a dash in the path"],
];
const noUrls: [string, string][] = [
  ["https://images.example.com/\u202ex", "turns the text around"],
  ["https://images.example.com/\u2066x", "turns the text around"],
  ["https://images.example.com/\u200bx", "nothing to see"],
  ["https://images.example.com:0/x", "no port"],
  ["http://images.example.com/x", "not encrypted"],
  ["http://169.254.169.254/", "the cloud's metadata"],
  ["file:///etc/passwd", "a file"],
  ["javascript:1", "a script"],
  ["ftp://images.example.com/x", "another protocol"],
  ["tftp://10.0.0.1/x", "another protocol"],
  ["--autofree", "an option of iPXE"],
  ["quay.io/images/rhel", "no URL"],
  ["//images.example.com/x", "no scheme"],
  ["https://", "no host"],
  ["https:///x", "no host"],
  ["https:images.example.com", "browsers take it"],
  ["https:\\\\images.example.com\\x", "browsers take it"],
  ["https://:443/x", "no host"],
  ["https://images.example.com:99999/x", "no port"],
  ["\r\n", "a line's end"],
  ["a\nb", "two lines"],
  ["https://images.example.com/a\nb", "a line's end inside"],
  ["https://images.example.com/a\tb", "a tab inside"],
  ["https://images.example.com/a b", "a space inside"],
  [" https://images.example.com/x", "a space before it"],
  ["https://images.example.com/x\u0000", "NUL"],
  ["https://images.example.com/x\u0085", "a control character"],
];

/** Hosts that a server in a rack never reaches. */
const unreachable: [string, string][] = [
  ["127.0.0.1", "the server itself"],
  ["127.8.9.10:8443", "the server itself"],
  ["[::1]", "the server itself"],
  ["localhost", "the server itself"],
  ["images.localhost.", "the server itself"],
  ["169.254.169.254", "the cloud's metadata"],
  ["[fe80::1]", "link-local"],
  ["0.0.0.0", "no address"],
  ["0.1.2.3", "no address"],
  ["[::]", "no address"],
  ["224.0.0.1", "multicast"],
  ["[ff02::1]", "multicast"],
  ["255.255.255.255", "broadcast"],
];

describe("an image where no server gets it", () => {
  const never = refused(/source_ref: must have a host that servers reach/);
  const at = (host: string) => host.replace(/^(localhost)$/, "$1:5000");
  judgeInputs(
    (host: string) => read("url", `https://${host}/x`),
    unreachable.map(([host, from]) => [host, never, from] as const),
  );
  judgeInputs(
    (host: string) => read("registry", `${at(host)}/x`),
    unreachable
      .filter(([host]) => !host.endsWith("."))
      .map(([host, from]) => [host, never, from] as const),
  );
  judgeInputs(
    (source_ref: string) => read("registry", source_ref),
    [
      ["192.168.1.5:5000/x", "192.168.1.5:5000/x", "the provider's own network"],
      ["localhost/x", never, "a registry, as containers read it"],
      ["127.0.0.1", "127.0.0.1", "an image of Docker Hub"],
    ],
  );
});

describe.each(["url", "ipxe"])("an image of source %s", (source) => {
  const noUrl = refused(/source_ref: must be an https URL, such as https:/);
  judgeInputs(
    (source_ref: string) => read(source, source_ref),
    [
      ...urls.map(([text, from]) => [text, text, from] as const),
      ...noUrls.map(([text, from]) => [text, noUrl, from] as const),
      [
        "https://me:secret@images.example.com/x",
        refused(/source_ref: must not have a user or a password/),
        "a login",
      ],
      ["https://me@images.example.com/x", refused(/must not have a user/), "a user"],
    ],
  );
});

describe("what machines at a site load", () => {
  const noUrl = refused(/loader: must be a URL, such as http/);
  judgeInputs(
    (loader: string) => parseOrRefuse(machinesSchema, { url: "http://10.0.0.2", loader }).loader,
    [
      ["http://10.0.0.2/ipxe.efi", "http://10.0.0.2/ipxe.efi", "the provider's own network"],
      ...urls.map(([text, from]) => [text, text, from] as const),
      ...noUrls
        .filter(([text]) => !text.startsWith("http://"))
        .map(([text, from]) => [text, noUrl, from] as const),
      ["http://me:secret@10.0.0.2/x", refused(/must not have a user/), "a login"],
    ],
  );
});
