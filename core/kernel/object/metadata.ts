import * as z from "zod";

const nameRule =
  "must be 1 to 63 lowercase letters, digits or '-', starting and ending with a letter or digit";

/** Names are RFC 1123 labels: the form that Kubernetes and DNS accept. */
const namePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const isName = (text: string): boolean => namePattern.test(text);
export const nameSchema = z.string().regex(namePattern, nameRule);

const pathRule =
  "must be the path of a project, such as shop.web: at most 5 names with '.' between";

/** Projects are named by their path. */
export const projectPathSchema = z
  .string()
  .max(253, pathRule)
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){0,4}$/,
    pathRule,
  );

const labelPrefix =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const labelName = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/;

/** `[prefix/]name`, as OSAC checks it. */
function isLabelKey(key: string): boolean {
  const parts = key.split("/");
  if (parts.length > 2) return false;
  const name = parts.at(-1) ?? "";
  return labelName.test(name) && (parts.length === 1 || labelPrefix.test(parts[0] ?? ""));
}

const keyRule = "a key is [prefix/]name: prefix a DNS subdomain, name 1 to 63 of a-z 0-9 - _ .";

const keyed = <V extends z.ZodType<string>>(value: V, limit = 64) =>
  z.record(z.string(), value).superRefine((map, context) => {
    const keys = Object.keys(map);
    if (keys.length > limit) {
      context.addIssue({ code: "custom", message: `must not have more than ${limit} keys` });
      return;
    }
    for (const key of keys) {
      if (!isLabelKey(key)) context.addIssue({ code: "custom", path: [key], message: keyRule });
    }
  });

const labelValue = /^([a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?)?$/;
const labelValueSchema = z
  .string()
  .regex(
    labelValue,
    "a value is up to 63 of a-z 0-9 - _ ., starting and ending with a letter or digit",
  );
export const labelsSchema = keyed(labelValueSchema);

/**
 * The most labels of an object. A list that is filtered by a label reads the label's entries
 * (`labels.ts`), and a change of all labels writes two entries for each, in one transaction.
 */
const labelLimit = 32;

export interface Label {
  key: string;
  value: string;
}

/** Whether any object can have the label. */
export const isLabel = ({ key, value }: Label): boolean =>
  isLabelKey(key) && labelValue.test(value);
const annotationsSchema = keyed(z.string().max(262_144));

/** The metadata that a caller may give. */
export const metadataInputSchema = z.strictObject({
  name: nameSchema.describe(
    "Unique in its tenant and project: 1 to 63 lowercase letters, digits or `-`.",
  ),
  tenant: nameSchema
    .optional()
    .describe("Name of the tenant that the object belongs to; your own by default."),
  project: z
    .union([z.literal(""), projectPathSchema], { error: pathRule })
    .optional()
    .describe(
      "Path of its project, such as `shop.web`; empty, as OSAC's clients send it, is none.",
    ),
  labels: keyed(labelValueSchema, labelLimit)
    .optional()
    .describe(`Short texts by key, for selecting objects; at most ${labelLimit}.`),
  annotations: annotationsSchema
    .optional()
    .describe("Longer texts by key, for whoever needs them; at most 64."),
  display_name: z.string().max(63).optional().describe("A name for people, at most 63 characters."),
  description: z
    .string()
    .max(256)
    .optional()
    .describe("A sentence for people, at most 256 characters."),
});
export type MetadataInput = z.infer<typeof metadataInputSchema>;

/** Metadata as it is stored; `version` on the wire is the record's generation. */
export interface Metadata {
  name: string;
  tenant: string;
  project?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  display_name?: string;
  description?: string;
  creator: string;
  creation_timestamp: string;
  deletion_timestamp?: string;
}

/** The tenant whose objects (templates, versions, host types) everybody sees. */
export const sharedTenant = "shared";

/** A typed reference: both members once stored. */
export interface Reference {
  id: string;
  name: string;
}
