import type { JsonObject } from "./paths.ts";

/**
 * Reads the protobuf bodies that `kubectl create namespace|secret|configmap|…` sends whatever the server accepts.
 * Supports only the kinds and fields of those commands (k8s.io/api/…/generated.proto).
 */

type FieldType = "string" | "bytes" | "bool" | Message;
interface Field {
  name: string;
  type: FieldType;
  shape?: "list" | "map";
}
type Message = Record<number, Field>;

const list = (name: string, type: FieldType): Field => ({ name, type, shape: "list" });
const map = (name: string, type: FieldType): Field => ({ name, type, shape: "map" });
const one = (name: string, type: FieldType = "string"): Field => ({ name, type });

const objectMeta: Message = {
  1: one("name"),
  2: one("generateName"),
  3: one("namespace"),
  11: map("labels", "string"),
  12: map("annotations", "string"),
  14: list("finalizers", "string"),
};
const metadata = one("metadata", objectMeta);
const rules = list("rules", {
  1: list("verbs", "string"),
  2: list("apiGroups", "string"),
  3: list("resources", "string"),
  4: list("resourceNames", "string"),
  5: list("nonResourceURLs", "string"),
});
const subject: Message = {
  1: one("kind"),
  2: one("apiGroup"),
  3: one("name"),
  4: one("namespace"),
};
const roleRef: Message = { 1: one("apiGroup"), 2: one("kind"), 3: one("name") };

const kinds: Record<string, Message> = {
  Namespace: { 1: metadata },
  Secret: {
    1: metadata,
    2: map("data", "bytes"),
    3: one("type"),
    4: map("stringData", "string"),
    5: one("immutable", "bool"),
  },
  ConfigMap: {
    1: metadata,
    2: map("data", "string"),
    3: map("binaryData", "bytes"),
    4: one("immutable", "bool"),
  },
  ServiceAccount: { 1: metadata },
  Role: { 1: metadata, 2: rules },
  ClusterRole: { 1: metadata, 2: rules },
  RoleBinding: { 1: metadata, 2: list("subjects", subject), 3: one("roleRef", roleRef) },
};

/** runtime.Unknown, behind four bytes of magic. */
const envelope: Message = {
  1: one("typeMeta", { 1: one("apiVersion"), 2: one("kind") }),
  2: one("raw", "bytes"),
};
const magic = [0x6b, 0x38, 0x73, 0x00];

/** The object in the body; undefined for an unsupported kind or format. */
export function decodeProtobuf(body: Uint8Array): JsonObject | undefined {
  if (!magic.every((byte, index) => body[index] === byte)) return undefined;
  const { typeMeta, raw } = decode(body.subarray(magic.length), envelope) as {
    typeMeta?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const message = kinds[typeMeta?.kind ?? ""];
  if (!message) return undefined;
  return { ...typeMeta, ...decode(Buffer.from(raw ?? "", "base64"), message) };
}

function decode(bytes: Uint8Array, message: Message): JsonObject {
  const object: JsonObject = {};
  const reader = new Reader(bytes);
  while (!reader.done) {
    const key = reader.varint();
    const value = reader.value(key & 7);
    const field = message[key >>> 3];
    if (field) add(object, field, value);
  }
  return object;
}

/** Adds a field to the object, except empty strings and messages, which Go writes and JSON omits. */
function add(object: JsonObject, { name, type, shape }: Field, value: Uint8Array | number): void {
  if (shape === "map" && typeof value !== "number") {
    const { key = "", value: item = "" } = decode(value, { 1: one("key"), 2: one("value", type) });
    object[name] = { ...(object[name] as JsonObject | undefined), [String(key)]: item };
    return;
  }
  const item = convert(value, type);
  if (shape === "list") object[name] = [...((object[name] as unknown[] | undefined) ?? []), item];
  else if (item !== "") object[name] = item;
}

function convert(value: Uint8Array | number, type: FieldType): unknown {
  if (typeof value === "number") return type === "bool" ? value !== 0 : value;
  if (type === "string") return Buffer.from(value).toString("utf8");
  if (type === "bytes") return Buffer.from(value).toString("base64");
  return type === "bool" ? undefined : decode(value, type);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; !this.done; scale *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  }

  /** The value of a wire type: a number, bytes with a length, or bytes of a fixed width. */
  value(wireType: number): Uint8Array | number {
    if (wireType === 0) return this.varint();
    const length = wireType === 2 ? this.varint() : wireType === 1 ? 8 : 4;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
