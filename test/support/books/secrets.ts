import { namesOf } from "../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import { apiKinds } from "../../../core/resources/generated/api-kinds.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/** The secret store holds what objects refer to, and what is made for them: no more and no less. */
export const secrets: Check<SiteBooks> = {
  of: [],
  wrong(books) {
    const { kinds, clusters, hosts, secrets: held } = books;
    const done = new Set(
      books.table
        .objects("operation")
        .flatMap(({ id, status }) => (status.state === "SUCCEEDED" ? [String(id)] : [])),
    );
    const tokens = books.table.items("machine-token-of").map(({ secret, operation }) => ({
      secret: String(secret),
      isUsed: done.has(String(operation)),
    }));
    const needed = new Set([
      secretReference.providerPullSecret,
      ...namesOf(kinds).flatMap((kind) => referencesOf(books, kind)),
      ...clusters.flatMap(({ spec }) => spec.pull_secret ?? []),
      ...tokens.flatMap(({ secret, isUsed }) => (isUsed ? [secret] : [])),
    ]);
    // The certificate of an ingress is made once the cluster has one, an image is read before a boot. A token is
    // written before its secret: an attempt that dies between leaves one that nobody knows, until the next is minted.
    const may = new Set([
      ...tokens.map(({ secret }) => secret),
      ...clusters.map(({ id }) => secretReference.ingressCertificate(id)),
      ...hosts.map(({ id }) => secretReference.discoveryImage(id)),
    ]);
    return [
      ...[...held]
        .filter((reference) => !needed.has(reference) && !may.has(reference))
        .map((reference) => `the secret ${reference} is nobody's`),
      ...[...needed]
        .filter((reference) => !held.has(reference) && !may.has(reference))
        .map((reference) => `the secret ${reference} is not there`),
    ];
  },
};

function referencesOf<K extends Kind>({ table }: SiteBooks, kind: K): string[] {
  const rules = apiKinds[kind]?.rules;
  return rules?.secrets
    ? table.objects(kind).flatMap((object) => rules.secrets?.(object) ?? [])
    : [];
}
