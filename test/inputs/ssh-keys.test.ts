import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { sshKeyAlone, sshPublicKeySchema } from "../../core/kernel/input/ssh-key.ts";
import { sshKey } from "../support/orders.ts";
import { judgeInputs, refused } from "./table.ts";

/** Public keys by their fields: what ssh-keygen reads is read, and a key that cannot log in is refused. */

const field = (bytes: Buffer | string): Buffer => {
  const whole = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(whole.length);
  return Buffer.concat([length, whole]);
};
const encoded = (type: string, ...fields: (Buffer | string)[]): string =>
  Buffer.concat([type, ...fields].map(field)).toString("base64");
const key = (type: string, ...fields: (Buffer | string)[]): string =>
  `${type} ${encoded(type, ...fields)}`;

const ed = Buffer.alloc(32, "k");
const exponent = Buffer.from([1, 0, 1]);
/** An odd number of so many bits. */
function modulus(bits: number): Buffer {
  const number = Buffer.alloc(Math.ceil(bits / 8), 0xff);
  number[0] = 2 ** (((bits - 1) % 8) + 1) - 1;
  return bits % 8 === 0 ? Buffer.concat([Buffer.alloc(1), number]) : number;
}
/** The points of the curves that every text has: their generators. */
const p256 = Buffer.from(
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
  "hex",
);
const p384 = Buffer.from(
  "04aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab73617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
  "hex",
);
const p521 = Buffer.from(
  "0400c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
  "hex",
);
const off = Buffer.concat([p256.subarray(0, -1), Buffer.from([0])]);
const compressed = Buffer.concat([Buffer.from([3]), p256.subarray(1, 33)]);
const ecdsa = "ecdsa-sha2-nistp256";
const skEd = "sk-ssh-ed25519@openssh.com";
const skEc = "sk-ecdsa-sha2-nistp256@openssh.com";
const whole = key("ssh-ed25519", ed);
const dsa = key("ssh-dss", modulus(1024), modulus(160), Buffer.from([2]), Buffer.from([3]));

const accepted: [string, string][] = [
  ["", "none"],
  [whole, "no comment"],
  [sshKey("me@example.com"), "a comment"],
  [`${sshKey("two words, Ü")}\n`, "as the file has it"],
  [`${sshKey("me")}\r\n`, "a file of Windows"],
  [`${whole}\n\n`, "an empty line behind it"],
  [`\n${whole}`, "an empty line before it"],
  [`\r\n \t\r\n${whole}\r\n`, "empty lines of Windows"],
  [` ${whole}`, "a space before it"],
  [`\t${whole}`, "a tab before it"],
  [`# mine\n${whole}`, "authorized_keys: a comment"],
  [`  # mine\n\n${whole}\n# no other\n`, "comments around it"],
  [whole.replace(" ", "\t"), "OpenSSH takes tabs too"],
  [whole.replace(" ", "   "), "more spaces"],
  [key("ssh-rsa", exponent, modulus(1024)), "the least that OpenSSH takes"],
  [key("ssh-rsa", exponent, modulus(3072)), "ssh-keygen's own"],
  [key("ssh-rsa", exponent, modulus(4096)), "usual"],
  [key("ssh-rsa", exponent, modulus(8192)), "long"],
  [key(ecdsa, "nistp256", p256), "RFC 5656"],
  [key("ecdsa-sha2-nistp384", "nistp384", p384), "RFC 5656"],
  [key("ecdsa-sha2-nistp521", "nistp521", p521), "RFC 5656"],
  [key(skEd, ed, "ssh:"), "PROTOCOL.u2f"],
  [key(skEc, "nistp256", p256, "ssh:"), "PROTOCOL.u2f"],
];

const isCut = refused(/is cut off or altered/);
const noKey = refused(/must be an OpenSSH public key, such as ssh-ed25519 AAAA… somebody/);

/** What ssh-keygen refuses as well. */
const broken: [string, typeof noKey, string][] = [
  [whole.slice(0, -4), isCut, "openshift/assisted-service#10830: its last four characters"],
  [whole.slice(0, 40), isCut, "openshift/installer#9770: half a key"],
  [key("ssh-rsa", exponent, modulus(2048)).slice(0, 200), isCut, "half an RSA key"],
  [key("ssh-rsa", exponent, modulus(2048), "").replace(/A{5}$/, ""), isCut, "bytes at the end"],
  [key("ssh-rsa", exponent, modulus(2048), Buffer.alloc(3)), isCut, "one field too many"],
  [key("ssh-rsa", exponent), isCut, "a field too few"],
  [key("ssh-rsa", exponent, modulus(1024).subarray(1)), isCut, "a negative number"],
  [key("ssh-rsa", exponent, modulus(16_392)), isCut, "more bits than OpenSSH reads"],
  [key("ssh-rsa", exponent, modulus(1023)), refused(/1023 bits.*1024/), "too short"],
  [key("ssh-rsa", exponent, modulus(512)), refused(/512 bits.*1024/), "too short"],
  [key("ssh-ed25519", ed.subarray(1)), isCut, "31 bytes"],
  [key("ssh-ed25519", Buffer.alloc(33)), isCut, "33 bytes"],
  [key("ssh-ed25519", ed, "x"), isCut, "one field too many"],
  [key("ssh-ed25519"), isCut, "its type alone"],
  [`ssh-rsa ${encoded("ssh-ed25519", ed)}`, isCut, "another type inside"],
  [whole.replace(/.$/, ""), isCut, "base64 without its padding"],
  [whole.replace("IG", "I!"), isCut, "no base64"],
  [key(ecdsa, "nistp256", off), isCut, "not on the curve"],
  [key(ecdsa, "nistp384", p256), isCut, "another curve"],
  [key(ecdsa, "nistp256", compressed), isCut, "a compressed point"],
  [key(skEd, ed), isCut, "no application"],
  [key("ssh-foo", ed), refused(/its type must be one of ssh-ed25519, /), "no type"],
  ["ssh-rsa", noKey, "no key"],
  ["x", noKey, "no key"],
  [" ", noKey, "no key"],
  ["\n\n", noKey, "empty lines alone"],
  [`# ${whole}`, noKey, "a comment alone"],
  ["---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----", noKey, "RFC 4716"],
  [
    "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----",
    refused(/private key: use the \.pub file/),
    "the wrong file",
  ],
];

/** What ssh-keygen reads, and cannot log in, or not as it stands there. */
const unusable: [string, typeof noKey, string][] = [
  [dsa, refused(/DSA key.*ssh-keygen -t ed25519/), "OpenSSH 10"],
  [`${sshKey("a")}\n${sshKey("b")}`, refused(/must be one key; got 2/), "hypershift#476"],
  [
    `${sshKey("a")}\n${sshKey("b")}\n${sshKey("c")}\n`,
    refused(/must be one key; got 3/),
    "ARO-HCP#6157",
  ],
  [`from="*" ${whole}`, refused(/options before the type/), "authorized_keys"],
  [`no-pty ${whole}`, refused(/options before the type/), "authorized_keys"],
  [`${whole} \u0007`, noKey, "a control character"],
  [
    `# mine\n${sshKey("a")}\n\n${sshKey("b")}`,
    refused(/must be one key; got 2/),
    "two with a comment",
  ],
  [
    key("ssh-ed25519-cert-v01@openssh.com", ed),
    refused(/certificate: use the key that it certifies/),
    "PROTOCOL.certkeys",
  ],
];

describe("an SSH public key", () => {
  judgeInputs(
    (text: string) => parseOrRefuse(sshPublicKeySchema, text),
    [
      ...accepted.map(([text, from]) => [text, text, from] as const),
      ...broken,
      ...unusable,
      [`ssh-ed25519 ${"A".repeat(17_000)}`, refused(/16384/), "the size of the field"],
    ],
  );
});

describe("a key as a cluster or a server gets it", () => {
  judgeInputs(sshKeyAlone, [
    [whole, whole, "as it is"],
    [`${whole}\n`, `${whole}\n`, "as it always was"],
    [`${whole}\r\n`, `${whole}\r\n`, "as it always was"],
    [`${whole}\n\n`, whole, "an empty line behind it"],
    [`# mine\n\n \t${whole}\n# no other\n`, whole, "comments and blanks around it"],
  ]);
});

const hasKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined;

describe.skipIf(!hasKeygen)("ssh-keygen, where it is installed,", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-keys-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function reads(text: string): boolean {
    const file = join(folder, "key.pub");
    writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`);
    return spawnSync("ssh-keygen", ["-lf", file]).status === 0;
  }

  it.each(accepted.filter(([text]) => text !== ""))("reads %j (%s)", (text) =>
    expect(reads(text)).toBe(true),
  );
  it.each(broken)("refuses %j", (text) => expect(reads(text)).toBe(false));

  it.each([
    ["ed25519", []],
    ["rsa", ["-b", "2048"]],
    ["ecdsa", ["-b", "256"]],
    ["ecdsa", ["-b", "384"]],
    ["ecdsa", ["-b", "521"]],
  ])("makes %s keys %j that are read, and not without a part", (type, more) => {
    const file = join(folder, `made-${type}-${more.join("")}`);
    execFileSync("ssh-keygen", ["-q", "-t", type, ...more, "-N", "", "-C", "me", "-f", file]);
    const text = execFileSync("cat", [`${file}.pub`]).toString();
    expect(parseOrRefuse(sshPublicKeySchema, text)).toBe(text);
    expect(sshPublicKeySchema.safeParse(text.replace(/.{4} me\n$/, " me\n")).success).toBe(false);
  });
});
