import * as z from "zod";

/**
 * One line of text, such as people write on a label: it has no characters that end a line or move a
 * cursor.
 */
export const lineSchema = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), "must not have control characters");

/** A domain in lower case, without a dot at its end. */
export const dnsNameSchema = (max: number) =>
  z
    .string()
    .max(max)
    .regex(
      /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/,
      "must be a DNS name in lower case, such as clusters.example.com",
    );

/** A public key in the form of a `.pub` file by `ssh-keygen`; empty for none. */
export const sshPublicKeySchema = z
  .string()
  .max(16_384)
  .refine(
    (text) => text === "" || isSshPublicKey(text),
    "must be an OpenSSH public key, such as ssh-ed25519 AAAA… somebody",
  );

const sshKey =
  /^((?:ssh|ecdsa-sha2|sk-ssh|sk-ecdsa-sha2)-[a-z0-9@.-]+) ([A-Za-z0-9+/]+={0,2})( \P{Cc}*)?\r?\n?$/u;

/** The encoded key repeats its type: four bytes with the length, then the name. */
function isSshPublicKey(text: string): boolean {
  const [, type = "", encoded = ""] = sshKey.exec(text) ?? [];
  const key = Buffer.from(encoded, "base64");
  const name = key.subarray(4, 4 + type.length).toString("latin1");
  return (
    type !== "" &&
    key.length > 4 + type.length &&
    key.readUInt32BE() === type.length &&
    name === type
  );
}

/** Marks a member of what is asked for as a secret: no answer has it, and the command line takes it from files alone. */
export const neverAnswered = { writeOnly: true } as const;
