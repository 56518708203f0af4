import { expect, it } from "vitest";
import { knownResource } from "../../../../core/ports/kubernetes/known-kinds.ts";
import { hostedKinds, hubKinds } from "../../../../sim/kinds.ts";
import { apiVersionOf } from "../../../../sim/kubernetes/object.ts";

it("the paths of known kinds are those at which servers serve them", () => {
  const known = [...hubKinds, ...hostedKinds].flatMap((served) => {
    const resource = knownResource(apiVersionOf(served), served.kind);
    return resource ? [{ served, resource }] : [];
  });
  expect(known.length).toBeGreaterThan(20);
  for (const { served, resource } of known)
    expect(resource).toEqual({ name: served.plural, namespaced: served.namespaced });
});

it("a kind of others is not known, nor is a known name in another group", () => {
  expect(knownResource("apps/v1", "Deployment")).toBeUndefined();
  expect(knownResource("cluster.x-k8s.io/v1beta1", "Node")).toBeUndefined();
});
