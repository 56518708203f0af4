import { expect, it } from "vitest";
import { decodeProtobuf } from "../../../sim/kubernetes/protobuf.ts";

/** A field with a length: a string, bytes or a message. */
function field(number: number, content: string | number[]): number[] {
  const bytes = typeof content === "string" ? [...Buffer.from(content)] : content;
  const length =
    bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return [(number << 3) | 2, ...length, ...bytes];
}

function body(kind: string, raw: number[]): Uint8Array {
  const typeMeta = field(1, [...field(1, "v1"), ...field(2, kind)]);
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...typeMeta, ...field(2, raw), ...field(4, "")]);
}

it("reads a Secret with labels, bytes, and a flag", () => {
  const long = "x".repeat(200);
  const label = field(11, [...field(1, "tier"), ...field(2, "front")]);
  const metadata = field(1, [...field(1, "s"), ...field(2, ""), ...label, ...field(8, [])]);
  const data = field(2, [...field(1, "key"), ...field(2, long)]);
  const immutable = [5 << 3, 1];
  expect(decodeProtobuf(body("Secret", [...metadata, ...data, ...immutable]))).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", labels: { tier: "front" } },
    data: { key: Buffer.from(long).toString("base64") },
    immutable: true,
  });
});

it("reads a Role's rules", () => {
  const rule = [...field(1, "get"), ...field(1, "list"), ...field(2, ""), ...field(3, "secrets")];
  const role = body("Role", [...field(1, field(1, "reader")), ...field(2, rule)]);
  expect(decodeProtobuf(role)).toMatchObject({
    metadata: { name: "reader" },
    rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["secrets"] }],
  });
});

it("leaves other kinds and other bytes alone", () => {
  expect(decodeProtobuf(body("Deployment", []))).toBeUndefined();
  expect(decodeProtobuf(Uint8Array.from([1, 2, 3]))).toBeUndefined();
});
