import { describe, expect, it } from "vitest";
import { jsonPatch, mergePatch } from "../../../sim/kubernetes/patch.ts";
import { KubeError } from "../../../sim/kubernetes/status.ts";
import { strategicPatch } from "../../../sim/kubernetes/strategic.ts";

describe("JSON patch", () => {
  // From RFC 6902, appendix A, and its neighbours.
  it.each([
    [
      "adds a member",
      { foo: "bar" },
      [{ op: "add", path: "/baz", value: "qux" }],
      { foo: "bar", baz: "qux" },
    ],
    [
      "adds before an element",
      { a: [1, 3] },
      [{ op: "add", path: "/a/1", value: 2 }],
      { a: [1, 2, 3] },
    ],
    ["adds at the end", { a: [1] }, [{ op: "add", path: "/a/-", value: 2 }], { a: [1, 2] }],
    ["adds a null", {}, [{ op: "add", path: "/a", value: null }], { a: null }],
    ["removes a member", { a: 1, b: 2 }, [{ op: "remove", path: "/b" }], { a: 1 }],
    ["removes an element", { a: [1, 2, 3] }, [{ op: "remove", path: "/a/1" }], { a: [1, 3] }],
    ["replaces a value", { a: 1 }, [{ op: "replace", path: "/a", value: [] }], { a: [] }],
    ["replaces the document", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
    [
      "moves a value",
      { a: { b: 1 }, c: {} },
      [{ op: "move", from: "/a/b", path: "/c/d" }],
      { a: {}, c: { d: 1 } },
    ],
    [
      "moves an element",
      { a: [1, 2, 3] },
      [{ op: "move", from: "/a/0", path: "/a/2" }],
      { a: [2, 3, 1] },
    ],
    [
      "copies a value",
      { a: [1] },
      [
        { op: "copy", from: "/a", path: "/b" },
        { op: "add", path: "/b/-", value: 2 },
      ],
      { a: [1], b: [1, 2] },
    ],
    [
      "tests regardless of order",
      { a: { x: 1, y: 2 } },
      [{ op: "test", path: "/a", value: { y: 2, x: 1 } }],
      { a: { x: 1, y: 2 } },
    ],
    [
      "reads escaped names",
      { "a/b": 1, "c~d": 2 },
      [
        { op: "remove", path: "/a~1b" },
        { op: "replace", path: "/c~0d", value: 3 },
      ],
      { "c~d": 3 },
    ],
  ])("%s", (_, target, patch, expected) => {
    const before = structuredClone(target);
    expect(jsonPatch(target, patch)).toEqual(expected);
    expect(target).toEqual(before);
  });

  it.each([
    ["a test that fails", 422, [{ op: "test", path: "/a", value: 2 }]],
    ["a test of what is not there", 422, [{ op: "test", path: "/x", value: null }]],
    ["the removal of what is not there", 422, [{ op: "remove", path: "/x" }]],
    ["a replacement of what is not there", 422, [{ op: "replace", path: "/x", value: 1 }]],
    ["an index past the end", 422, [{ op: "add", path: "/list/9", value: 1 }]],
    ["an index with a leading zero", 422, [{ op: "replace", path: "/list/00", value: 1 }]],
    ["a member of a scalar", 422, [{ op: "add", path: "/a/b", value: 1 }]],
    ["a move into itself", 422, [{ op: "move", from: "/o", path: "/o/p" }]],
    ["an operation that does not exist", 422, [{ op: "swap", path: "/a" }]],
    ["a path without a slash", 400, [{ op: "remove", path: "a" }]],
    ["what is no list", 400, { op: "remove", path: "/a" }],
  ])("refuses %s", (_, code, patch) => {
    const refused = () => jsonPatch({ a: 1, o: {}, list: [1] }, patch);
    expect(refused).toThrow(KubeError);
    expect(refused).toThrow(expect.objectContaining({ code }));
  });
});

describe("merge patch", () => {
  // From RFC 7386, appendix A.
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "foo" }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("%j with %j is %j", (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });
});

describe("strategic merge patch", () => {
  const service = {
    spec: { ports: [{ port: 80, name: "http" }, { port: 443 }], type: "ClusterIP" },
  };
  it.each([
    [
      "merges list items by their key and leaves out directives",
      { spec: { "$setElementOrder/ports": [{ port: 80 }, { port: 90 }], ports: [{ port: 90 }] } },
      {
        spec: {
          ports: [{ port: 80, name: "http" }, { port: 443 }, { port: 90 }],
          type: "ClusterIP",
        },
      },
    ],
    [
      "changes and deletes list items",
      {
        spec: {
          ports: [
            { port: 80, name: "web" },
            { $patch: "delete", port: 443 },
          ],
        },
      },
      { spec: { ports: [{ port: 80, name: "web" }], type: "ClusterIP" } },
    ],
    [
      "replaces a list when told",
      { spec: { ports: [{ port: 1 }, { $patch: "replace" }] } },
      { spec: { ports: [{ port: 1 }], type: "ClusterIP" } },
    ],
    [
      "replaces a map when told",
      { spec: { $patch: "replace", type: "None" } },
      { spec: { type: "None" } },
    ],
    ["deletes a map when told", { spec: { $patch: "delete" } }, {}],
    ["removes by null", { spec: { ports: null } }, { spec: { type: "ClusterIP" } }],
  ])("%s", (_, patch, expected) => {
    expect(strategicPatch(service, patch)).toEqual(expected);
  });

  it("adds to and deletes from finalizers", () => {
    const patch = { "$deleteFromPrimitiveList/finalizers": ["a"], finalizers: ["b", "c"] };
    expect(strategicPatch({ finalizers: ["a", "b"] }, patch)).toEqual({ finalizers: ["b", "c"] });
  });
});
