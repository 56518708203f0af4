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

/** Marks a member of what is asked for as a secret: no answer has it, and the command line takes it from files alone. */
export const neverAnswered = { writeOnly: true } as const;
