import { fileURLToPath } from "node:url";
import type { Secrets } from "../core/secrets/secrets.ts";
import { secretReference } from "../core/secrets/secrets.ts";
import { seedHostTypes } from "../sim/seed.ts";
import type { World } from "../sim/world.ts";
import { readTemplate, templateFolders } from "../templates/folder.ts";
import { publish } from "../templates/publish.ts";

/** What a provider has set up before its first order: through the API, as a provider would. */

export const tenants = ["tenant-a", "tenant-b"];

interface Api {
  request(
    path: string,
    init: RequestInit,
    env: { claims: Record<string, unknown> },
  ): Response | Promise<Response>;
}

const admin = { claims: { sub: "setup", roles: ["provider-admin"] } };

/** Adds what is missing: a seeding that was cut short is finished. */
export async function seedCatalog({
  app,
  secrets,
  world,
}: {
  app: Api;
  secrets: Secrets;
  world: World;
}): Promise<void> {
  if ((await secrets.get(secretReference.providerPullSecret)) === undefined) {
    await secrets.put(secretReference.providerPullSecret, JSON.stringify({ auths: {} }));
  }
  const add = async (collection: string, id: string, body: object): Promise<void> => {
    const path = `/api/private/v1/${collection}`;
    if ((await app.request(`${path}/${id}`, {}, admin)).status === 200) return;
    const response = await app.request(
      path,
      { method: "POST", body: JSON.stringify({ id, ...body }) },
      admin,
    );
    if (response.status !== 200)
      throw new Error(`seeding ${collection}/${id}: ${await response.text()}`);
  };

  for (const type of seedHostTypes) {
    await add("host_types", type, { metadata: { name: type }, ...hostTypes[type] });
  }
  for (const { version, is_default } of versions) {
    const id = version.replaceAll(".", "-");
    const image = `quay.io/openshift-release-dev/ocp-release:${version}-multi`;
    await add("cluster_versions", id, {
      metadata: { name: id },
      spec: { version, image, enabled: true, is_default, state: "CLUSTER_VERSION_STATE_ACTIVE" },
    });
  }
  for (const folder of templateFolders(templates)) {
    const { template, problems } = readTemplate(folder);
    if (!template) throw new Error(`seeding ${folder}: ${problems[0]?.message}`);
    await publish((path, init) => app.request(path, init, admin), template);
  }
  for (const hub of world.hubs()) {
    await add("hubs", hub.id, {
      metadata: { name: hub.id },
      spec: {
        kubeconfig: hub.kubeconfig,
        region: hub.region,
        capacity: 20,
        base_domain: `${hub.region}.example.com`,
      },
    });
  }
  for (const { id, name, hub, host_type, bmc, nics } of world.hosts()) {
    await add("hosts", id, { metadata: { name }, spec: { host_type, hub, bmc, nics } });
  }
}

const hostTypes: Record<string, object> = {
  fc430: { title: "Standard server", description: "2 × 16 cores, 128 GiB" },
  h100: { title: "GPU server", description: "8 × H100, 2 TiB" },
};

const versions = [
  { version: "4.17.3", is_default: true },
  { version: "4.18.1", is_default: false },
];

const templates = fileURLToPath(new URL("../templates/", import.meta.url));
