import { describe, expect, it } from "vitest";
import { withSharedParts } from "../../../../functions/api/openapi/shared-parts.ts";

type Schema = Record<string, unknown>;

const object = (properties: Schema): Schema => ({ type: "object", properties });
/** A part that is long enough to be shared. */
const nodeSets = (name = "workers"): Schema =>
  object({ [name]: { type: "string", description: "x".repeat(300) } });
const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("parts of schemas that are alike", () => {
  it("are described once, and each keeps its own description", () => {
    const shared = withSharedParts({
      Cluster: object({ spec: { ...nodeSets(), description: "What is ordered." } }),
      PrivateCluster: object({ spec: { ...nodeSets(), description: "What was ordered." } }),
    });
    expect(shared).toEqual({
      Cluster: object({ spec: { ...of("ClusterSpec"), description: "What is ordered." } }),
      PrivateCluster: object({ spec: { ...of("ClusterSpec"), description: "What was ordered." } }),
      ClusterSpec: { ...nodeSets(), description: "What is ordered." },
    });
  });

  it("are left where they are used once, are short, or differ", () => {
    const components = {
      Cluster: object({ spec: nodeSets(), status: object({ state: { type: "string" } }) }),
      PrivateCluster: object({
        spec: nodeSets("infra"),
        status: object({ state: { type: "string" } }),
      }),
    };
    expect(withSharedParts(components)).toEqual(components);
  });

  it("are shared as wholes: what is within two that are alike is described within the one", () => {
    const spec = object({ sets: nodeSets(), more: { type: "string" } });
    const shared = withSharedParts({ Host: object({ spec }), HostView: object({ spec }) });
    expect(Object.keys(shared)).toEqual(["Host", "HostView", "HostSpec"]);
    const elsewhere = withSharedParts({
      Host: object({ spec }),
      HostView: object({ spec }),
      Rack: object({ sets: nodeSets() }),
    });
    expect(elsewhere.HostSpec).toMatchObject({ properties: { sets: of("RackSets") } });
    expect(elsewhere.Rack).toEqual(object({ sets: of("RackSets") }));
  });

  it.each([
    ["a kind", ["Cluster", "PrivateCluster"], "ClusterSpec"],
    ["a kind's bodies", ["ClusterChange", "ClusterInput"], "ClusterSpecInput"],
    ["two kinds", ["Dpu", "Host"], "DpuSpec"],
    ["many kinds", ["Dpu", "Host", "Site"], "Spec"],
  ])("have a name of %s", (_, owners, name) => {
    const components = Object.fromEntries(
      owners.map((owner) => [owner, object({ spec: nodeSets() })]),
    );
    expect(Object.keys(withSharedParts(components))).toEqual([...owners, name]);
  });

  it("have a longer name where the short one is another's", () => {
    const old = (more: string) => object({ spec: nodeSets("infra"), [more]: { type: "string" } });
    const shared = withSharedParts({
      Cluster: object({ spec: nodeSets(), old: old("a") }),
      PrivateCluster: object({ spec: nodeSets(), old: old("b") }),
    });
    expect(Object.keys(shared).slice(2)).toEqual(["ClusterSpec", "ClusterOldSpec"]);
  });

  it("are items, values of maps and choices as well", () => {
    const of3 = (part: Schema) => ({
      list: { type: "array", items: part },
      map: { type: "object", additionalProperties: part },
      either: { anyOf: [part, { type: "null" }] },
    });
    const shared = withSharedParts({ Host: object(of3(nodeSets())) });
    expect(shared.Host).toEqual(object(of3(of("HostListItem"))));
    expect(shared.HostListItem).toEqual({ description: "The value of `list`.", ...nodeSets() });
  });
});
