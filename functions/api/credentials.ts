import { mustSee } from "../../core/kernel/request/caller.ts";
import {
  type Credentials,
  credentialSchema,
  revocationSchema,
} from "../../core/ports/hub/credentials/port.ts";
import { credentialsOnHub } from "../../core/resources/cluster/credentials.ts";
import type { Call } from "./call.ts";
import { pageSchema } from "./list/list.ts";
import { prefixes, type Route, route } from "./route.ts";

/** The credentials of a cluster that its hub has issued. */

const listSchema = pageSchema(credentialSchema).extend({
  revocation: revocationSchema.optional().describe("The latest; absent when there was none."),
});

export const credentialRoutes: Route[] = [
  route({
    area: "public",
    subject: "cluster",
    verb: "credentials",
    method: "GET",
    path: `${prefixes.public}/clusters/{id}/credentials`,
    summary: "List credentials",
    description: "The certificates that were issued and have not expired, the latest first.",
    isCredential: true,
    response: () => listSchema,
    handle: listAnswer,
  }),
];

async function listAnswer(call: Call): Promise<Response> {
  const { deps, caller, c } = call;
  const cluster = await mustSee(deps, caller, "cluster", call.param("id"));
  const { items: all, revocation }: Credentials = cluster.placement
    ? await credentialsOnHub(deps, cluster, (credentials, owner) =>
        credentials.listCredentials(owner),
      )
    : { items: [] };
  const now = deps.clock.now();
  const items = all.filter(({ expiration_timestamp }) => Date.parse(expiration_timestamp) > now);
  c.header("Cache-Control", "no-store");
  return c.json({ size: items.length, total: items.length, items, revocation });
}
