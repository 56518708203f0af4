import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/kubernetes/cluster.ts";
import { fieldSelector, labelSelector } from "../../../sim/kubernetes/selectors.ts";
import { widgetKind } from "./fixture.ts";

function labelled(labels: Record<string, string> | undefined): KubeObject {
  const metadata = {
    name: "a",
    namespace: "ns",
    uid: "u",
    resourceVersion: "1",
    creationTimestamp: "2030-01-01T00:00:00Z",
    ...(labels && { labels }),
  };
  return { apiVersion: "example.com/v1", kind: "Widget", metadata, spec: { size: "small" } };
}

describe("label selector", () => {
  const object = labelled({ app: "web", "example.com/tier": "front", empty: "" });
  it.each([
    ["", true],
    ["app=web", true],
    ["app==web", true],
    ["app = web", true],
    ["app=db", false],
    ["app!=db", true],
    ["app!=web", false],
    ["missing!=x", true],
    ["missing=", false],
    ["empty=", true],
    ["app", true],
    ["missing", false],
    ["!missing", true],
    ["!app", false],
    ["app in (web,db)", true],
    ["app in (db)", false],
    ["app notin (db, api)", true],
    ["app notin (web)", false],
    ["missing notin (web)", true],
    ["missing in (web)", false],
    ["example.com/tier=front", true],
    ["app in (web,db),example.com/tier,!missing", true],
    ["app in (web,db),missing", false],
    ["toString", false],
  ])("%s: %s", (selector, expected) => {
    expect(labelSelector(selector)(object)).toBe(expected);
  });

  it("selects objects without labels by what they lack", () => {
    expect(labelSelector("!app")(labelled(undefined))).toBe(true);
    expect(labelSelector("app")(labelled(undefined))).toBe(false);
  });

  it.each(["a=b=c", "app in web", "=x", "app in (a", "a b"])("refuses %s", (selector) => {
    expect(() => labelSelector(selector)).toThrow(expect.objectContaining({ code: 400 }));
  });
});

describe("field selector", () => {
  const kind = { ...widgetKind, selectableFields: ["spec.size"] };
  it.each([
    ["metadata.name=a", true],
    ["metadata.name=b", false],
    ["metadata.name!=b,metadata.namespace==ns", true],
    ["metadata.namespace=other", false],
    ["spec.size=small", true],
  ])("%s: %s", (selector, expected) => {
    expect(fieldSelector(selector, kind)(labelled({}))).toBe(expected);
  });

  it("refuses a field that the kind does not offer", () => {
    expect(() => fieldSelector("spec.base=x", kind)).toThrow(
      expect.objectContaining({ code: 400, message: "field label not supported: spec.base" }),
    );
  });
});
