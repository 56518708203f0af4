import * as z from "zod";
import { fabricApi } from "../../../sim/fabric/api.ts";
import { TestFabric } from "../../support/fabric.ts";
import { inProcess, type Known, overHttp, type Raw, type Side } from "../compare.ts";
import type { Cloud } from "./cloud.ts";

/** A real Keystone and the simulated one, with application credentials of the same sorts, made by test/live/neutron/cloud.py. */

const both = { roles: ["admin", "service"] };
const accessRules = [{ id: "1", service: "network", method: "GET", path: "/v2.0/networks" }];
const sorts: Record<string, Parameters<TestFabric["sim"]["keystone"]["make"]>[0]> = {
  both,
  admin: { roles: ["admin"] },
  service: { roles: ["service"] },
  member: { roles: ["member"] },
  fewer: { roles: ["service"] },
  unrestricted: { ...both, isUnrestricted: true },
  ruled: { ...both, accessRules },
  expired: { ...both, until: 0 },
  deleted: both,
  disabled: { ...both, isEnabled: false },
};

export function simulatedKeystone(): [Side, Known] {
  const { sim } = new TestFabric();
  const made = Object.entries(sorts).map(([name, terms]) => {
    const credential = sim.keystone.make({ ...terms, user: `slipway-${name}` });
    if (name === "deleted") sim.keystone.remove(credential.id);
    return [name, credential] as const;
  });
  return [inWords(inProcess(async (request) => fabricApi(sim)(request), {})), knownOf(made)];
}

/** Its Neutron answers elsewhere. */
export function realKeystone({ authUrl, networkUrl, cloud }: Cloud): [Side, Known] {
  const [keystone, neutron] = [asNobody(authUrl), asNobody(networkUrl)];
  const side: Side = (request) => (isOfNeutron(request) ? neutron : keystone)(request);
  return [inWords(side), knownOf(Object.entries(cloud.credentials))];
}

const asNobody = (url: string): Side => overHttp(url, async () => ({}));
const isOfNeutron = ({ path }: Raw): boolean => /^\/v2\.0\/(networks|ports)\b/.test(path);

function knownOf(
  credentials: readonly (readonly [string, { id: string; secret: string; user: string }])[],
): Known {
  return Object.fromEntries(
    credentials.flatMap(([name, { id, secret, user }]) => [
      [`${name}.id`, id],
      [`${name}.secret`, secret],
      [`${name}.user`, user],
    ]),
  );
}

/** Of a refusal its words count too, since the adapter reads them, and of a token its roles and where it stands. */
const inWords =
  (side: Side): Side =>
  async (request) => {
    const answer = await side(request);
    const { data: read } = bodySchema.safeParse(answer.body);
    const token = answer.headers.get("x-subject-token");
    const words = read?.error?.message.split("\n")[0]?.replace(/\b[0-9a-f-]{32,36}\b/g, "<id>");
    const roles = read?.token?.roles.map(({ name }) => name).sort();
    const headers = ["www-authenticate", "x-subject-token"].filter((each) =>
      answer.headers.has(each),
    );
    const code = [words, roles, headers].filter((each) => each !== undefined).join("; ");
    return {
      ...answer,
      body: { ...read, ...(token !== null && { "x-subject-token": token }), code },
    };
  };

const bodySchema = z.looseObject({
  error: z.looseObject({ message: z.string() }).optional(),
  token: z.looseObject({ roles: z.array(z.object({ name: z.string() })) }).optional(),
});
