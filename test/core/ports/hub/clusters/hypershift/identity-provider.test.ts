import { describe, expect, it } from "vitest";
import { minutes } from "../../../../../../core/clock.ts";
import { controlPlaneObjects } from "../../../../../../core/ports/hub/clusters/hypershift/objects.ts";
import { hostedClusterSchema } from "../../../../../../core/ports/hub/clusters/hypershift/schema.ts";
import type { IdentityProvider } from "../../../../../../core/ports/hub/clusters/port.ts";
import { deployment, type Order } from "../../../../../support/deployment.ts";
import {
  advanceUntil,
  applyAll,
  applyControlPlane,
  condition,
  hostedCluster,
  orderOf,
  testWorld,
} from "../../../../../support/sim-world.ts";
import { loadSchemas, violations } from "../../../../../support/structural-schema.ts";

const identityProvider: IdentityProvider = {
  name: "corporate",
  issuer: "https://login.example.com/realms/a",
  clientId: "openshift",
  clientSecret: "very-secret",
  groupsClaim: "groups",
};

const hostedClusterOf = (order: Order) =>
  hostedClusterSchema.parse(
    controlPlaneObjects(order).find(({ kind }) => kind === "HostedCluster"),
  );

it("users come from the provider; its client secret is a Secret of its own, before the cluster", () => {
  const objects = controlPlaneObjects(deployment({ identityProvider }));
  const kinds = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const secret = kinds.indexOf("Secret identity-cluster-abcdefghij");
  expect(secret).toBeGreaterThan(0);
  expect(secret).toBeLessThan(kinds.indexOf("HostedCluster abcdefghij"));
  expect(hostedClusterOf(deployment({ identityProvider })).spec.configuration).toEqual({
    oauth: {
      identityProviders: [
        {
          name: "corporate",
          mappingMethod: "claim",
          type: "OpenID",
          openID: {
            issuer: "https://login.example.com/realms/a",
            clientID: "openshift",
            clientSecret: { name: "identity-cluster-abcdefghij" },
            claims: {
              preferredUsername: ["preferred_username"],
              name: ["name"],
              email: ["email"],
              groups: ["groups"],
            },
          },
        },
      ],
    },
  });
  expect(JSON.stringify(hostedClusterOf(deployment({ identityProvider })))).not.toContain(
    "very-secret",
  );
  expect(hostedClusterOf(deployment()).spec.configuration).toBeUndefined();
});

describe("against the real definition", () => {
  const crds = loadSchemas();
  if (crds.size === 0) console.log("skipped: CRD_DIR is not set");
  it.skipIf(crds.size === 0)("a HostedCluster with an identity provider is taken", () => {
    const schema = crds.get("hypershift.openshift.io/v1beta1/HostedCluster");
    expect(schema && violations(schema, hostedClusterOf(deployment({ identityProvider })))).toEqual(
      [],
    );
  });
});

describe("on a simulated hub", () => {
  it("a cluster with one has no kubeadmin password", async () => {
    const { world, cluster, clock, database } = await testWorld();
    const order = { ...orderOf(cluster), identityProvider };
    applyAll(cluster, order);
    await advanceUntil(
      clock,
      () => condition(hostedCluster(cluster, order), "Available").status === "True",
    );
    expect(hostedCluster(cluster, order)?.status?.kubeconfig).toBeDefined();
    expect(hostedCluster(cluster, order)?.status?.kubeadminPassword).toBeUndefined();
    await world.stop();
    database.close();
  });

  it("a cluster whose client secret is missing is refused", async () => {
    const { world, cluster, clock, database } = await testWorld();
    const order = { ...orderOf(cluster), identityProvider };
    applyControlPlane(cluster, order, "identity-cluster");
    await clock.advance(minutes(1));
    expect(condition(hostedCluster(cluster, order), "ValidConfiguration")).toMatchObject({
      status: "False",
      message: expect.stringContaining("identity-cluster-abcdefghij"),
    });
    await world.stop();
    database.close();
  });
});
