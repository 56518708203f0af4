import { createPublicKey } from "node:crypto";
import * as z from "zod";

/** Public keys in the form of a `.pub` file by `ssh-keygen`: one line with a type, the key, and a comment. */

/** OpenSSH's limits for RSA: the most bytes of a number, and the fewest bits of a modulus. */
const rsaLimits = { bytes: 2048, bits: 1024 };
const ed25519Bytes = 32;

/** Reads the fields of a key; each begins with its length in four bytes. */
class Fields {
  #rest: Buffer;

  constructor(key: Buffer) {
    this.#rest = key;
  }

  get isAtEnd(): boolean {
    return this.#rest.length === 0;
  }

  /** The next field; undefined if the key ends before it. */
  next(): Buffer | undefined {
    if (this.#rest.length < 4) return undefined;
    const end = 4 + this.#rest.readUInt32BE();
    if (this.#rest.length < end) return undefined;
    const field = this.#rest.subarray(4, end);
    this.#rest = this.#rest.subarray(end);
    return field;
  }
}

const isCut = "is cut off or altered: it is not a whole key of its type; copy the whole line again";
const isText = (field: Buffer | undefined, text: string): boolean =>
  field?.toString("latin1") === text;

/** Whether a field is a number that OpenSSH accepts: neither negative nor too long. */
const isNumber = (field: Buffer | undefined): field is Buffer =>
  field !== undefined && ((field[0] ?? 0) & 0x80) === 0 && trimmed(field).length <= rsaLimits.bytes;

/** A number without leading zeros. */
function trimmed(number: Buffer): Buffer {
  const first = number.findIndex((byte) => byte !== 0);
  return number.subarray(first < 0 ? number.length : first);
}

function rsaFault(fields: Fields): string | undefined {
  const [exponent, modulus] = [fields.next(), fields.next()];
  if (!isNumber(exponent) || !isNumber(modulus)) return isCut;
  const [first = 0, ...others] = trimmed(modulus);
  const bits = first === 0 ? 0 : others.length * 8 + 32 - Math.clz32(first);
  return bits >= rsaLimits.bits
    ? undefined
    : `is an RSA key of ${bits} bits; OpenSSH takes ${rsaLimits.bits} or more, and Red Hat's systems 2048`;
}

const ed25519Fault = (fields: Fields): string | undefined =>
  fields.next()?.length === ed25519Bytes ? undefined : isCut;

/** The curves by their SSH names, each with its name in JSON Web Keys and the bytes of a coordinate. */
const curves = {
  nistp256: { crv: "P-256", size: 32 },
  nistp384: { crv: "P-384", size: 48 },
  nistp521: { crv: "P-521", size: 66 },
} as const;

const ecdsaFault =
  (name: keyof typeof curves) =>
  (fields: Fields): string | undefined => {
    const [curve, point] = [fields.next(), fields.next()];
    return isText(curve, name) && point && isOn(curves[name], point) ? undefined : isCut;
  };

/** Whether a point, encoded as the byte 4 and two coordinates, is on a curve. */
function isOn({ crv, size }: { crv: string; size: number }, point: Buffer): boolean {
  if (point[0] !== 4 || point.length !== 1 + 2 * size) return false;
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
  try {
    const key = { kty: "EC", crv, x: x.toString("base64url"), y: y.toString("base64url") };
    return createPublicKey({ key, format: "jwk" }).type === "public";
  } catch {
    return false;
  }
}

/** For a key on a security token: the name of its application follows the key. */
const onToken =
  (fault: (fields: Fields) => string | undefined) =>
  (fields: Fields): string | undefined =>
    fault(fields) ?? (fields.next() ? undefined : isCut);

/** The types of keys, each with a check of its fields. */
const types = new Map([
  ["ssh-ed25519", ed25519Fault],
  ["ecdsa-sha2-nistp256", ecdsaFault("nistp256")],
  ["ecdsa-sha2-nistp384", ecdsaFault("nistp384")],
  ["ecdsa-sha2-nistp521", ecdsaFault("nistp521")],
  ["ssh-rsa", rsaFault],
  ["sk-ssh-ed25519@openssh.com", onToken(ed25519Fault)],
  ["sk-ecdsa-sha2-nistp256@openssh.com", onToken(ecdsaFault("nistp256"))],
]);

const example = "must be an OpenSSH public key, such as ssh-ed25519 AAAA… somebody";

/** The lines that ssh-keygen would read, without leading blanks; empty lines and comments are dropped. */
const keyLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/^[ \t]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));

/**
 * The form in which outside systems get a text that `sshPublicKeySchema` accepts: the key without other lines.
 * A key followed only by a line end is unchanged, so that nothing changes at systems that already have it.
 */
export function sshKeyAlone(text: string): string {
  const [line = ""] = keyLines(text);
  return text.replace(/\r?\n$/, "") === line ? text : line;
}

/** Why a text is not a key that can log in; undefined if it is one. The message never quotes the key. */
function sshKeyFault(text: string): string | undefined {
  const lines = keyLines(text);
  if (/^-+ ?BEGIN .*PRIVATE KEY/.test(text))
    return `${example}; this is a private key: use the .pub file beside it`;
  if (lines.length > 1 && lines.every((line) => startsWithType(line)))
    return `must be one key; got ${lines.length}`;
  const [, type, encoded] =
    /^([!-~]+)[ \t]+([!-~]+)(?:[ \t]+\P{Cc}*)?$/u.exec(lines[0] ?? "") ?? [];
  if (lines.length !== 1 || type === undefined || encoded === undefined) return example;
  if (type === "ssh-dss")
    return "is a DSA key, which OpenSSH does not take any more; make one with ssh-keygen -t ed25519";
  if (/-cert-v\d+@openssh\.com$/.test(type))
    return `${example}; this is a certificate: use the key that it certifies`;
  const fault = types.get(type);
  if (fault) return faultOf(type, encoded, fault);
  return startsWithType(encoded)
    ? `${example}; options before the type are not possible`
    : `${example}; its type must be one of ${[...types.keys()].join(", ")}`;
}

const startsWithType = (text: string): boolean => types.has(text.split(/[ \t]/)[0] ?? "");

function faultOf(
  type: string,
  encoded: string,
  fault: (fields: Fields) => string | undefined,
): string | undefined {
  const key = Buffer.from(encoded, "base64");
  // OpenSSH refuses characters that are not base64; Node ignores them.
  if (key.toString("base64") !== encoded) return isCut;
  const fields = new Fields(key);
  // The encoded key contains its type again.
  if (!isText(fields.next(), type)) return isCut;
  return fault(fields) ?? (fields.isAtEnd ? undefined : isCut);
}

/** A public key in the form of a `.pub` file by `ssh-keygen`; empty for no key. */
export const sshPublicKeySchema = z
  .string()
  .max(16_384)
  .superRefine((text, context) => {
    const message = text === "" ? undefined : sshKeyFault(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
