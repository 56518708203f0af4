import * as z from "zod";

/** One line of text, such as a label on a device: without characters that end a line or move a cursor. */
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

/** Marks a member of a request as secret: no answer has it, and the command line reads it only from files. */
export const neverAnswered = { writeOnly: true } as const;
